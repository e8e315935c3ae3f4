"""Sheet a, Military Location: every military unit, weapon and munition, and whatever carries any of them."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.page import Cell, Grid, Sheet
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import parts_of
from referee.games.empire.rulebook.kinds import KINDS
from referee.games.empire.telling.sheets.naming import ARMS, counts_in_words, is_military, where_of
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
