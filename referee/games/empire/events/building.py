"""Works, cities, lines, scrapping and destruction."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.supply import stored, withdrawn
from referee.games.empire.plans import PLANS, a
from referee.games.empire.state import City, Empire, Factory, Lot, Position, Unit, Work
from referee.kit.ledger import Flow
from referee.kit.wording import in_a_row

__all__ = [
    "EVENTS",
    "BuildingGone",
    "CityFilled",
    "CityFounded",
    "CityGone",
    "GoodsDestroyed",
    "LineLaid",
    "LoadPutDown",
    "MaterialsUsed",
    "SalvageAppeared",
    "UnitDestroyed",
    "VehicleBuilt",
    "WorkDropped",
    "WorkFinished",
    "WorkHalted",
    "WorkOrdered",
    "WorkWent",
    "with_building",
    "without_building",
]

_COUNTED = {"dock": "docks", "airport": "airports", "warehouse": "warehouses"}


def with_building(empire: Empire, at: Position, what: str, turn: int) -> Empire:
    """The position with a factory, dock, airport, warehouse or installation more in a square."""
    city = empire.city_at(at)
    if city is None:
        return replace(empire, factories={**empire.factories, at: (*empire.factories.get(at, ()), Factory(what, turn))})
    if what in _COUNTED:
        return empire.with_city(_counting(city, what, 1))
    return empire.with_city(replace(city, factories=(*city.factories, Factory(what, turn))))


def without_building(empire: Empire, at: Position, what: str) -> Empire:
    """The position with the newest such building of a square gone."""
    city = empire.city_at(at)
    if city is None:
        left = _fewer(empire.factories.get(at, ()), what)
        others = {square: factories for square, factories in empire.factories.items() if square != at}
        return replace(empire, factories={**others, at: left} if left else others)
    if what in _COUNTED:
        return empire.with_city(_counting(city, what, -1))
    return empire.with_city(replace(city, factories=_fewer(city.factories, what)))


def _fewer(factories: tuple[Factory, ...], what: str) -> tuple[Factory, ...]:
    found = [n for n, factory in enumerate(factories) if factory.kind == what]
    return tuple(f for n, f in enumerate(factories) if not found or n != found[-1])


def _counting(city: City, what: str, change: int) -> City:
    match what:
        case "dock":
            return replace(city, docks=max(0, city.docks + change))
        case "airport":
            return replace(city, airports=max(0, city.airports + change))
        case _:
            return replace(city, warehouses=max(0, city.warehouses + change))


def _flows(lots: tuple[Lot, ...], sign: int) -> tuple[Flow, ...]:
    return tuple(Flow(f"{lot.country} {lot.what}", sign * lot.number) for lot in lots)


def _goods(lots: tuple[Lot, ...]) -> str:
    total: dict[str, int] = {}
    for lot in lots:
        total[lot.what] = total.get(lot.what, 0) + lot.number
    return in_a_row([f"{number} {what}" for what, number in total.items()]) or "nothing"


def _booked(cost: int, edu: int) -> str:
    return f" (cost {cost}, EDU {edu})" if cost or edu else ""


# ---------------------------------------------------------------- works


class WorkOrdered(OpenEvent, frozen=True):
    """A coolie was told to build, scrap or destroy over the end of the turn; or to go on with an unfinished work."""

    rule: ClassVar[str] = "emp.board.construction"
    work: Work

    def change(self, empire: Empire) -> Empire:
        others = tuple(work for work in empire.works if work.number != self.work.number)
        return replace(empire, works=(*others, self.work), next_work=max(empire.next_work, self.work.number + 1))

    def sentence(self) -> str:
        work = self.work
        doing = work.what if work.what.startswith(("scrap ", "destroy ")) else f"build {a(work.what)}"
        where = f"along {work.detail}" if work.detail and work.what != "city" else f"in {work.at}"
        return f"Coolie {work.unit} of {work.country} is to {doing} {where}."


class MaterialsUsed(OpenEvent, frozen=True):
    """The materials of a work went into it, at the end of its first turn."""

    rule: ClassVar[str] = "emp.board.construction"
    country: str
    number: int
    what: str
    at: Position
    lots: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        works = tuple(replace(w, begun=empire.turn) if w.number == self.number else w for w in empire.works)
        return replace(withdrawn(empire, self.lots), works=works)

    def flows(self) -> tuple[Flow, ...]:
        return _flows(self.lots, -1)

    def sentence(self) -> str:
        return f"The {self.what} in {self.at} takes {_goods(self.lots)} of {self.country}."


class WorkWent(OpenEvent, frozen=True):
    """A work of several turns went on."""

    rule: ClassVar[str] = "emp.board.construction"
    number: int
    what: str
    at: Position
    left: int

    def change(self, empire: Empire) -> Empire:
        works = tuple(replace(w, left=self.left) if w.number == self.number else w for w in empire.works)
        return replace(empire, works=works)

    def sentence(self) -> str:
        return f"The {self.what} in {self.at} needs {self.left} more turn{'s' if self.left > 1 else ''}."


class WorkHalted(OpenEvent, frozen=True):
    """A work stood still this turn; it can go on later."""

    rule: ClassVar[str] = "emp.board.construction"
    number: int
    what: str
    at: Position
    why: str

    def sentence(self) -> str:
        return f"The {self.what} in {self.at} stands still: {self.why}."


class WorkDropped(OpenEvent, frozen=True):
    """A work that had not begun was dropped."""

    rule: ClassVar[str] = "emp.board.construction"
    number: int
    what: str
    at: Position
    why: str

    def change(self, empire: Empire) -> Empire:
        return _without(empire, self.number)

    def sentence(self) -> str:
        return f"{self.what[0].upper()}{self.what[1:]} in {self.at} is dropped: {self.why}."


def _without(empire: Empire, number: int) -> Empire:
    return replace(empire, works=tuple(work for work in empire.works if work.number != number))


class WorkFinished(OpenEvent, frozen=True):
    """A building or city was finished; its cost and EDU are booked."""

    rule: ClassVar[str] = "emp.H-12"
    country: str
    number: int
    what: str
    at: Position
    cost: int
    edu: int
    name: str = ""

    def change(self, empire: Empire) -> Empire:
        empire = _without(empire, self.number)
        if self.what == "city":
            return _founded(empire, self.country, self.at, self.name)
        return with_building(empire, self.at, self.what, empire.turn)

    def sentence(self) -> str:
        named = f" {self.name}" if self.name else ""
        return f"{self.country} has built {a(self.what)}{named} in {self.at}{_booked(self.cost, self.edu)}."


class VehicleBuilt(OpenEvent, frozen=True):
    """A cargo ship or plane was scratch-built; a ship lies on the beach."""

    rule: ClassVar[str] = "emp.H-21"
    country: str
    number: int
    kind: str
    unit: int
    at: Position
    status: str = ""

    def change(self, empire: Empire) -> Empire:
        new = Unit(self.unit, self.kind, self.country, self.at, status=self.status, since=empire.turn)
        return _without(empire, self.number).with_unit(new)

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.country} {self.kind}", 1),)

    def sentence(self) -> str:
        return f"{self.country} has scratch-built {self.kind} {self.unit} in {self.at}."


class LineLaid(OpenEvent, frozen=True):
    """Road, railroad, power line, pipeline, canal, bridge or the like was laid on these borders or squares."""

    rule: ClassVar[str] = "emp.board.lines"
    country: str
    number: int
    what: str
    places: tuple[str, ...]
    cost: int = 0
    edu: int = 0

    def change(self, empire: Empire) -> Empire:
        new = {place: (*empire.lines.get(place, ()), self.what) for place in self.places}
        return replace(_without(empire, self.number), lines={**empire.lines, **new})

    def sentence(self) -> str:
        return f"{self.country} has built {self.what} at {', '.join(self.places)}{_booked(self.cost, self.edu)}."


class LoadPutDown(OpenEvent, frozen=True):
    """A coolie who runs a construction machine put down what he carried, on the square or aboard `carrier`."""

    rule: ClassVar[str] = "emp.C6"
    country: str
    unit: int
    at: Position
    lots: tuple[Lot, ...]
    carrier: int = 0

    def change(self, empire: Empire) -> Empire:
        down = tuple(replace(lot, aboard=self.carrier) for lot in self.lots)
        return stored(withdrawn(empire, self.lots), down)

    def sentence(self) -> str:
        return f"Coolie {self.unit} of {self.country} puts down {_goods(self.lots)} in {self.at}."


# ---------------------------------------------------------------- cities


def _founded(empire: Empire, country: str, at: Position, name: str) -> Empire:
    """A city more; what stood alone on its square is now part of it."""
    standing = empire.factories.get(at, ())
    others = {square: factories for square, factories in empire.factories.items() if square != at}
    city = City(name, at, country, empire.turn, factories=standing)
    sites = tuple(site for site in empire.sites if site != at)
    return replace(empire.with_city(city), factories=others, sites=sites)


class CityFounded(OpenEvent, frozen=True):
    """A colony was planted: a city at once, for no cost (III A, H-21)."""

    rule: ClassVar[str] = "emp.C2"
    country: str
    at: Position
    name: str
    piece: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        return _founded(withdrawn(empire, self.piece), self.country, self.at, self.name)

    def flows(self) -> tuple[Flow, ...]:
        return _flows(self.piece, -1)

    def sentence(self) -> str:
        return f"{self.country} founds {self.name} in {self.at}."


class CityFilled(OpenEvent, frozen=True):
    """A minor square of a new city was filled with a dock, an airport or a warehouse, for nothing."""

    rule: ClassVar[str] = "emp.C1"
    country: str
    city: str
    at: Position
    what: str

    def change(self, empire: Empire) -> Empire:
        return with_building(empire, self.at, self.what, empire.turn)

    def sentence(self) -> str:
        return f"{self.country} fills {PLANS[self.what].squares} of {self.city}'s minor squares: {a(self.what)}."


class CityGone(OpenEvent, frozen=True):
    """A city was destroyed; its square remains a reproductive site."""

    rule: ClassVar[str] = "emp.C2"
    country: str
    name: str
    at: Position
    number: int = 0

    def change(self, empire: Empire) -> Empire:
        cities = {name: city for name, city in empire.cities.items() if name != self.name}
        lots = tuple(replace(lot, inside="") if lot.at == self.at and not lot.aboard else lot for lot in empire.lots)
        bare = replace(_without(empire, self.number), cities=cities, lots=(), sites=(*empire.sites, self.at))
        return stored(bare, lots)

    def sentence(self) -> str:
        return f"{self.country} destroys the city {self.name} in {self.at}."


# ---------------------------------------------------------------- scrapping and destruction


class BuildingGone(OpenEvent, frozen=True):
    """A building was scrapped or destroyed; what scrapping saves appears at the beginning of the next turn."""

    country: str
    number: int
    what: str
    at: Position
    how: str
    saved: dict[str, int] = {}
    cost: int = 0
    edu: int = 0

    def cites(self) -> str:
        return "emp.board.scrapping" if self.how == "scrapped" else "emp.board.destruction"

    def change(self, empire: Empire) -> Empire:
        empire = without_building(_without(empire, self.number), self.at, self.what)
        if not self.saved:
            return empire
        detail = ", ".join(f"{number} {what}" for what, number in self.saved.items())
        left = Work(self.number, "salvage", self.at, self.country, 0, 0, detail, empire.turn)
        return replace(empire, works=(*empire.works, left))

    def sentence(self) -> str:
        return (
            f"{a(self.what).capitalize()} in {self.at} is {self.how} by {self.country}{_booked(self.cost, self.edu)}."
        )


class SalvageAppeared(OpenEvent, frozen=True):
    """What was saved of a scrapped building lies on its site."""

    rule: ClassVar[str] = "emp.board.scrapping"
    country: str
    number: int
    at: Position
    lots: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        return stored(_without(empire, self.number), self.lots)

    def flows(self) -> tuple[Flow, ...]:
        return _flows(self.lots, 1)

    def sentence(self) -> str:
        return f"From what was scrapped in {self.at}, {self.country} has {_goods(self.lots)} back."


class UnitDestroyed(OpenEvent, frozen=True):
    """A vehicle, ship or plane was destroyed, with the goods aboard."""

    rule: ClassVar[str] = "emp.board.destruction"
    country: str
    number: int
    kind: str
    at: Position
    how: str
    lost: tuple[Lot, ...] = ()

    def change(self, empire: Empire) -> Empire:
        return withdrawn(empire, self.lost).without_unit(self.number)

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.country} {self.kind}", -1), *_flows(self.lost, -1))

    def sentence(self) -> str:
        lost = f" with {_goods(self.lost)}" if self.lost else ""
        return f"{self.kind} {self.number} of {self.country} {self.how} in {self.at}{lost}."


class GoodsDestroyed(OpenEvent, frozen=True):
    """Goods were burnt or thrown into water."""

    rule: ClassVar[str] = "emp.board.destruction"
    country: str
    at: Position
    how: str
    lots: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        return withdrawn(empire, self.lots)

    def flows(self) -> tuple[Flow, ...]:
        return _flows(self.lots, -1)

    def sentence(self) -> str:
        return f"{_goods(self.lots)} of {self.country} in {self.at} {self.how}."


EVENTS: tuple[type[OpenEvent], ...] = (
    BuildingGone,
    CityFilled,
    CityFounded,
    CityGone,
    GoodsDestroyed,
    LineLaid,
    LoadPutDown,
    MaterialsUsed,
    SalvageAppeared,
    UnitDestroyed,
    VehicleBuilt,
    WorkDropped,
    WorkFinished,
    WorkHalted,
    WorkOrdered,
    WorkWent,
)
"""Every event class of this module."""
