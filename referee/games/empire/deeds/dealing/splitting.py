"""Balkanization: a country split off another, and what it may not gain by it (emp.P18, emp.H-06)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.games.empire.events.dealing import CountrySplit
from referee.games.empire.position.countries import Country
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import cargo_of, counts_of, own_unit
from referee.kit.refused import Refused


def check_balkanize(
    empire: Empire, seat: Seat, name: str, with_cities: Sequence[str], with_units: Sequence[int], under: int
) -> CountrySplit:
    """emp.P18, emp.H-06: the country that would come about. Raises Refused."""
    check_name(empire, name)
    parent = _parent(empire, seat, name, with_cities, (*with_units, under))
    cities = tuple(_city(empire, parent, city) for city in with_cities)
    squares = tuple(empire.cities[city].at for city in cities)
    # Those named, and all in the squares of the cities but the government.
    for number in with_units:
        if empire.units[number].kind == "government coolie":
            raise Refused(f"Unit {number} is the government of {parent}.", "emp.H-06", str(number))
    there = [u.number for u in empire.units_of(parent) if u.at in squares and u.kind != "government coolie"]
    units = tuple(dict.fromkeys((*with_units, *there)))
    government = _government(empire, name, under, units)
    numbers, aboard = cargo_of(empire, tuple(dict.fromkeys((*units, government))))
    lying = (lot for lot in empire.lots if lot.country == parent and lot.at in squares and not lot.aboard)
    lots = (*aboard, *lying)
    country = _share(empire, parent, name, seat, numbers)
    return CountrySplit(parent, country, cities, government, numbers, lots, counts_of(empire, numbers, lots))


def check_name(empire: Empire, name: str) -> None:
    """Raises Refused for a name that a country or player has."""
    taken = [*empire.countries, *map(str, empire.seats)]
    if not name.strip() or any(name.casefold() == other.casefold() for other in taken):
        raise Refused(f"{name or 'Nothing'} is no free name for a country.", "emp.P18", name)


def _parent(empire: Empire, seat: Seat, name: str, cities: Sequence[str], units: Sequence[int]) -> str:
    """The one country that everything named belongs to."""
    own = [country.name for country in empire.owned(seat)]
    named = [own_unit(empire, seat, number, "emp.P18").country for number in units if number]
    for town in cities:
        city = empire.cities.get(town)
        if city is None or city.country not in own:
            raise Refused(f"{town} is no city of yours.", "emp.P18", town)
        named.append(city.country)
    parents = list(dict.fromkeys(named))
    if len(parents) != 1:
        raise Refused("Name a city or units of one country, from which the new one is split.", "emp.P18", name)
    return parents[0]


def _city(empire: Empire, parent: str, name: str) -> str:
    if empire.cities[name].capital:
        raise Refused(f"{name} is the capital and stays with {parent}.", "emp.H-06", name)
    return name


def _government(empire: Empire, name: str, under: int, units: Sequence[int]) -> int:
    """The regular coolie that becomes the government: the one named, or the first that comes along."""
    if under:
        if empire.units[under].kind != "coolie":
            raise Refused("Only a regular coolie becomes a government coolie.", "emp.P18", str(under))
        return under
    first = next((number for number in units if empire.units[number].kind == "coolie"), 0)
    if not first:
        raise Refused(f"{name} needs a coolie that becomes its government.", "emp.P18", name)
    return first


def _share(empire: Empire, parent: str, name: str, seat: Seat, numbers: Sequence[int]) -> Country:
    """emp.H-06: the parent's confidence and all its bans; funds and debts in proportion to regular coolies."""
    old = empire.countries[parent]
    coolies = len(empire.units_of(parent, "coolie"))
    gone = sum(empire.units[number].kind == "coolie" for number in numbers)
    return Country(
        name,
        seat,
        origin="created",
        parent=parent,
        owned_since=empire.turn,
        confidence=old.confidence,
        popular_fund=old.popular_fund * gone // coolies,
        oil_due=old.oil_due * gone // coolies,
        chemicals_due=old.chemicals_due * gone // coolies,
        pay_due=old.pay_due * gone // coolies,
        suppressed=old.suppressed,
        stances=old.stances,
        feeding=old.feeding,
        band=old.band,
        slot=old.slot,
        held=old.held,
    )
