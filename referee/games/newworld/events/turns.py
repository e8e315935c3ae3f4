"""Set-up, the passing of the turn, orders that fell short, elimination, the end."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.newworld.events.base import OpenEvent
from referee.games.newworld.position.state import World, power_of
from referee.games.newworld.rulebook.tables import EUROPE, REGIONS, RESOURCES, Holdings, former_start
from referee.kit.ledger import Flow
from referee.kit.wording import counted, in_a_row


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
        """What the seat starts with, wherever that is said."""
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
        return f"{self.seat} has lost {lost} of its homeland and is out; what it held is neutral now."


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
