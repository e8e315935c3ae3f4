"""How a match goes: turns, wars, and what fortune brings."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.newworld.events import Gain, OpenEvent
from referee.games.newworld.position import World, power_of
from referee.games.newworld.rulebook import EUROPE, REGIONS, RESOURCES, Holdings, former_start
from referee.kit.stock import Flow, fewer
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- turns
# Set-up, the passing of the turn, orders that fell short, elimination, the end.


class OrderOfPlaySet(OpenEvent, frozen=True):
    """The order of play was drawn."""

    rule = "nw.r1"
    order: tuple[Seat, ...]

    def change(self, world: World) -> World:
        return replace(world, order=self.order)

    def sentence(self) -> str:
        return f"The order of play is {in_a_row(self.order)}."


class TerritoriesSettled(OpenEvent, frozen=True):
    """A seat's European territories were found, `rolled` after the given four; with them it has what it starts with.

    A log of version 0.2.0 does not say what that is.
    """

    rule = "nw.setup.territories"
    seat: Seat
    given: tuple[str, ...]
    rolled: tuple[str, ...]
    start: Holdings | None = None

    def begins_with(self, world: World) -> Holdings:
        """The holdings that the seat starts with, wherever the log tells them."""
        return self.start or former_start(self.seat, world.nationalities)

    def change(self, world: World) -> World:
        world = world.with_power(power_of(self.seat, self.begins_with(world)))
        for terrain in (*self.given, *self.rolled):
            world = world.adding(terrain, EUROPE, self.seat, self.seat)
        return world

    def flows(self) -> Iterator[Flow]:
        yield Flow(f"{self.seat}: territories", len(self.given) + len(self.rolled))

    def sentence(self) -> str:
        return f"{self.seat} holds {in_a_row(self.given)}, and by the dice {in_a_row(self.rolled)}."


class TurnPassed(OpenEvent, frozen=True):
    """The turn passed to a seat."""

    rule, says = "nw.turn.order", "{seat} is next: turn {turn}, round {round}."
    seat: Seat
    turn: int
    round: int

    def change(self, world: World) -> World:
        return replace(world, active=self.seat, turn=self.turn, round=self.round, extra="", explored=False)


class OrderFellShort(OpenEvent, frozen=True):
    """An order was not carried out, or not in full."""

    rule, says = "nw.h2", "{seat}'s order fell short ({order}): {why}."
    seat: Seat
    order: str
    why: str
    by_rule: str


class PowerEliminated(OpenEvent, frozen=True):
    """A seat lost too much of its homeland and is out."""

    rule, did = "nw.victory.elimination", "drives {0.seat} out of the game"
    seat: Seat
    lost: int

    def change(self, world: World) -> World:
        power = world.powers[self.seat]
        gone = replace(power, stock=dict.fromkeys(RESOURCES, 0), fleets=0, armies=dict.fromkeys(REGIONS, 0), out=True)
        territories = tuple(replace(t, owner=None) if t.owner == self.seat else t for t in world.territories)
        offers = tuple(offer for offer in world.offers if self.seat not in (offer.maker, offer.to))
        return replace(world.with_power(gone), territories=territories, offers=offers)

    def sentence(self) -> str:
        lost = counted(self.lost, "territories")
        return f"{self.seat} has lost {lost} of its homeland and is out; everything it held is neutral now."


class GameEnded(OpenEvent, frozen=True):
    """The game is over."""

    rule = "nw.end.claimed"
    why: str
    winners: tuple[Seat, ...]
    by_rule: str

    def change(self, world: World) -> World:
        return replace(world, ended=self.why, active=None)

    def sentence(self) -> str:
        verb = "wins" if len(self.winners) == 1 else "share the win"
        return f"The game is over: {self.why}. {in_a_row(self.winners)} {verb}."


# ---------------------------------------------------------------- armies on the move and in battle


class ArmiesMoved(OpenEvent, frozen=True):
    """Armies were shipped from one Region to another."""

    rule = "nw.transport.move"
    seat: Seat
    amount: int
    origin: str
    target: str

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, armies={self.origin: -self.amount, self.target: self.amount})

    def sentence(self) -> str:
        return f"{self.seat} moves {counted(self.amount, 'armies')} from {self.origin} to {self.target}."


class AttackLaunched(OpenEvent, frozen=True):
    """An attack began. `foe` is a seat, `rebels` or `neutral`; no dice mean that it succeeds by itself.

    `strength` and `defence` list what rolls: (name, dice).
    """

    rule = "nw.war.attack"
    seat: Seat
    foe: str
    region: str
    strength: tuple[tuple[str, int], ...]
    defence: tuple[tuple[str, int], ...]

    def cites(self) -> str:
        return self.rule if self.defence else "nw.war.automatic"

    def sentence(self) -> str:
        opening = f"{self.seat} attacks {self.foe} in {self.region}"
        if not self.defence:
            return f"{opening} and meets no army: the attack succeeds by itself."
        ours, theirs = sum(n for _, n in self.strength), sum(n for _, n in self.defence)
        return (
            f"{opening}: {counted(ours, 'dice')} ({_listed(self.strength)}) "
            f"against {counted(theirs, 'dice')} ({_listed(self.defence)})."
        )


def _listed(strength: tuple[tuple[str, int], ...]) -> str:
    return in_a_row([f"{name} {number}" for name, number in strength])


class RebelsDestroyed(OpenEvent, frozen=True):
    """Revolutionary armies in a colony were destroyed."""

    rule = "nw.war.hits"
    number: int
    name: str
    amount: int
    left: int

    def change(self, world: World) -> World:
        return world.with_territory(replace(world.territory(self.number), rebels=self.left))

    def sentence(self) -> str:
        return f"{counted(self.amount, 'revolutionary armies')} in {self.name} destroyed; {self.left} left."


class TerritoryTaken(OpenEvent, frozen=True):
    """A territory changed hands; a revolt in it is over. `loser` None: it was neutral."""

    rule, did = "nw.war.capture", "takes {0.name}"
    seat: Seat
    number: int
    name: str
    loser: Seat | None
    rebels: bool = False

    def cites(self) -> str:
        return "nw.revolution.capture" if self.rebels else self.rule

    def change(self, world: World) -> World:
        return world.with_territory(replace(world.territory(self.number), owner=self.seat, rebels=None))

    def flows(self) -> Iterator[Flow]:
        yield Flow(f"{self.seat}: territories", 1)
        yield from [Flow(f"{self.loser}: territories", -1)] if self.loser else []

    def sentence(self) -> str:
        loser = "the rebels" if self.rebels else self.loser or "nobody"
        return f"{self.seat} takes {self.name} from {loser}."


class AttackBeaten(OpenEvent, frozen=True):
    """An attack took nothing."""

    did = "is beaten off by {0.foe}"
    rule, says = "nw.war.capture", "{seat}'s attack on {foe} in {region} takes nothing: {why}."
    seat: Seat
    foe: str
    region: str
    why: str


# ---------------------------------------------------------------- fortunes
# The effects of the event table, and the units lost by Upkeep and battle.


class EventCame(OpenEvent, frozen=True):
    """The Event Phase brought something, or nothing (`name` empty)."""

    rule = "nw.event.check"
    seat: Seat
    name: str = ""

    def deed(self) -> str:
        return f"meets {self.name}" if self.name else ""

    def cites(self) -> str:
        return f"nw.event.{self.name.lower()}" if self.name else self.rule

    def change(self, world: World) -> World:
        return replace(world, extra=self.name if self.name in ("Discovery", "Invention") else "")

    def sentence(self) -> str:
        return f"{self.seat} meets {self.name}." if self.name else f"{self.seat} has a quiet year: no event."


class ResourcesLost(OpenEvent, frozen=True):
    """A seat lost some of a resource; nothing when there was none."""

    rule = "nw.r2"
    seat: Seat
    resource: str
    amount: int
    why: str
    by_rule: str

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, {self.resource: -self.amount})

    def sentence(self) -> str:
        lost = counted(self.amount, self.resource) if self.amount else f"no {self.resource}, having none"
        return f"{self.seat} loses {lost} ({self.why})."


class ResourcesGained(OpenEvent, frozen=True):
    """A seat gained some of a resource by good fortune."""

    rule = "nw.event.prosperity"
    seat: Seat
    resource: str
    amount: int
    why: str

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, {self.resource: self.amount})

    def sentence(self) -> str:
        return f"{self.seat} gains {counted(self.amount, self.resource)} ({self.why})."


class GoldRobbed(OpenEvent, frozen=True):
    """Privateers took gold from an opponent."""

    rule, says = "nw.event.privateers", "{seat}'s privateers take {amount} gold from {victim}."
    seat: Seat
    victim: Seat
    amount: int

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, {"gold": self.amount})
        yield Gain(self.victim, {"gold": -self.amount})


class UnitsLost(OpenEvent, frozen=True):
    """A seat lost Fleets and Armies; none when there were none to lose."""

    rule = "nw.r2"
    seat: Seat
    fleets: int
    armies: dict[str, int]
    why: str
    by_rule: str

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, {}, -self.fleets, fewer({}, self.armies))

    def sentence(self) -> str:
        fleets = [counted(self.fleets, "fleets")] if self.fleets else []
        places = [region for region in REGIONS if self.armies.get(region)]
        armies = [f"{counted(self.armies[region], 'armies')} in {region}" for region in places]
        return f"{self.seat} loses {in_a_row([*fleets, *armies]) or 'nothing, having none'} ({self.why})."


class ColonyRevolted(OpenEvent, frozen=True):
    """Revolutionary armies rose in a colony, or joined those that stood there."""

    rule = "nw.revolution.armies"
    seat: Seat
    number: int
    name: str
    rebels: int

    def change(self, world: World) -> World:
        colony = world.territory(self.number)
        return world.with_territory(replace(colony, rebels=(colony.rebels or 0) + self.rebels))

    def sentence(self) -> str:
        return f"{self.name} ({self.seat}) revolts: {counted(self.rebels, 'revolutionary armies')} rise there."
