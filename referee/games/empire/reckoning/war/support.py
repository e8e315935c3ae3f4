"""Who joins an attack on land without being a formation: guns of ships, planes with light bombs (emp.H-31, emp.H-32)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.core.table import Table
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import named
from referee.games.empire.reckoning.war.combat import Fighter
from referee.kit.refused import Refused

SUPPORT: dict[str, Callable[[Empire, Unit, str], Fighter]] = {}
"""By kind of unit: what it adds to an attack on a square, marked as support. Raises Refused."""

SUPPORTED: dict[str, Callable[[Table[Empire], Unit, str], None]] = {}
"""By kind of unit: what happens to it when the battle is over, such as a bomb that is used up."""


def support_of(empire: Empire, unit: Unit, target: str) -> Fighter:
    """What a unit that is no formation adds to an attack. Raises Refused for those that add nothing."""
    check = SUPPORT.get(unit.kind)
    if check is None:
        instead = (f"ARM {named(unit)} AS SAC",) if unit.kind == "coolie" else ()
        raise Refused(f"{named(unit)} does not attack on land.", "emp.H-28", str(unit.number), instead)
    return check(empire, unit, target)


def supported(table: Table[Empire], units: Mapping[int, Unit], target: str) -> None:
    """The battle is over for those who supported it."""
    for unit in units.values():
        after = SUPPORTED.get(unit.kind)
        if after is not None:
            after(table, unit, target)
