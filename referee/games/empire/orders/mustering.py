"""So many units of a kind in a square: which of them are meant, decided when the order is carried out.

An order such as MOVE 3 coolies FROM c12r7 TO c13r7 cannot say so when it is written: lines before it move others away.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Some
from referee.games.empire.rulebook.kinds import so_many
from referee.kit.refused import Refused


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
