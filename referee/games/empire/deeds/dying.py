"""Who dies, and what is left behind: weapons stay, goods that were carried are put down (emp.F2, IV C)."""

from __future__ import annotations

from referee.games.empire.events.supply import PersonDied
from referee.games.empire.position.pieces import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import parts_of
from referee.games.empire.rulebook.kinds import GOODS, KINDS


def death(empire: Empire, unit: Unit, why: str, rule: str) -> PersonDied:
    """The death of a person, such as `of hunger` by rule emp.F1; his weapons stay in the square."""
    return PersonDied(unit.country, unit.number, unit.kind, unit.at, why, rule, weapons_left(empire, unit))


def weapons_left(empire: Empire, unit: Unit) -> tuple[Lot, ...]:
    """The weapons military leaves when it dies, on the square or aboard what carried it; parts of a unit are lost."""
    whole = [part for part in parts_of(unit) if part in GOODS and KINDS[unit.kind].land_military]
    return tuple(Lot(p, whole.count(p), unit.country, unit.at, aboard=unit.aboard) for p in dict.fromkeys(whole))
