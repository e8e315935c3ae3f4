"""Who eats before whom: the order of emp.H-01, and what a country has said of it (deeds/feeding.py)."""

from __future__ import annotations

from referee.games.empire.position.feeding import Feeding, Mouths
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import KINDS

_FIRST = {"government coolie": 1, "ambassador coolie": 2, "coolie": 3}
"""In what order mouths are fed where nothing is said; military comes first (emp.H-01)."""


def eaters(empire: Empire, country: str) -> tuple[Unit, ...]:
    """Everybody who eats, in the order in which they are fed: as the country says, else military, government,
    ambassadors, regular coolies."""
    persons = [unit for unit in empire.units_of(country) if KINDS[unit.kind].person]
    usual = tuple(sorted(persons, key=lambda unit: (_FIRST.get(unit.kind, 0), unit.number)))
    ranks = _ranks(empire.countries[country].feeding, usual) if country in empire.countries else {}
    return tuple(sorted(usual, key=lambda unit: ranks.get(unit.number, (1, 0)))) if ranks else usual


def _ranks(feeding: Feeding, persons: tuple[Unit, ...]) -> dict[int, tuple[int, int]]:
    """Where persons stand who are spoken of: before the others (0) or after (2), and at what place of that list.

    What is said of one person goes before what is said of a square, and that before what is said of a whole kind.
    """
    said = [(0, n, mouths) for n, mouths in enumerate(feeding.first)]
    said += [(2, n, mouths) for n, mouths in enumerate(feeding.last)]
    ranks: dict[int, tuple[int, int]] = {}
    for group, place, mouths in sorted(said, key=lambda part: (not part[2].unit, not part[2].at)):
        meant = [unit.number for unit in persons if unit.number not in ranks and _means(mouths, unit)]
        ranks |= dict.fromkeys(meant[: mouths.number or None], (group, place))
    return ranks


def _means(mouths: Mouths, unit: Unit) -> bool:
    if mouths.unit:
        return unit.number == mouths.unit
    return unit.kind == mouths.kind and mouths.at in ("", unit.at)
