"""What bots do with warships, bombers and pirates (H-31 to H-33)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.order import Intent
from referee.core.question import Pick
from referee.games.empire.carrying import aboard, goods_aboard
from referee.games.empire.fuel import at_sea
from referee.games.empire.intents import MoveUnits
from referee.games.empire.intents_air import Bomb, Engage, Plunder, TurnPirate
from referee.games.empire.kinds import KINDS
from referee.games.empire.state import City, Country, Empire, Unit
from referee.games.empire.steps.cities import standing
from referee.games.empire.steps.sea import ships_in
from referee.games.empire.warships import BOMBS, attack_of

__all__ = ["raids"]

_RANGE = 12
"""As far as a bomber goes and comes back."""


def raids(empire: Empire, country: Country, pick: Pick) -> Iterator[Intent]:
    """Attacks on ships beside, bombs on cities in range, and now and then a cargo ship turns pirate."""
    for unit in empire.units_of(country.name):
        if KINDS[unit.kind].category == "naval" and at_sea(unit):
            yield from _sailing(empire, unit, pick)
        elif unit.kind == "strategic bomber" and not unit.aboard:
            yield from _bombing(empire, unit, pick)


def _sailing(empire: Empire, unit: Unit, pick: Pick) -> Iterator[Intent]:
    if unit.kind == "cargo ship" and any(rider.kind == "SAC" for rider in aboard(empire, unit.number)) and not pick(3):
        yield TurnPirate(unit.number)
    if unit.kind == "pirate ship":
        yield from (Plunder(ship.number, unit.number) for ship in ships_in(empire, unit.country, unit.at, False)[:1])
    if not attack_of(unit.kind):
        return
    near = [unit.at, *(at for _, at in empire.board.grid.around(unit.at))]
    targets = [at for at in near if ships_in(empire, unit.country, at, False)]
    if targets and pick(3):
        yield Engage(targets[pick(len(targets))], (unit.number,))


def _bombing(empire: Empire, unit: Unit, pick: Pick) -> Iterator[Intent]:
    """There, the bomb, and back."""
    if not any(lot.what in BOMBS for lot in goods_aboard(empire, unit.number)):
        return
    targets = [city for city in empire.cities.values() if _in_range(empire, unit, city)]
    if targets and pick(3):
        city = targets[pick(len(targets))]
        buildings = standing(empire, city.at)
        yield MoveUnits((unit.number,), city.at)
        yield Bomb(city.at, buildings[pick(len(buildings))], (unit.number,))
        yield MoveUnits((unit.number,), unit.at)


def _in_range(empire: Empire, unit: Unit, city: City) -> bool:
    near = empire.board.grid.apart(unit.at, city.at) <= _RANGE
    return near and bool(standing(empire, city.at)) and not empire.friendly(city.country, unit.country)
