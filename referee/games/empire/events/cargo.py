"""Events of cargo: goods and units taken aboard, put off and towed; goods lost for want of room."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.empire.events.base import OpenEvent
from referee.games.empire.position.pieces import Lot
from referee.games.empire.position.state import Empire
from referee.kit.ledger import Flow

_Count = tuple[tuple[str, int], ...]
"""What is added to the counts of this turn (`Empire.handled`)."""


def _counted(empire: Empire, counts: _Count) -> Empire:
    handled = dict(empire.handled)
    for key, number in counts:
        handled[key] = handled.get(key, 0) + number
    return replace(empire, handled=handled) if counts else empire


def _shifted(empire: Empire, lot: Lot, to: Lot) -> Empire:
    return empire.with_lot(replace(lot, number=-lot.number)).with_lot(to)


class GoodsLoaded(OpenEvent, frozen=True):
    """Goods were taken aboard a unit."""

    rule = "emp.L1"
    carrier: int
    kind: str
    lot: Lot
    counts: _Count = ()

    def sentence(self) -> str:
        lot = self.lot
        return f"{lot.country} took {lot.number} {lot.what} aboard {self.kind} {self.carrier} in {lot.at}."

    def change(self, empire: Empire) -> Empire:
        return _counted(_shifted(empire, self.lot, replace(self.lot, inside="", aboard=self.carrier)), self.counts)


class GoodsUnloaded(OpenEvent, frozen=True):
    """Goods were put off a unit, into the square, its city or its warehouse."""

    rule = "emp.L1"
    carrier: int
    kind: str
    lot: Lot
    into: str = ""
    counts: _Count = ()

    def sentence(self) -> str:
        lot, where = self.lot, f"the {self.into} of " if self.into else ""
        return f"{lot.country} put {lot.number} {lot.what} off {self.kind} {self.carrier} into {where}{lot.at}."

    def change(self, empire: Empire) -> Empire:
        return _counted(_shifted(empire, self.lot, replace(self.lot, inside=self.into, aboard=0)), self.counts)


class UnitBoarded(OpenEvent, frozen=True):
    """A unit went aboard another, or was taken in tow by it."""

    rule = "emp.L1"
    unit: int
    kind: str
    country: str
    carrier: int
    carrier_kind: str
    tow: bool = False
    counts: _Count = ()

    def sentence(self) -> str:
        did = "was taken in tow by" if self.tow else "went aboard"
        return f"{self.country}'s {self.kind} {self.unit} {did} {self.carrier_kind} {self.carrier}."

    def cites(self) -> str:
        return "emp.move.tow" if self.tow else self.rule

    def change(self, empire: Empire) -> Empire:
        unit = empire.units.get(self.unit)
        if unit is None:
            return empire
        return _counted(empire.with_unit(replace(unit, aboard=self.carrier, status="")), self.counts)


class UnitLeft(OpenEvent, frozen=True):
    """A unit left its carrier, in the same square; `status` is what it is now, such as in the air."""

    rule = "emp.L1"
    says = "{country}'s {kind} {unit} left {carrier_kind} {carrier} in {at}."
    unit: int
    kind: str
    country: str
    carrier: int
    carrier_kind: str
    at: str
    status: str = ""
    counts: _Count = ()

    def change(self, empire: Empire) -> Empire:
        unit = empire.units.get(self.unit)
        if unit is None:
            return empire
        return _counted(empire.with_unit(replace(unit, aboard=0, status=self.status)), self.counts)


class GoodsSpoiled(OpenEvent, frozen=True):
    """Goods beyond the room of a square without warehouse were lost at the end of a turn."""

    rule = "emp.C6"
    lot: Lot

    def sentence(self) -> str:
        lot = self.lot
        each = ", five food being one" if lot.what == "food" else ""
        room = f"only five units may lie there without a warehouse{each}"
        return f"{lot.country} lost {lot.number} {lot.what} in {lot.at}: {room}."

    def change(self, empire: Empire) -> Empire:
        return empire.with_lot(replace(self.lot, number=-self.lot.number))

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.lot.country} {self.lot.what}", -self.lot.number),)
