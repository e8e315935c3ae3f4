"""What every attack needs: a band that allows it, chemicals, one attack a turn (emp.H-16, emp.H-18, emp.H-29).

What falls to the victor: coolies without defenders, and cities in which he alone is left (emp.H-30).
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.table import Table
from referee.games.empire.deeds.debts import check_band, check_debt
from referee.games.empire.events.war.land import PER_ATTACK, CityFell, CooliesCaptured, CooliesKilled, attacked_key
from referee.games.empire.position.countries import Booking
from referee.games.empire.position.pieces import City, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.fuel import fuel_of_attack
from referee.games.empire.reckoning.ownership import cargo_of, counts_of, flies, in_city, named, root_of
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.refused import Refused
from referee.kit.stock import gathered


def check_means(empire: Empire, units: Sequence[Unit]) -> None:
    """Raises Refused in collapse, and where there are no chemicals for so many attackers or no oil for their ships."""
    oil = fuel_of_attack(empire, (unit.number for unit in units))
    for country, number in gathered(unit.country for unit in units).items():
        check_band(empire, country, "attack")
        check_debt(empire, country, ((country, Booking(chemicals=PER_ATTACK * number)), *oil))


def check_fresh(empire: Empire, unit: Unit, rule: str) -> None:
    """Raises Refused for who has attacked this turn."""
    if attacked_key(unit.number) in empire.handled:
        raise Refused(f"{named(unit)} has attacked this turn.", rule, str(unit.number))


def overrun(table: Table[Empire], by: str, at: str, victims: Sequence[str], killing: bool) -> None:
    """Coolies in a square of which the defenders are destroyed, country by country; the dead include its government."""
    for country in victims:
        here = [u for u in table.state.units_at(at) if u.country == country and not u.aboard and KINDS[u.kind].person]
        people = tuple(u for u in here if not KINDS[u.kind].military)
        if killing and people:
            table.emit(CooliesKilled(country, by, at, tuple((unit.number, unit.kind) for unit in people)))
        coolies = tuple(unit.number for unit in people if unit.kind == "coolie")
        if not killing and coolies:
            units, lots = cargo_of(table.state, coolies)
            table.emit(CooliesCaptured(country, by, at, units, lots, counts_of(table.state, units, lots)))


# ---------------------------------------------------------------- cities

_STAFF = ("government coolie", "ambassador coolie")


def cities_fall(table: Table[Empire], overran: str = "") -> None:
    """Every city that nobody holds any more passes to the enemy who alone is there.

    In the square `overran` in an attack, whoever alone is there is an enemy, captured coolies too.
    """
    for city in _entered(table.state):
        taker = taker_of(table.state, city, city.at == overran)
        if taker:
            table.emit(_fall(table.state, city, taker))


def _entered(empire: Empire) -> tuple[City, ...]:
    """The cities in which somebody of another owner stands; looked through once, for this is asked after every order."""
    places = {city.at: city for city in empire.cities.values()}
    found = (
        places[unit.at]
        for unit in empire.units.values()
        if unit.at in places and unit.country != places[unit.at].country and _holds(unit)
    )
    return tuple(dict.fromkeys(found))


def taker_of(empire: Empire, city: City, overran: bool = False) -> str:
    """The country to which a city falls now: whose hostile military or coolies are there alone; empty when it stands."""
    there = [unit for unit in empire.units_at(city.at) if _holds(unit)]
    if not there or empire.countries[city.country].dead:
        return ""
    if not overran and not any(KINDS[unit.kind].military for unit in there) and _governed(empire, city):
        return ""
    if any(empire.friendly(city.country, unit.country) for unit in there):
        return ""
    if any(not empire.same_owner(unit.country, there[0].country) for unit in there):
        return ""
    return next((unit.country for unit in there if overran or _hostile(empire, unit, city)), "")


def _holds(unit: Unit) -> bool:
    """Military on the ground and regular coolies hold a city; not those carried, stored or flown over it."""
    fights = unit.kind == "coolie" or KINDS[unit.kind].land_military
    return fights and not unit.aboard and unit.status != "warehouse"


def _governed(empire: Empire, city: City) -> bool:
    """Whether a government or an ambassador of its owner or his friends is in a city: unarmed people take none from them."""
    staff = [unit for unit in empire.units_at(city.at) if unit.kind in _STAFF and not flies(root_of(empire, unit))]
    return any(empire.friendly(city.country, unit.country) for unit in staff)


def _hostile(empire: Empire, unit: Unit, city: City) -> bool:
    military = KINDS[unit.kind].military
    comes, stays = empire.countries[unit.country], empire.countries[city.country]
    return comes.hostile_to(city.country, military) or (not military and stays.hostile_to(comes.name, False))


def _fall(empire: Empire, city: City, taker: str) -> CityFell:
    inside = [u for u in empire.units_at(city.at) if u.country == city.country and in_city(empire, u) == city.name]
    stored = [unit for unit in inside if unit.status == "warehouse"]
    vehicles = [unit for unit in inside if not KINDS[unit.kind].person and unit not in stored and not flies(unit)]
    passing = [*stored, *_half(vehicles)]
    numbers = tuple(sorted(unit.number for unit in passing))
    lost = tuple((unit.number, unit.kind) for unit in vehicles if unit.number not in numbers)
    lots = tuple(
        lot
        for lot in empire.lots
        if lot.at == city.at and lot.country == city.country and (not lot.aboard or in_city(empire, lot) == city.name)
    )
    counts = counts_of(empire, numbers, lots)
    return CityFell(city.name, city.at, city.country, taker, numbers, lots, counts, lost, city.capital)


def _half(vehicles: Sequence[Unit]) -> list[Unit]:
    """Of each kind half, rounded down, those with the lowest numbers."""
    kept: list[Unit] = []
    for kind in dict.fromkeys(unit.kind for unit in vehicles):
        alike = [unit for unit in vehicles if unit.kind == kind]
        kept += alike[: len(alike) // 2]
    return kept
