"""So many units of a kind in a square: which of them are meant, decided when the order is carried out.

An order such as MOVE 3 coolies FROM c12r7 TO c13r7 cannot say so when it is written: lines before it move others away.
In how many ways an order could be read that leaves open which units obey it, or which way they go (emp.P22, emp.P23).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.empire.deeds.moving import lines_lie_ahead, plan_move
from referee.games.empire.orders.loading import Disembark, Load, Unload
from referee.games.empire.orders.moving import MoveUnits, Stance
from referee.games.empire.position.board import Unit
from referee.games.empire.position.state import Doubtful, Empire
from referee.games.empire.reckoning.carrying import goods_aboard
from referee.games.empire.reckoning.ownership import Some
from referee.games.empire.rulebook.kinds import so_many
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row


def mustered(empire: Empire, seat: Seat, intent: Any) -> Intent:
    """The order with every `some` made numbers of units. Raises Refused where there are not so many."""
    some: tuple[Some, ...] = getattr(intent, "some", ())
    if not some:
        return _as_intent(intent)
    quarters: int | None = getattr(intent, "quarters", 0)
    numbers = tuple(number for part in some for number in _chosen(empire, seat, part, quarters))
    if hasattr(intent, "units"):
        units = tuple(dict.fromkeys((*intent.units, *numbers)))
        return _as_intent(replace(intent, units=units, some=()))
    return _as_intent(replace(intent, unit=numbers[0], some=()))


def _as_intent(intent: Any) -> Intent:
    assert isinstance(intent, Intent)
    return intent


def of_kind(empire: Empire, seat: Seat, kind: str, at: str, quarters: int | None = 0) -> tuple[Unit, ...]:
    """A seat's units of a kind in a square that are free to act, best first: idle ones, those with most BTA left.

    `quarters`: those aboard the unit of this number, wherever it is by now; 0: aboard nothing; None: aboard something.
    """
    mine = [country.name for country in empire.owned(seat)]
    there = empire.units.values() if quarters else empire.units_at(at)
    here = [u for u in there if u.kind == kind and u.country in mine and _quartered(u, quarters)]
    busy = {worked.unit for worked in empire.worked} | {work.unit for work in empire.works}
    return tuple(sorted(here, key=lambda unit: (unit.number in busy, unit.spent, unit.number)))


def _quartered(unit: Unit, quarters: int | None) -> bool:
    return bool(unit.aboard) if quarters is None else unit.aboard == quarters


def _chosen(empire: Empire, seat: Seat, some: Some, quarters: int | None) -> tuple[int, ...]:
    found = of_kind(empire, seat, some.kind, some.at, quarters)
    wanted = some.quantity.of(len(found))
    if not 0 < wanted <= len(found):
        where = f"aboard {empire.units[quarters].kind} {quarters}" if quarters else f"in {some.at}"
        where = f"aboard anything {where}" if quarters is None else where
        here = f"{so_many(len(found), some.kind)} {where}, not {wanted}" if found else f"no {some.kind} {where}"
        raise Refused(f"You have {here}.", "emp.P22", some.kind)
    return tuple(unit.number for unit in found[:wanted])


MOST = 4
"""So many readings of a line are told apart at most."""

Obeys = Callable[[Intent], bool]
"""Whether an order could have been carried out."""


class Reading(NamedTuple):
    """One way to read an order: in words, who obeys, and which way they go."""

    words: str
    units: tuple[int, ...]
    way: tuple[str, ...] = ()


def readings_of(empire: Empire, seat: Seat, intent: Intent, obeys: Obeys) -> tuple[Reading, ...]:
    """The referee's own reading first; only one where the others come to the same or cannot be done."""
    match intent:
        case MoveUnits() | Disembark() | Load() | Unload() | Stance() if intent.some:
            found = _by_unit(empire, seat, intent, obeys)
        case MoveUnits(via=()):
            found = tuple(_by_way(empire, seat, intent))
        case _:
            found = ()
    return found[:MOST]


def doubtful_line(after: Empire, seat: Seat, line: int, readings: tuple[Reading, ...]) -> Doubtful:
    """The record of a line that was carried out as its first reading says."""
    numbers = dict.fromkeys(number for reading in readings for number in reading.units)
    units = [after.units[number] for number in numbers if number in after.units]
    by_way = any(reading.way for reading in readings)
    return Doubtful(
        after.slot,
        line,
        seat,
        tuple(reading.words for reading in readings),
        units=tuple(reading.units for reading in readings),
        ways=tuple(reading.way for reading in readings) if by_way else (),
        stood=tuple((unit.number, unit.at, unit.aboard) for unit in units),
    )


