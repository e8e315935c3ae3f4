"""How a match is set up and goes: regions picked, pieces placed, turns, offers, wars, alliances."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.events import OpenEvent, points, units
from referee.games.war.position import Feud, Fleet, Land, Load, Offer, Stack
from referee.games.war.position.state import Stage, War
from referee.games.war.reckoning import joined
from referee.games.war.rulebook import BOARD, BUILDINGS, CHIT_VALUES, pieces_in_words
from referee.kit.stock import Flow
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- the set-up
# Points given out, regions picked or dealt, pieces bought and placed; capitals, gifts and local powers.


_EUROPE = tuple(name for name in BOARD.zones["Europe"] if name not in ("Balkans", "Caucasus"))


class StartPaid(OpenEvent, frozen=True):
    """Everybody received his PP and DP."""

    rule = "27.setup.3"
    says = "Everybody receives {pp} PP and {dp} DP."
    seats: tuple[Seat, ...]
    pp: int
    dp: int

    def flows(self) -> tuple[Flow, ...]:
        return tuple(flow for seat in self.seats for flow in points(seat, self.pp, self.dp))


class RegionPicked(OpenEvent, frozen=True):
    """A starting region: a free infantry, a dot chit, no marker (27.setup.2, 27.setup.10, R27-04)."""

    rule = "27.setup.2"
    says = "{seat} picks {region}."
    seat: Seat
    region: str

    def change(self, war: War) -> War:
        chits = {**war.chits, "dot": war.chits["dot"] - 1}
        stacks = (Stack(self.seat, "infantry", 1),)
        if self.region in _EUROPE and self.seat not in war.homes:
            war = replace(war, homes={**war.homes, self.seat: self.region})
        return replace(war, chits=chits).with_land(self.region, owner=self.seat, chit="dot", stacks=stacks)

    def flows(self) -> tuple[Flow, ...]:
        return units(self.seat, "infantry", 1)


class PiecesBought(OpenEvent, frozen=True):
    """A player's purchase before play."""

    rule = "27.setup.4"
    seat: Seat
    pieces: tuple[tuple[str, int], ...]
    pp: int

    def flows(self) -> tuple[Flow, ...]:
        return points(self.seat, -self.pp)

    def sentence(self) -> str:
        return f"{self.seat} buys {pieces_in_words(self.pieces, 'nothing')} for {self.pp} PP."


class PiecePlaced(OpenEvent, frozen=True):
    """One bought piece was put on the map."""

    rule = "27.setup.7"
    says = "{seat} places 1 {kind} in {place}."
    seat: Seat
    kind: str
    place: str

    def change(self, war: War) -> War:
        if self.kind == "fleet":
            return war.launching(self.seat, self.place)
        if self.kind in BUILDINGS:
            return war.with_building(self.place, self.kind)
        return war.with_units(self.place, Stack(self.seat, self.kind, 1))

    def flows(self) -> tuple[Flow, ...]:
        return () if self.kind in BUILDINGS else units(self.seat, self.kind, 1)


class PieceReturned(OpenEvent, frozen=True):
    """A bought piece for which no lawful place was left is paid back."""

    rule = "27.setup.5"
    says = "{seat} has no lawful place for a {kind}; its {pp} PP are paid back."
    seat: Seat
    kind: str
    pp: int

    def flows(self) -> tuple[Flow, ...]:
        return points(self.seat, self.pp)


class RegionDealt(RegionPicked, frozen=True):
    """A starting region dealt by its card (27.opt.random_regions.4)."""

    rule = "27.opt.random_regions.4"
    says = "{seat} is dealt {region}."


class RegionsSwapped(OpenEvent, frozen=True):
    """Players exchanged dealt regions with their infantry: who gave which for which."""

    rule = "27.opt.random_regions.2"
    swaps: tuple[tuple[Seat, str, str], ...]

    def change(self, war: War) -> War:
        holders = {gives: seat for seat, gives, _ in self.swaps}
        for seat, _, gets in self.swaps:
            if gets in holders:
                stacks = tuple(replace(stack, owner=seat) for stack in war.lands[gets].stacks)
                war = war.with_land(gets, owner=seat, stacks=stacks)
        return war

    def sentence(self) -> str:
        return f"Swapped: {in_a_row([f'{seat} gives {gives} and gets {gets}' for seat, gives, gets in self.swaps])}."


