"""How many land formations stand in one square (H-25)."""

from __future__ import annotations

from referee.games.empire.kinds import KINDS
from referee.games.empire.state import Empire, Unit
from referee.kit.refused import Refused

__all__ = ["check_stack"]

_STACK, _CITY_STACK = 4, 8


def check_stack(empire: Empire, unit: Unit, target: str) -> None:
    """Refuse a fifth formation in a square, a ninth in a city (H-25)."""
    kind = KINDS[unit.kind]
    if not (kind.military and kind.category == "land"):
        return
    most = _CITY_STACK if empire.city_at(target) else _STACK
    there = sum(
        _stands(empire, other, unit.country) for other in empire.units_at(target) if other.number != unit.number
    )
    if there >= most:
        raise Refused(f"{there} formations stand in {target} already; {most} may.", "emp.H-25", target)


def _stands(empire: Empire, unit: Unit, country: str) -> bool:
    """Formations of all countries of one owner count together (H-06)."""
    kind = KINDS[unit.kind]
    armed = kind.military and kind.category == "land"
    return armed and empire.same_owner(unit.country, country) and not unit.aboard and unit.status != "warehouse"
