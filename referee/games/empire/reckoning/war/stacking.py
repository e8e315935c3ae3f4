"""How many land formations stand in one square (emp.H-25)."""

from __future__ import annotations

from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.refused import Refused

_STACK, _CITY_STACK = 4, 8


def most_in(empire: Empire, at: str) -> int:
    """How many formations of one owner may stand in a square: four, in a city eight (emp.H-25)."""
    return _CITY_STACK if empire.city_at(at) else _STACK


def stands(unit: Unit) -> bool:
    """Whether a unit is a formation that takes room in its square: not carried, not in a warehouse."""
    return KINDS[unit.kind].land_military and not unit.aboard and unit.status != "warehouse"


def check_stack(empire: Empire, unit: Unit, target: str) -> None:
    """Refuse a fifth formation in a square, a ninth in a city (emp.H-25)."""
    if not KINDS[unit.kind].land_military:
        return
    others = [other for other in empire.units_at(target) if other.number != unit.number]
    there, most = sum(stands(u) and empire.same_owner(u.country, unit.country) for u in others), most_in(empire, target)
    if there >= most:
        raise Refused(f"{there} formations stand in {target} already; {most} may.", "emp.H-25", target)
