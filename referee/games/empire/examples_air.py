"""Examples of air and sea war from a player's own position: his bombers, his fighters, his pirates."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.names import Seat
from referee.games.empire.countries import Country
from referee.games.empire.kinds import KINDS
from referee.games.empire.ownership import named
from referee.games.empire.pieces import Unit
from referee.games.empire.state import Empire
from referee.games.empire.steps.cities import standing

__all__ = ["air_examples"]


def air_examples(empire: Empire, seat: Seat, country: Country) -> Iterator[tuple[str, str]]:
    """A line for every verb that this country has something for."""
    own = empire.units_of(country.name)
    ships = [unit for unit in empire.units.values() if KINDS[unit.kind].category == "naval"]
    merchant, pirate, bomber = (_first(own, kind) for kind in ("cargo ship", "pirate ship", "strategic bomber"))
    if merchant is not None:
        yield "TURN PIRATE", f"TURN PIRATE {named(merchant)}"
    prey = [ship for ship in ships if not empire.same_owner(ship.country, country.name)]
    raider = pirate or merchant
    if raider is not None and prey:
        yield "PLUNDER", f"PLUNDER {named(prey[0])} WITH {named(raider)}"
    target = _target(empire, country)
    if bomber is not None and target:
        yield "BOMB", f"BOMB {target} WITH {named(bomber)}"


def _first(units: tuple[Unit, ...], kind: str) -> Unit | None:
    return next((unit for unit in units if unit.kind == kind), None)


def _target(empire: Empire, country: Country) -> str:
    """A building of another's city, as an order names it."""
    others = (city for city in empire.cities.values() if not empire.same_owner(city.country, country.name))
    return next((f"{what} IN {city.at}" for city in others for what in standing(empire, city.at)), "")
