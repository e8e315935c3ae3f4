"""Sheets of what is where: a, Military Location; b, City; g, h and j, things in no city, factories outside cities, lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from referee.core.page import Cell, Grid, Sheet
from referee.games.empire.events.course import PicksAppeared
from referee.games.empire.events.work import LineLaid
from referee.games.empire.position import City, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import in_city, parts_of
from referee.games.empire.rulebook.kinds import KINDS
from referee.games.empire.rulebook.plans import NINE, PLANS
from referee.games.empire.telling.sheets.slots import (
    ARMS,
    Slot,
    counts_in_words,
    is_military,
    numbers_in_words,
    where_of,
)
from referee.kit.stock import gathered

_BRANCHES = (("Land forces", ("land", "hauled")), ("Navy", ("naval",)), ("Air force", ("air",)))
_COLUMNS = ("Unit", "Number", "Square", "Where", "Made of", "Carries")


def military_sheet(empire: Empire, country: str) -> Sheet:
    """Rulebook I.I a."""
    units = [unit for unit in empire.units_of(country) if is_military(unit)]
    grids = [
        Grid(_COLUMNS, tuple(_row(empire, u) for u in units if KINDS[u.kind].category in categories), caption)
        for caption, categories in _BRANCHES
    ]
    arms = tuple((lot.what, lot.number, lot.at, where_of(empire, lot)) for lot in empire.lots
                 if lot.country == country and lot.what in ARMS)  # fmt: skip
    grids.append(
        Grid(("What", "Number", "Square", "Where"), arms, "Weapons, munitions and guns that are not installed")
    )
    carriers = tuple(_row(empire, unit) for unit in carriers_of_arms(empire, country))
    grids.append(Grid(_COLUMNS, carriers, "Ships, planes and vehicles that carry any of these"))
    return Sheet("a", f"{country}: a. Military Location", tuple(grids))


def carriers_of_arms(empire: Empire, country: str) -> tuple[Unit, ...]:
    """Units that are no military themselves but carry some, or weapons, directly or inside another carrier."""
    armed = [unit.aboard for unit in empire.units.values() if unit.aboard and is_military(unit)]
    armed += [lot.aboard for lot in empire.lots if lot.aboard and lot.what in ARMS]
    for number in armed:  # grows as it goes: what carries a carrier carries the arms too
        if number in empire.units and empire.units[number].aboard:
            armed.append(empire.units[number].aboard)
    numbers = sorted(dict.fromkeys(armed))
    found = [empire.units[number] for number in numbers if number in empire.units]
    return tuple(unit for unit in found if unit.country == country and not is_military(unit))


def _row(empire: Empire, unit: Unit) -> tuple[Cell, ...]:
    parts = counts_in_words(gathered(parts_of(unit)).items())
    return (unit.kind, unit.number, unit.at, where_of(empire, unit), parts, ", ".join(_load(empire, unit)))


def _load(empire: Empire, unit: Unit) -> Iterator[str]:
    for lot in empire.lots:
        if lot.aboard == unit.number:
            yield f"{lot.number} {lot.what}"
    for other in empire.units.values():
        if other.aboard == unit.number:
            yield f"{other.kind} {other.number}"


FOOD = ("farm", "fish")
"""The worked things that are no resource."""


def city_sheet(empire: Empire, country: str) -> Sheet:
    """Rulebook I.I b."""
    cities = [city for city in empire.cities.values() if city.country == country]
    grids = (
        Grid(_CITY, tuple(_city(empire, city) for city in cities), "Cities"),
        Grid(("City", "Factory", "Turn built"), tuple(_factories(cities)), "Factories in cities"),
        Grid(("City", "What", "Number", "Which"), tuple(_contents(empire, country)), "In the cities"),
        Grid(("Square", "Resource", "Worked as", "By", "Since turn"), tuple(_resources(empire, country)),
             "Developed resource squares"),
    )  # fmt: skip
    note = "Military units and weapons stand on sheet a. A ship or plane in a city's square is not always in the city."
    return Sheet("b", f"{country}: b. City", grids, None, (note,))


_CITY = ("City", "Square", "Founded in turn", "Docks", "Airports", "Warehouses", "Minor squares filled")


def _city(empire: Empire, city: City) -> tuple[Cell, ...]:
    works = {"dock": city.docks, "airport": city.airports, "warehouse": city.warehouses}
    filled = sum(PLANS[what].squares * number for what, number in works.items())
    filled += sum(PLANS[factory.kind].squares if factory.kind in PLANS else 1 for factory in city.factories)
    filled += sum(w.at == city.at and w.kind not in FOOD for w in empire.worked)
    name = f"{city.name} (capital)" if city.capital else city.name
    return (name, city.at, city.built, *works.values(), f"{filled} of {NINE}")


def _factories(cities: list[City]) -> Iterator[tuple[Cell, ...]]:
    for city in cities:
        for factory in city.factories:
            yield city.name, factory.kind, factory.built


def _contents(empire: Empire, country: str) -> Iterator[tuple[Cell, ...]]:
    """Goods by kind and units by kind, city by city; the country's own, in whosever city they are."""
    carriers = [unit.number for unit in carriers_of_arms(empire, country)]
    for city in empire.cities.values():
        goods: dict[str, int] = {}
        for lot in empire.lots:
            if lot.at == city.at and lot.country == country and lot.what not in ARMS and in_city(empire, lot):
                goods[lot.what] = goods.get(lot.what, 0) + lot.number
        yield from ((city.name, what, number, "") for what, number in goods.items())
        kinds: dict[str, list[int]] = {}
        for unit in empire.units_at(city.at):
            own = unit.country == country and not is_military(unit) and unit.number not in carriers
            if own and in_city(empire, unit):
                kinds.setdefault(unit.kind, []).append(unit.number)
        yield from ((city.name, kind, len(found), numbers_in_words(found)) for kind, found in kinds.items())


