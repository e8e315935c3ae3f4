"""Units moved, carried, loaded and unloaded."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from referee.games.empire.events import OpenEvent
from referee.games.empire.position import Lot, Unit
from referee.games.empire.position.state import Booking, Empire
from referee.games.empire.reckoning.budget import fuel_of_move, fuel_of_stance
from referee.games.empire.reckoning.ownership import with_all_aboard
from referee.games.empire.rulebook import LYING
from referee.games.empire.rulebook.kinds import GOODS, OBJECT, in_bta, in_objects
from referee.kit.stock import Flow


def merged(lots: list[Lot]) -> tuple[Lot, ...]:
    """Equal lots as one, in order of first appearance."""
    numbers: dict[Lot, int] = {}
    for lot in lots:
        bare = replace(lot, number=0)
        numbers[bare] = numbers.get(bare, 0) + lot.number
    return tuple(replace(bare, number=number) for bare, number in numbers.items() if number)


def renewed(empire: Empire, countries: Collection[str]) -> Empire:
    """The 12 BTA of these countries' units and goods again, and their counts and drop tanks of last turn gone (II).

    A unit that moved this turn under another owner waits for his next turn (emp.P17).
    """
    mine = frozenset(n for n, unit in empire.units.items() if unit.country in countries)
    units = {n: _fresh(unit, empire.turn) if n in mine else unit for n, unit in empire.units.items()}
    lots = [replace(lot, spent=0, held=0) if _due(lot, countries, empire.turn) else lot for lot in empire.lots]
    others = empire.units.keys() - mine
    trails = {n: trail for n, trail in empire.trails.items() if n in others}
    handled = {key: n for key, n in empire.handled.items() if int(key.rpartition("/")[2]) in others}
    return replace(empire, units=units, lots=merged(lots), trails=trails, handled=handled)


def _due(lot: Lot, countries: Collection[str], turn: int) -> bool:
    return lot.country in countries and lot.held != turn


def _fresh(unit: Unit, turn: int) -> Unit:
    parts = tuple(part for part in unit.parts if part != "drop tank") if "drop tank" in unit.parts else unit.parts
    if unit.held == turn or (not unit.spent and not unit.held and parts is unit.parts):
        return unit
    return replace(unit, spent=0, held=0, parts=parts)


class UnitMoved(OpenEvent, frozen=True):
    """A unit went from square to square with all it carries; `cost` in thirtieths of a BTA.

    `keepers` are the coolies who manned the canals it passed.
    """

    rule = "emp.move.bta"
    unit: int
    kind: str
    country: str
    start: str
    way: tuple[str, ...]
    cost: int
    status: str = ""
    keepers: tuple[int, ...] = ()

    def sentence(self) -> str:
        through = f" through {', '.join(self.way[:-1])}" if len(self.way) > 1 else ""
        docked = {"dock": ", into dock", "air": " by air"}.get(self.status, "")
        went = f"{self.country}'s {self.kind} {self.unit} went from {self.start} to {self.way[-1]}{through}{docked}"
        return f"{went}: {in_bta(self.cost)} BTA."

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return fuel_of_move(empire, self.unit, self.cost)

    def change(self, empire: Empire) -> Empire:
        unit = empire.units.get(self.unit)
        if unit is None:
            return empire
        group, target = with_all_aboard(empire, unit), self.way[-1]
        units, trails = dict(empire.units), dict(empire.trails)
        for number in group:
            old = units[number]
            units[number] = replace(old, at=target, spent=old.spent + self.cost)
            trails[number] = (*(trails.get(number) or (self.start,)), *self.way)
        units[self.unit] = replace(units[self.unit], status=self.status, aboard=0)
        kept = {f"canal {empire.units[n].at}/{n}": 1 for n in self.keepers if n in empire.units}
        handled = {**empire.handled, **kept} if kept else empire.handled
        return replace(empire, units=units, trails=trails, lots=self._carried(empire, group), handled=handled)

    def _carried(self, empire: Empire, group: tuple[int, ...]) -> tuple[Lot, ...]:
        if not any(lot.aboard in group for lot in empire.lots):
            return empire.lots
        target = self.way[-1]
        return merged(
            [
                replace(lot, at=target, spent=lot.spent + self.cost) if lot.aboard in group else lot
                for lot in empire.lots
            ]
        )


_CITED = {
    "dived": "emp.move.submarine", "surfaced": "emp.move.submarine", "took off": "emp.move.airport",
    "landed": "emp.move.airport", "went on patrol": "emp.H-31", "beached": "emp.move.beach",
    "put to sea": "emp.move.beach", "was stored": "emp.C5", "was brought out": "emp.C5",
}  # fmt: skip


class StatusChanged(OpenEvent, frozen=True):
    """A unit docked, beached, put to sea, dived, surfaced, landed, took off, was stored or brought out.

    `berth` is the dock or airport used, for the limits of a turn, and the room used there in sixtieths.
    """

    rule = "emp.C4"
    says = "{country}'s {kind} {unit} {did} in {at}."
    unit: int
    kind: str
    country: str
    at: str
    status: str
    did: str
    berth: str = ""
    room: int = 0

    def cites(self) -> str:
        return _CITED.get(self.did, self.rule)

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        return fuel_of_stance(empire, self.unit, self.status)

    def change(self, empire: Empire) -> Empire:
        unit = empire.units.get(self.unit)
        if unit is None:
            return empire
        handled = {**empire.handled, self.berth: self.room} if self.berth else empire.handled
        aboard = 0 if self.status == "air" else unit.aboard
        return replace(empire.with_unit(replace(unit, status=self.status, aboard=aboard)), handled=handled)


class WindRolled(OpenEvent, frozen=True):
    """The wind blows towards a direction for the rest of the slot."""

    rule = "emp.move.wind"
    says = "The wind blows towards {wind}."
    wind: str

    def change(self, empire: Empire) -> Empire:
        return replace(empire, wind=self.wind)


class DropTankUsed(OpenEvent, frozen=True):
    """A plane hung a drop tank on and flies at a third of a BTA a border this turn; the tank is used up."""

    rule = "emp.move.drop-tank"
    says = "{lot.country}'s {kind} {unit} uses a drop tank."
    unit: int
    kind: str
    lot: Lot

    def change(self, empire: Empire) -> Empire:
        unit = empire.units.get(self.unit)
        if unit is None:
            return empire
        lighter = empire.with_lot(replace(self.lot, number=-1))
        return lighter.with_unit(replace(unit, parts=(*unit.parts, "drop tank")))

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.lot.country} drop tank", -1),)


class OilPumped(OpenEvent, frozen=True):
    """Oil went through a pipeline, at 1 BTA a border."""

    rule = "emp.move.pipeline"
    lot: Lot
    to: Lot

    def sentence(self) -> str:
        cost = in_bta(self.to.spent - self.lot.spent)
        return f"{self.lot.country} pumped {self.lot.number} O from {self.lot.at} to {self.to.at}: {cost} BTA."

    def change(self, empire: Empire) -> Empire:
        return empire.with_lot(replace(self.lot, number=-self.lot.number)).with_lot(self.to)


class AircraftCrashed(OpenEvent, frozen=True):
    """A plane that may not stay in the air over the end of a turn crashed with all aboard."""

    rule = "emp.move.aloft"
    says = "{country}'s {kind} {unit} was still in the air over {at} and crashed."
    unit: int
    kind: str
    country: str
    at: str
    lost: tuple[tuple[int, str, str], ...]
    goods: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        for number, _, _ in self.lost:
            empire = empire.without_unit(number)
        for lot in self.goods:
            empire = empire.with_lot(replace(lot, number=-lot.number))
        return empire

    def flows(self) -> tuple[Flow, ...]:
        units = tuple(Flow(f"{country} {kind}", -1) for _, kind, country in self.lost)
        return units + tuple(Flow(f"{lot.country} {lot.what}", -lot.number) for lot in self.goods)


# ---------------------------------------------------------------- events of cargo
# Goods and units taken aboard, put off and towed; goods lost for want of room.


_Count = tuple[tuple[str, int], ...]
"""The addition to the counts of this turn (`Empire.handled`)."""


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
        each = f", {OBJECT // GOODS['food']} food being one" if lot.what == "food" else ""
        room = f"only {in_objects(LYING)} units may lie there without a warehouse{each}"
        return f"{lot.country} lost {lot.number} {lot.what} in {lot.at}: {room}."

    def change(self, empire: Empire) -> Empire:
        return empire.with_lot(replace(self.lot, number=-self.lot.number))

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.lot.country} {self.lot.what}", -self.lot.number),)
