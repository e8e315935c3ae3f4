"""Lines of piracy that a country could write now, with their odds."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.empire.countries import Country
from referee.games.empire.fuel import at_sea
from referee.games.empire.intents.air import Plunder
from referee.games.empire.ownership import named
from referee.games.empire.pieces import Unit
from referee.games.empire.state import Empire
from referee.games.empire.steps.pirates import plan_plunder
from referee.games.empire.steps.sea import ships_in
from referee.kit.refused import Refused

__all__ = ["plunderings"]


def plunderings(empire: Empire, country: Country) -> Iterator[tuple[str, str]]:
    """What pirates could take: the line, and its odds in words."""
    for pirate in empire.units_of(country.name, "pirate ship"):
        if at_sea(pirate):
            yield from _plunder(empire, country, pirate)


def _plunder(empire: Empire, country: Country, pirate: Unit) -> Iterator[tuple[str, str]]:
    for prey in ships_in(empire, country.name, pirate.at, submerged=False):
        try:
            plan_plunder(empire, country.owner, Plunder(prey.number, pirate.number))
        except Refused:
            continue
        yield f"PLUNDER {named(prey)} WITH {named(pirate)}", "With one chance in two"
