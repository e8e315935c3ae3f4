"""Where beaten formations go: two squares towards a place, never through hostile zones, else they are destroyed (emp.H-28)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.events.war.land import FormationRetreated, FormationsDestroyed, RetreatSet
from referee.games.empire.position.pieces import Lot, Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.distance import spread, steps
from referee.games.empire.reckoning.movement.rates import fare
from referee.games.empire.reckoning.ownership import check_square, parts_of
from referee.games.empire.reckoning.war.stacking import check_stack, stands
from referee.games.empire.reckoning.war.zones import land_zone
from referee.games.empire.rulebook.kinds import ALLOWANCE, KINDS
from referee.kit.refused import Refused
from referee.kit.stock import gathered

_FAR = 12 * ALLOWANCE
"""How far the place may be towards which formations go back."""


def go_back(table: Table[Empire], beaten: tuple[Unit, ...]) -> None:
    """Each goes back in turn; those that cannot are destroyed together."""
    stuck = []
    for unit in beaten:
        way = way_back(table.state, unit)
        if way:
            city = table.state.city_at(way[-1])
            home = city is not None and table.state.friendly(city.country, unit.country)
            status = "city" if home else ""
            table.emit(FormationRetreated(unit.country, unit.number, unit.kind, unit.at, way, status))
        else:
            stuck.append(unit)
    destroy(table, tuple(stuck), ", finding no way back")


def destroy(table: Table[Empire], units: tuple[Unit, ...], why: str = "") -> None:
    """Formations go, by country and square; half of each kind of their arms stays, rounded down (emp.H-28)."""
    for country, at in dict.fromkeys((unit.country, unit.at) for unit in units):
        gone = [unit for unit in units if (unit.country, unit.at) == (country, at)]
        arms = gathered(part for unit in gone for part in parts_of(unit))
        ashore = not table.state.board.squares[at].water
        left = tuple(Lot(part, number // 2, country, at) for part, number in arms.items() if number > 1 and ashore)
        named = tuple((unit.number, unit.kind) for unit in gone)
        table.emit(FormationsDestroyed(country, at, named, why, left))


def way_back(empire: Empire, unit: Unit) -> tuple[Position, ...]:
    """Two squares towards the place its country named, or its nearest city; one where that place is reached at once.

    Empty where it finds no such way that avoids hostile zones of control and ends where it may stand.
    """
    goals = _goals(empire, unit)
    far = spread(steps(empire, KINDS[unit.kind]), dict.fromkeys(goals, 0), _FAR)[0]
    ways = [way for way in _ways(empire, unit, goals) if _may_stand(empire, unit, way[-1])]
    return min(ways, key=lambda way: far.get(way[-1], _FAR), default=())


def _goals(empire: Empire, unit: Unit) -> tuple[Position, ...]:
    told = empire.countries[unit.country].retreat
    if told and told != unit.at:
        return (told,)
    own = tuple(city.at for city in empire.cities.values() if empire.same_owner(city.country, unit.country))
    return tuple(at for at in own if at != unit.at) or own


def _ways(empire: Empire, unit: Unit, goals: tuple[Position, ...]) -> Iterator[tuple[Position, ...]]:
    posts = (u for u in empire.units.values() if stands(u) and not empire.friendly(unit.country, u.country))
    zone = land_zone(empire, unit.country) | frozenset(post.at for post in posts)

    def beside(here: Position) -> list[Position]:
        around = empire.board.grid.around(here)
        return [at for way, at in around if at not in zone and fare(empire, unit, here, way) is not None]

    for first in beside(unit.at):
        if first in goals:
            yield (first,)
        yield from ((first, second) for second in beside(first) if second != unit.at)


def _may_stand(empire: Empire, unit: Unit, at: Position) -> bool:
    try:
        check_stack(empire, replace(unit, aboard=0), at)
    except Refused:
        return False
    return True


# ---------------------------------------------------------------- the standing word


def check_retreat(empire: Empire, seat: Seat, to: Position) -> None:
    """Raises Refused for what is no square, or water."""
    check_square(empire, to)
    if empire.board.squares[to].water:
        cities = [city.at for city in empire.cities.values() if empire.countries[city.country].owner == seat]
        instead = tuple(f"RETREAT TO {at}" for at in cities[:2])
        raise Refused(f"{to} is water; formations go back on land.", "emp.H-28", to, instead)


def set_retreat(table: Table[Empire], seat: Seat, to: Position) -> None:
    """What a seat says holds for all its countries, from now on; "" is their nearest city."""
    for country in table.state.owned(seat):
        if country.retreat != to:
            table.emit(RetreatSet(country.name, to))
