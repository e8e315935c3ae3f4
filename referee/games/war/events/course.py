"""The course of a match: order of play and the bids for it, stages, shares, offers and gifts, elimination and the end."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.events.base import OpenEvent, points
from referee.games.war.position.places import Fleet, Land, Load, Stack
from referee.games.war.position.relations import Feud, Offer
from referee.games.war.position.state import Stage, War
from referee.kit.ledger import Flow
from referee.kit.wording import in_a_row


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
    """What comes next: production, or a player's share of a round of movement."""

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
