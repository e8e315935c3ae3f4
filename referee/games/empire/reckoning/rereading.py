"""What it changes that a doubtful line is read in another way: where units are now, never what was given, built or rolled."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from referee.games.empire.position.countries import Doubtful
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import with_all_aboard


def moved_since(empire: Empire, doubtful: Doubtful) -> Unit | int | None:
    """A unit of a line that is not where the line left it: later orders show which was meant. A number: one that is gone."""
    for number, at, aboard in () if doubtful.ways else doubtful.stood:
        unit = empire.units.get(number)
        if unit is None:
            return number
        if (unit.at, unit.aboard) != (at, aboard) or empire.countries[unit.country].owner != doubtful.seat:
            return unit
    return None


def read_as(empire: Empire, doubtful: Doubtful, reading: int) -> Empire:
    """The position with the line read so (from 1): other units obeyed it, or they went another way (emp.P23)."""
    before, after = doubtful.taken - 1, reading - 1
    if doubtful.ways:
        return _rerouted(empire, doubtful.units[before], doubtful.ways[before], doubtful.ways[after])
    if not doubtful.units:
        return empire
    old, new = doubtful.units[before], doubtful.units[after]
    stay = [number for number in old if number not in new]
    go = [number for number in new if number not in old]
    for one, other in zip(stay, go, strict=True):
        empire = _exchanged(empire, one, other)
    # Squares whose worker had left in this reading were not invested in: they give nothing next turn.
    numbers = (*stay, *go)
    worked = tuple(
        replace(w, invested=w.invested - 1) if w.unit in numbers and empire.units[w.unit].at != w.at else w
        for w in empire.worked
    )
    return replace(empire, worked=worked)


def _exchanged(empire: Empire, one: int, other: int) -> Empire:
    """Two units change places, each with what it carries."""
    first, second = empire.units[one], empire.units[other]
    empire = _put(empire, first, second)
    empire = _put(empire, second, first)
    trails = {**empire.trails, one: empire.trails.get(other, ()), other: empire.trails.get(one, ())}
    return replace(empire, trails=trails)


def _put(empire: Empire, unit: Unit, like: Unit) -> Empire:
    """A unit where another one was before, with all aboard it."""
    group, units = with_all_aboard(empire, unit), dict(empire.units)
    for number in group:
        units[number] = replace(units[number], at=like.at)
    units[unit.number] = replace(units[unit.number], aboard=like.aboard, status=like.status)
    lots = tuple(replace(lot, at=like.at) if lot.aboard in group else lot for lot in empire.lots)
    return replace(empire, units=units, lots=lots)


def _rerouted(empire: Empire, numbers: Iterable[int], old: tuple[str, ...], new: tuple[str, ...]) -> Empire:
    """Other squares were walked: picks that lie still will follow them (emp.P5)."""
    trails = dict(empire.trails)
    for number in numbers:
        if number in trails:
            trails[number] = _respelled(trails[number], old, new)
    walked = dict(empire.walked)
    for name in dict.fromkeys(empire.units[number].country for number in numbers if number in empire.units):
        ways = [trails.get(unit.number, ()) for unit in empire.units_of(name, "coolie")]
        walked[name] = tuple(square for way in ways for square in way)
    return replace(empire, trails=trails, walked=walked)


def _respelled(trail: tuple[str, ...], old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    for start in range(len(trail) - len(old) + 1):
        if trail[start : start + len(old)] == old:
            return (*trail[:start], *new, *trail[start + len(old) :])
    return trail
