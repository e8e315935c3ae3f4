"""Consumer goods are consumed in a city of one's own, once, by a coolie: they give EDU (emp.H-22)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from referee.core.names import Seat
from referee.games.empire.events.work.producing import GoodsConsumed
from referee.games.empire.position.pieces import City, Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import in_force
from referee.games.empire.reckoning.movement.berths import open_berth
from referee.games.empire.reckoning.naming import Goods
from referee.games.empire.reckoning.ownership import UNCONSUMED
from referee.games.empire.reckoning.supply.stores import held, lots_at, taken
from referee.games.empire.reckoning.work.workers import own_unit
from referee.games.empire.rulebook.kinds import KINDS
from referee.games.empire.rulebook.recipes import basic_units
from referee.kit.refused import Refused

CONSUMABLE = ("beer", *(name for name, kind in KINDS.items() if kind.consumer))
"""Goods and kinds of unit that can be consumed."""


def edu_of_good(empire: Empire, what: str) -> int:
    """EDU of one consumer good: so many for each basic unit of resources in it, rounded down (emp.H-22)."""
    return int(in_force.figure(empire, "goods", "edu") * basic_units(what))


def can_consume(
    empire: Empire, seat: Seat, wanted: Iterable[Goods], numbers: Iterable[int], at: Position = ""
) -> GoodsConsumed:
    """What it does that goods and units are consumed in a city. Raises Refused."""
    units = tuple(_good(own_unit(empire, seat, number)) for number in numbers)
    city = _city(empire, seat, at or (units[0].at if units else ""))
    for unit in units:
        if unit.at != city.at:
            raise Refused(
                f"{unit.kind} {unit.number} is in {unit.at}, not in {city.name}.", "emp.H-22", str(unit.number)
            )
    if not empire.units_of(city.country, "coolie") or not _coolie(empire, city):
        raise Refused(f"No coolie of yours is in {city.name} to consume it.", "emp.H-22", city.name)
    lots = tuple(
        part
        for goods in wanted
        for part in taken(
            lots_at(empire, city.country, city.at, goods.what), _number(empire, city, goods.what, goods.quantity.of)
        )
    )
    edu = sum(lot.number * edu_of_good(empire, lot.what) for lot in lots) + sum(
        edu_of_good(empire, u.kind) for u in units
    )
    ready = tuple((unit.number, unit.kind, _ready(empire, unit)) for unit in units)
    return GoodsConsumed(city.country, city.at, lots, ready, edu)


def _good(unit: Unit) -> Unit:
    if not KINDS[unit.kind].consumer:
        raise Refused(f"{unit.kind} {unit.number} is no consumer good.", "emp.H-22", str(unit.number))
    if unit.status != UNCONSUMED:
        raise Refused(f"{unit.kind} {unit.number} is consumed already.", "emp.H-22", str(unit.number))
    return unit


def _number(empire: Empire, city: City, what: str, of: Callable[[int], int]) -> int:
    if what not in CONSUMABLE:
        raise Refused(f"{what} is no consumer good.", "emp.H-22", what)
    have = held(empire, city.country, city.at, what)
    number = of(have)
    if not 0 < number <= have:
        instead = (f"CONSUME {have} {what} IN {city.name}",) if have else ()
        raise Refused(f"{city.country} has {have or 'no'} {what} in {city.name}.", "emp.H-22", what, instead)
    return number


def _city(empire: Empire, seat: Seat, at: Position) -> City:
    city = empire.city_at(at)
    mine = [country.name for country in empire.owned(seat)]
    if city is None or city.country not in mine:
        own = [found.name for found in empire.cities.values() if found.country in mine]
        raise Refused(
            f"Goods are consumed in a city of your own; {at or 'no city'} is none.", "emp.H-22", at, tuple(own[:3])
        )
    return city


def _coolie(empire: Empire, city: City) -> bool:
    return any(unit.at == city.at for unit in empire.units_of(city.country, "coolie"))


def _ready(empire: Empire, unit: Unit) -> str:
    """How a unit stands that may now be used."""
    if KINDS[unit.kind].category != "naval":
        return ""
    return "dock" if open_berth(empire, unit, "dock") else "beach"
