"""What the event table does, and what Upkeep and battle cost in units."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.newworld.events.base import Gain, OpenEvent
from referee.games.newworld.position.state import World
from referee.games.newworld.rulebook.tables import REGIONS
from referee.kit.stock import fewer
from referee.kit.wording import counted, in_a_row


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
