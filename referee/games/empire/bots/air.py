"""Raids from the air: a bomb and a drop tank hung on, fighters along, there and back (emp.H-31)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.core.choices import Pick
from referee.core.order import Intent
from referee.games.empire.bots.estate import exactly
from referee.games.empire.deeds.work.cities import standing
from referee.games.empire.orders.movement.loading import Load
from referee.games.empire.orders.movement.move import MoveUnits
from referee.games.empire.orders.movement.standing import Land, Patrol
from referee.games.empire.orders.war.raids import Bomb
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.carrying import goods_aboard
from referee.games.empire.reckoning.movement.rates import DROP_TANK
from referee.games.empire.reckoning.ownership import flies
from referee.games.empire.reckoning.war.warships import BOMBS

_RANGE, _FAR = 12, 14
"""So many borders a plane goes and comes back, and so many with a drop tank on the way back."""


def raids(empire: Empire, country: Country, pick: Pick) -> Iterator[Intent]:
    """Bombs on what stands or is worked within range, fighters along with them or on patrol."""
    fighters = [unit for unit in empire.units_of(country.name, "fighter") if _ready(empire, unit)]
    for unit in empire.units_of(country.name, "strategic bomber"):
        if _ready(empire, unit) and pick(5):
            yield from _bombing(empire, country, unit, [f for f in fighters if f.at == unit.at and not pick(3)], pick)
    for unit in fighters:
        if not pick(3):
            yield (Land if flies(unit) else Patrol)((unit.number,))


def _ready(empire: Empire, unit: Unit) -> bool:
    """Whether a plane is in the air, or where it can take off."""
    city = empire.city_at(unit.at)
    return not unit.aboard and (flies(unit) or bool(city and city.airports))


def _bombing(empire: Empire, country: Country, unit: Unit, escort: list[Unit], pick: Pick) -> Iterator[Intent]:
    """A bomb and now and then a drop tank hung on; there, the bomb, and back."""
    bomb, tank = _armed(empire, country, unit, BOMBS), empire.stock(country.name, unit.at).get(DROP_TANK, 0)
    targets = _targets(empire, country, unit.at, _FAR if tank else _RANGE)
    if bomb is None or not targets or unit.spent:
        return
    yield from bomb
    if tank:
        yield _hung(unit, DROP_TANK)
    at, what = targets[pick(len(targets))]
    flight = (unit.number, *(fighter.number for fighter in escort if not tank))
    yield MoveUnits(flight, at)
    yield Bomb(at, what, (unit.number,))
    for number in flight:
        yield MoveUnits((number,), unit.at)


def _armed(empire: Empire, country: Country, unit: Unit, kinds: Iterable[str]) -> list[Intent] | None:
    """What hangs a bomb on a plane, nothing where it has one; None where there is none for it."""
    if any(lot.what in kinds for lot in goods_aboard(empire, unit.number)):
        return []
    stock = empire.stock(country.name, unit.at)
    return next(([_hung(unit, what)] for what in kinds if stock.get(what)), None)


def _hung(unit: Unit, what: str) -> Intent:
    return Load(unit.number, (exactly(what, 1),))


def _targets(empire: Empire, country: Country, home: Position, radius: int) -> list[tuple[Position, str]]:
    """Buildings and worked resources of those whom a country does not hold friendly."""
    near = [city for city in empire.cities.values() if not empire.friendly(country.name, city.country)]
    found = [(city.at, what) for city in near for what in standing(empire, city.at)]
    found += [(w.at, w.kind) for w in empire.worked if not empire.friendly(country.name, w.country)]
    return [target for target in found if 0 < empire.board.grid.apart(home, target[0]) <= radius]