class CapitalNamed(OpenEvent, frozen=True):
    """The one region of a player that may hold several buildings (27.opt.multiple_buildings.3)."""

    rule = "27.opt.multiple_buildings.3"
    says = "{seat}'s capital is {region}."
    seat: Seat
    region: str

    def change(self, war: War) -> War:
        return replace(war, capitals={**war.capitals, self.seat: self.region})


class FreeBuildingPlaced(OpenEvent, frozen=True):
    """The building that everybody has free in Europe."""

    rule = "27.opt.historical.setup.4"
    says = "{seat} has a {building} free in {region}."
    seat: Seat
    region: str
    building: str

    def change(self, war: War) -> War:
        return war.with_building(self.region, self.building)


class FreeResourcePlaced(OpenEvent, frozen=True):
    """The developed resource that everybody has free in Europe; its dot goes back into the cup."""

    rule = "27.opt.historical.setup.4"
    seat: Seat
    region: str
    resource: str

    def change(self, war: War) -> War:
        old = war.lands[self.region].chit
        chits = {**war.chits, self.resource: war.chits[self.resource] - 1}
        if old is not None:
            chits[old] += 1
        return replace(war, chits=chits).with_land(self.region, chit=self.resource, developed=True)

    def sentence(self) -> str:
        value = CHIT_VALUES[self.resource]
        return f"{self.seat} has {self.resource} of value {value} in {self.region}, developed."


class PowerRaised(OpenEvent, frozen=True):
    """A native region is a local power, with a building."""

    rule = "27.opt.historical.powers.2"
    says = "{region} is a local power with a {building}."
    region: str
    building: str

    def change(self, war: War) -> War:
        return war.with_building(self.region, self.building)


# ---------------------------------------------------------------- war-time alliances
# Sides joined or refused, alliances that ended, and players let in (27.opt.alliances).


class AllianceJoined(OpenEvent, frozen=True):
    """A player joined a side of a war by the votes of `yes`; he is at war with all of `against`."""

    rule = "27.opt.alliances.1"
    seat: Seat
    coalition: int
    side: int
    members: tuple[Seat, ...]
    yes: tuple[Seat, ...]
    against: tuple[Seat, ...]

    def change(self, war: War) -> War:
        found = next((c for c in war.coalitions if c.number == self.coalition), None)
        return joined(war, self.seat, found, self.side) if found else war

    def sentence(self) -> str:
        allies, votes = in_a_row(list(self.members)), f"{in_a_row(list(self.yes))} approve{'s' * (len(self.yes) == 1)}"
        return f"{self.seat} joins {allies} and is at war with {in_a_row(list(self.against))}; {votes} ({_of(self)})."


class AllianceRefused(OpenEvent, frozen=True):
    """A player asked to join a side and was not let: too few votes, or `bar`, two enemies who would be allies."""

    rule = "27.opt.alliances.2"
    seat: Seat
    members: tuple[Seat, ...]
    yes: tuple[Seat, ...]
    bar: tuple[Seat, ...] = ()

    def cites(self) -> str:
        return "27.opt.alliances.3" if self.bar else self.rule

    def sentence(self) -> str:
        asks = f"{self.seat} asks to join {in_a_row(list(self.members))}"
        if self.bar:
            return f"{asks}, but {in_a_row(list(self.bar))}, who are at war, would be allies."
        return f"{asks} and is refused: {in_a_row(list(self.yes)) or 'nobody'} approves ({_of(self)})."


def _of(vote: AllianceJoined | AllianceRefused) -> str:
    return f"{len(vote.yes)} of {len(vote.members)}"


class AllianceEnded(OpenEvent, frozen=True):
    """Two players have no common enemy left in the war that made them allies."""

    rule = "27.opt.alliances.5"
    says = "{one} and {other} have no common enemy any more: their alliance ends."
    one: Seat
    other: Seat

    def change(self, war: War) -> War:
        return replace(war, parted=(*war.parted, (self.one, self.other, war.share)))


class CargoReturned(OpenEvent, frozen=True):
    """Units that a former ally carried went ashore in a region of their owner's; "" where he has no coast: they are lost."""

    rule = "27.opt.alliances.11"
    fleet: int
    load: Load
    region: str

    def change(self, war: War) -> War:
        war = war.with_fleet(war.fleets[self.fleet].loading(replace(self.load, number=-self.load.number)))
        landed = Stack(self.load.owner, self.load.kind, self.load.number)
        return war.with_units(self.region, landed) if self.region else war

    def flows(self) -> tuple[Flow, ...]:
        return () if self.region else units(self.load.owner, self.load.kind, -self.load.number)

    def sentence(self) -> str:
        goes = f"ashore in {self.region}" if self.region else "nowhere, for no coast is his: lost"
        return f"{self.load.owner}: {self.load} aboard a former ally's fleet {self.fleet} go {goes}."


