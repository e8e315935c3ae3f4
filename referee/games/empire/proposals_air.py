"""Lines of war at sea and in the air that a country could write now, with their odds."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.empire.countries import Country
from referee.games.empire.fuel import at_sea
from referee.games.empire.intents.air import Engage, Plunder
from referee.games.empire.kinds import KINDS
from referee.games.empire.ownership import named
from referee.games.empire.pieces import Position, Unit
from referee.games.empire.state import Empire
from referee.games.empire.steps.pirates import plan_plunder
from referee.games.empire.steps.sea import plan_engagement, ships_in
from referee.games.empire.warships import attack_of
from referee.kit.refused import Refused

__all__ = ["engagements"]


def engagements(empire: Empire, country: Country) -> Iterator[tuple[str, str]]:
    """Attacks of all warships that lie next to ships of others, and what pirates could take: the line, and its odds in words."""
    fleet = [unit for unit in empire.units_of(country.name) if attack_of(unit.kind) and at_sea(unit)]
    ships = (unit for unit in empire.units.values() if KINDS[unit.kind].category == "naval")
    for at in dict.fromkeys(unit.at for unit in ships if not empire.friendly(country.name, unit.country)):
        able = [unit for unit in fleet if _beside(empire, unit, at)]
        line = _engagement(empire, country, at, able)
        if line is not None:
            yield line
    for pirate in [unit for unit in fleet if unit.kind == "pirate ship"]:
        yield from _plunder(empire, country, pirate)


def _beside(empire: Empire, unit: Unit, at: Position) -> bool:
    return unit.at == at or empire.board.grid.direction(unit.at, at) is not None


def _engagement(empire: Empire, country: Country, at: Position, able: list[Unit]) -> tuple[str, str] | None:
    """The attack of all that can make it together; None where there is none."""
    for group in (able, [unit for unit in able if unit.kind != "submarine"]):
        try:
            fight = plan_engagement(empire, country.owner, Engage(at, tuple(unit.number for unit in group)))
        except Refused:
            continue
        return f"ENGAGE {at} WITH {', '.join(map(named, group))}", f"At odds {fight.sides.odds}"
    return None


def _plunder(empire: Empire, country: Country, pirate: Unit) -> Iterator[tuple[str, str]]:
    for prey in ships_in(empire, country.name, pirate.at, submerged=False):
        try:
            plan_plunder(empire, country.owner, Plunder(prey.number, pirate.number))
        except Refused:
            continue
        yield f"PLUNDER {named(prey)} WITH {named(pirate)}", "With one chance in two"