def _resources(empire: Empire, country: str) -> Iterator[tuple[Cell, ...]]:
    for worked in empire.worked:
        if worked.country == country and worked.kind not in FOOD:
            unit = empire.units.get(worked.unit)
            by = f"{unit.kind} {unit.number}" if unit and unit.kind in KINDS else ""
            yield worked.at, worked.kind, GRADES[min(worked.grade, 3)], by, worked.since


GRADES = ("", "single", "double", "triple")
"""The grade of a resource in words."""


# ---------------------------------------------------------------- g


def items_sheet(empire: Empire, country: str) -> Sheet:
    """Rulebook I.I g: everything that stands on no other sheet; military items never do."""
    grids = (
        Grid(("What", "Number", "Which", "Square", "Where"), tuple(_units(empire, country)), "Units"),
        Grid(("What", "Number", "Square", "Where"), tuple(_goods(empire, country)), "Goods"),
        Grid(
            ("Square", "Food and resources", "Worked by"),
            tuple(_workers(empire, country)),
            "At work on squares outside cities",
        ),
        Grid(("Work", "What", "Square", "By", "Turns left"), tuple(_works(empire, country)), "Works under way"),
    )
    return Sheet("g", f"{country}: g. Items Not Listed Elsewhere", grids)


def _units(empire: Empire, country: str) -> Iterator[tuple[Cell, ...]]:
    """Units of a kind that are in one place and one state together."""
    elsewhere = [unit.number for unit in carriers_of_arms(empire, country)]
    elsewhere += [worked.unit for worked in empire.worked]
    found: dict[tuple[str, str, str], list[int]] = {}
    for unit in empire.units_of(country):
        if not (is_military(unit) or unit.number in elsewhere or in_city(empire, unit)):
            found.setdefault((unit.kind, unit.at, where_of(empire, unit)), []).append(unit.number)
    for (kind, at, where), numbers in found.items():
        yield kind, len(numbers), numbers_in_words(numbers), at, where


def _goods(empire: Empire, country: str) -> Iterator[tuple[Cell, ...]]:
    found: dict[tuple[str, str, str], int] = {}
    for lot in empire.lots:
        if lot.country == country and lot.what not in ARMS and not in_city(empire, lot):
            place = (lot.what, lot.at, where_of(empire, lot))
            found[place] = found.get(place, 0) + lot.number
    for (what, at, where), number in found.items():
        yield what, number, at, where


def _workers(empire: Empire, country: str) -> Iterator[tuple[Cell, ...]]:
    """Coolies, fishing ships and oil tankers at work, each once; those in cities and military ships stand elsewhere."""
    carriers = [unit.number for unit in carriers_of_arms(empire, country)]
    kinds: dict[int, list[str]] = {}
    for worked in empire.worked:
        kinds.setdefault(worked.unit, []).append(worked.kind)
    for number, worked_kinds in kinds.items():
        unit = empire.units.get(number)
        if unit is not None and unit.country == country and number not in carriers and not in_city(empire, unit):
            yield unit.at, ", ".join(worked_kinds), f"{unit.kind} {number}"


def _works(empire: Empire, country: str) -> Iterator[tuple[Cell, ...]]:
    for work in empire.works:
        if work.country == country:
            unit = empire.units.get(work.unit)
            what = f"{work.what}: {work.detail}" if work.detail else work.what
            yield work.number, what, work.at, f"{unit.kind} {unit.number}" if unit else "", work.left


# ---------------------------------------------------------------- h


def permanent_sheet(slots: Sequence[Slot], empire: Empire, country: str) -> Sheet:
    """Rulebook I.I h: whoever built a factory outside cities, or seized it, owns it."""
    rows = tuple(
        (at, factory.kind, factory.built)
        for at, factories in empire.factories.items()
        for factory in factories
        if factory.country == country
    )
    grid = Grid(("Square", "What", "Turn built"), rows, "Factories and installations outside cities")
    return Sheet("h", f"{country}: h. Permanent Items Not Listed", (grid,))


# ---------------------------------------------------------------- j

_PLACE = re.compile(r"(c\d+r\d+)([NEQSWP]?)")


def lines_sheet(slots: Sequence[Slot], empire: Empire, country: str) -> Sheet:
    """Rulebook I.I j: what the country laid and still lies, square by square with the sides it leads to."""
    found: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for what, place, turn in _laid(slots, country):
        named = _PLACE.fullmatch(place)
        if named and what in empire.lines.get(place, ()):
            found.setdefault((what, named[1]), []).append((named[2] or "the square", turn))
    rows = tuple(
        (what, at, ", ".join(dict.fromkeys(side for side, _ in sides)), max(turn for _, turn in sides))
        for (what, at), sides in found.items()
    )
    grid = Grid(("What", "Square", "Towards", "Turn built"), rows, "Laid and lying")
    return Sheet("j", f"{country}: j. Road, Railroad, Power Line, Pipeline and Canal", (grid,))


def _laid(slots: Sequence[Slot], country: str) -> Iterator[tuple[str, str, int]]:
    for slot in slots:
        for event in slot.events:
            match event:
                case LineLaid() if event.country == country:
                    yield from ((event.what, place, slot.turn) for place in event.places)
                case PicksAppeared() if event.country == country:
                    yield from ((what, place, slot.turn) for place, what in event.lines)