# ---------------------------------------------------------------- who obeys

_Several = MoveUnits | Disembark | Load | Unload | Stance


def _by_unit(empire: Empire, seat: Seat, intent: _Several, obeys: Obeys) -> tuple[Reading, ...]:
    """Units of a kind in a square that are not all alike, and of which some obey and some do not."""
    whole = mustered(empire, seat, intent)
    assert isinstance(whole, _Several)
    found: dict[tuple[str, ...], Reading] = {}
    for numbers in (whole.units, *_others(empire, seat, intent, whole.units)):
        states = tuple(sorted(_state(empire, empire.units[number]) for number in numbers))
        if states not in found and (not found or obeys(replace(intent, units=numbers, some=()))):
            found[states] = Reading(_words(empire, numbers), numbers)
    return tuple(found.values())


def _others(empire: Empire, seat: Seat, intent: _Several, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """For each state in which some of the units are: as many as possible of those first."""
    quarters: int | None = getattr(intent, "quarters", 0)
    for some in intent.some:
        meant = of_kind(empire, seat, some.kind, some.at, quarters)
        there = [unit for unit in meant if unit.number not in intent.units]
        ours = [unit.number for unit in there if unit.number in chosen]
        for state in dict.fromkeys(_state(empire, unit) for unit in there):
            first = sorted(there, key=lambda unit: _state(empire, unit) != state)[: len(ours)]
            kept = tuple(number for number in chosen if number not in ours)
            yield (*kept, *(unit.number for unit in first))


def _state(empire: Empire, unit: Unit) -> str:
    """All by which a unit differs from others of its kind in its square; empty for one that is idle and carries nothing."""
    country = empire.countries[unit.country]
    several = len(empire.owned(country.owner)) > 1
    said = [f"of {unit.country}"] if several else []
    said += [f"works {worked.kind} in {worked.at}" for worked in empire.worked if worked.unit == unit.number]
    said += [f"builds {work.what} in {work.at}" for work in empire.works if work.unit == unit.number and work.left]
    said += [f"carries {lot.number} {lot.what}" for lot in goods_aboard(empire, unit.number)]
    said += [f"has {o.kind} {o.number} aboard" for o in empire.units.values() if o.aboard == unit.number]
    said += [f"armed with {part}" for part in unit.parts]
    said += ["without water"] if empire.dry.get(unit.number) else []
    return ", ".join(said)


def _words(empire: Empire, numbers: tuple[int, ...]) -> str:
    parts = []
    for number in numbers:
        unit = empire.units[number]
        state = _state(empire, unit)
        parts.append(f"{unit.kind} {number}{f' ({state})' if state else ''}")
    return in_a_row(parts)


# ---------------------------------------------------------------- which way


def _by_way(empire: Empire, seat: Seat, intent: MoveUnits) -> Iterator[Reading]:
    """Ways of equal cost. They matter on turn 1 only, where picks that lie still must follow them (emp.P5)."""
    first = empire.units.get(intent.units[0]) if intent.units else None
    if first is None or empire.turn != 1 or first.kind != "coolie" or not lines_lie_ahead(empire, first.country):
        return
    if any(empire.units[number].at != first.at for number in intent.units if number in empire.units):
        return
    route = plan_move(empire, seat, first.number, intent.target).route
    for way in dict.fromkeys((route.way, *_detours(empire, seat, first, route.way, route.cost))):
        went = f"by way of {in_a_row(way[:-1])}" if way[:-1] else "straight"
        yield Reading(f"{_words(empire, intent.units)} {went}", intent.units, way)


def _detours(empire: Empire, seat: Seat, unit: Unit, way: tuple[str, ...], cost: int) -> Iterator[tuple[str, ...]]:
    """Other ways to the same square that cost no more, found through the neighbours of the way."""
    for here in way[:-1]:
        for _, beside in empire.board.grid.around(here):
            if beside in way or beside == unit.at:
                continue
            try:
                other = plan_move(empire, seat, unit.number, way[-1], (beside,)).route
            except Refused:
                continue
            if other.cost == cost:
                yield other.way
