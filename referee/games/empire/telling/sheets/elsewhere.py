"""Sheets g, h and j: things in no city, factories outside cities, and roads, rails, lines, pipes, canals and bridges."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from referee.core.page import Cell, Grid, Sheet
from referee.games.empire.events.opening import PicksAppeared
from referee.games.empire.events.work.building import LineLaid
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import in_city
from referee.games.empire.telling.sheets.military import carriers_of_arms
from referee.games.empire.telling.sheets.naming import ARMS, is_military, numbers_in_words, where_of
from referee.games.empire.telling.sheets.slots import Slot

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