class GuestsDefended(OpenEvent, frozen=True):
    """Allies in a region defend it together with its owner."""

    rule = "27.opt.alliances.7"
    region: str
    owner: Seat
    guests: tuple[Seat, ...]

    def sentence(self) -> str:
        return f"{in_a_row(list(self.guests))} defend{'s' * (len(self.guests) == 1)} {self.region} together with {self.owner}."


class FleetsJoined(OpenEvent, frozen=True):
    """An ally's fleets joined a battle at sea."""

    rule = "27.opt.alliances.9"
    seat: Seat
    leader: Seat
    sea: str
    number: int

    def sentence(self) -> str:
        return f"{self.seat} joins {self.leader} in {self.sea} with {counted(self.number, 'fleets')}."


class LeaveSet(OpenEvent, frozen=True):
    """A player said which allies he keeps out of his regions and off his fleets."""

    rule = "27.opt.alliances.6"
    seat: Seat
    refused: tuple[Seat, ...]

    def change(self, war: War) -> War:
        return replace(war, shut={**war.shut, self.seat: self.refused})

    def sentence(self) -> str:
        if not self.refused:
            return f"{self.seat} lets every ally into his land."
        return f"{self.seat} does not let {in_a_row(list(self.refused), 'or')} into his land, ally or not."


class OrderOfPlaySet(OpenEvent, frozen=True):
    """The movement order of the turn, or at the start the set-up order, was drawn."""

    rule = "27.production.order.1"
    order: tuple[Seat, ...]
    first: bool = False

    def change(self, war: War) -> War:
        return replace(war, order=self.order, seats=self.order if self.first else war.seats)

    def cites(self) -> str:
        return "27.setup.1" if self.first else self.rule

    def sentence(self) -> str:
        return f"{'Set-up' if self.first else 'Movement'} order: {', '.join(self.order)}."


class StageBegan(OpenEvent, frozen=True):
    """The next stage: production, or a player's share of a round of movement."""

    rule = "27.turn.1"
    stage: Stage
    turn: int
    round: int
    slot: int
    active: Seat | None = None
    waiting: tuple[Seat, ...] = ()

    def change(self, war: War) -> War:
        cities = () if self.stage == "production" else war.new_cities
        return replace(
            war,
            stage=self.stage,
            turn=self.turn,
            round=self.round,
            slot=self.slot,
            active=self.active,
            waiting=self.waiting,
            new_cities=cities,
            constructing=False,
        )

    def sentence(self) -> str:
        if self.stage == "production":
            return f"Next: production of turn {self.turn}."
        return f"Next: {self.active} moves, turn {self.turn}, round {self.round}."


class ConstructionBegan(OpenEvent, frozen=True):
    """Native diplomacy is over, where production is in order; what is built is asked for next."""

    rule = "27.production.order.2"
    says = ""

    def change(self, war: War) -> War:
        return replace(war, constructing=True)


class ShareOpened(OpenEvent, frozen=True):
    """A player's share of movement began: all MP are fresh, and who may attack by now is settled (27.war.4, 27.war.5)."""

    rule = "27.turn.3"
    says = ""
    seat: Seat

    def change(self, war: War) -> War:
        lands = {name: _fresh(land) for name, land in war.lands.items()}
        fleets = {number: _rested(fleet) for number, fleet in war.fleets.items()}
        feuds = tuple(_ready(feud, self.seat) for feud in war.feuds)
        return replace(war, lands=lands, fleets=fleets, feuds=feuds)


def _fresh(land: Land) -> Land:
    """The region with all units counted together again."""
    if all(not (stack.spent or stack.origin or stack.landed or stack.late or stack.idle) for stack in land.stacks):
        return land
    counts: dict[tuple[Seat, str], int] = {}
    for stack in land.stacks:
        counts[stack.owner, stack.kind] = counts.get((stack.owner, stack.kind), 0) + stack.number
    return replace(land, stacks=tuple(Stack(owner, kind, number) for (owner, kind), number in counts.items()))


def _rested(fleet: Fleet) -> Fleet:
    if not fleet.spent and all(not (load.spent or load.origin) for load in fleet.cargo):
        return fleet
    counts: dict[tuple[Seat, str], int] = {}
    for load in fleet.cargo:
        counts[load.owner, load.kind] = counts.get((load.owner, load.kind), 0) + load.number
    return replace(fleet, spent=0, cargo=tuple(Load(owner, kind, number) for (owner, kind), number in counts.items()))


def _ready(feud: Feud, seat: Seat) -> Feud:
    if seat not in (feud.declarer, feud.victim) or seat in feud.ready:
        return feud
    return replace(feud, ready=(*feud.ready, seat))


class PointsGiven(OpenEvent, frozen=True):
    """PP changed hands as a gift (R27-16)."""

    rule = "27.money.1"
    says = "{giver} gives {pp} PP to {to}."
    giver: Seat
    to: Seat
    pp: int

    def flows(self) -> tuple[Flow, ...]:
        return (*points(self.giver, -self.pp), *points(self.to, self.pp))


class OfferMade(OpenEvent, frozen=True):
    """Peace was offered, or a region."""

    rule = "27.war.6"
    offer: Offer

    def change(self, war: War) -> War:
        return replace(war, offers=(*war.offers, self.offer), next_offer=self.offer.number + 1)

    def cites(self) -> str:
        return "27.move.cede.1" if self.offer.kind == "cede" else self.rule

    def sentence(self) -> str:
        what = f"to cede {self.offer.region}" if self.offer.kind == "cede" else "peace"
        return f"{self.offer.maker} offers {self.offer.to} {what} (offer {self.offer.number})."


class OfferAccepted(OpenEvent, frozen=True):
    """Peace was accepted; it is made at the next moment the rules allow (R27-70)."""

    rule = "27.war.6"
    says = "{by} accepts offer {number}."
    number: int
    by: Seat

    def change(self, war: War) -> War:
        offers = tuple(replace(o, accepted=True) if o.number == self.number else o for o in war.offers)
        return replace(war, offers=offers)


class OfferClosed(OpenEvent, frozen=True):
    """An offer is gone: declined, withdrawn, done, or empty of sense."""

    rule = "27.war.6"
    number: int
    how: Literal["declined", "withdrawn", "done", "void"]
    by: Seat | None = None

    def change(self, war: War) -> War:
        return replace(war, offers=tuple(o for o in war.offers if o.number != self.number))

    def sentence(self) -> str:
        if self.by is None:
            return ""
        return f"{self.by} {'declines' if self.how == 'declined' else 'withdraws'} offer {self.number}."


class DecisionsSet(OpenEvent, frozen=True):
    """A player said whether he wants to be asked in the middle of a turn."""

    rule = "27.turn.3"
    seat: Seat
    mode: str

    def change(self, war: War) -> War:
        return replace(war, decisions={**war.decisions, self.seat: self.mode})

    def sentence(self) -> str:
        asked = "is asked by mail" if self.mode == "interactive" else "is never waited for"
        return f"{self.seat} {asked} in the middle of a turn."


class PlayerEliminated(OpenEvent, frozen=True):
    """A player has no region left (R27-75)."""

    rule = "27.victory.1"
    says = "{seat} has no region left and is eliminated."
    seat: Seat

    def change(self, war: War) -> War:
        return replace(war, out=(*war.out, self.seat))


class GameEnded(OpenEvent, frozen=True):
    """The game is over."""

    rule = "27.victory.1"
    why: str
    winners: tuple[Seat, ...]
    points: int

    def change(self, war: War) -> War:
        return replace(war, ended=self.why, stage="over", active=None, waiting=())

    def sentence(self) -> str:
        won = "wins" if len(self.winners) == 1 else "share the victory"
        return f"The game is over: {self.why}. {in_a_row(self.winners)} {won} with {self.points} victory points."


class BidsRevealed(OpenEvent, frozen=True):
    """The sealed bids were opened, and all were paid; `turn` is theirs."""

    rule = "27.opt.auction.1"
    bids: tuple[tuple[Seat, int], ...]
    turn: int

    def change(self, war: War) -> War:
        return replace(super().change(war), bid_in=self.turn)

    def flows(self) -> tuple[Flow, ...]:
        return tuple(flow for seat, pp in self.bids for flow in points(seat, -pp))

    def sentence(self) -> str:
        return f"Bids for the order of the turn: {in_a_row([f'{seat} {pp} PP' for seat, pp in self.bids])}."


class OrderBidFor(OrderOfPlaySet, frozen=True):
    """The movement order that the bidders made, from the lowest bid up (27.opt.auction.3)."""

    rule = "27.opt.auction.3"
