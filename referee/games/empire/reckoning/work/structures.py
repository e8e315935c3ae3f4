"""What stands in a square, in a city or alone: buildings put up and taken away, cities founded, works taken off the list."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.empire.position.pieces import City, Factory, Position
from referee.games.empire.position.state import Empire

_COUNTED = {"dock": "docks", "airport": "airports", "warehouse": "warehouses"}


def owner_of(empire: Empire, at: Position) -> str:
    """The country that controls what stands in a square: its city's, or who built or seized it; empty when nobody."""
    city = empire.city_at(at)
    if city is not None:
        return city.country
    return next((factory.country for factory in empire.factories.get(at, ())), "")


def own_factories(empire: Empire, country: str) -> tuple[tuple[Position, str], ...]:
    """Every factory a country owns, in its cities and outside, as square and kind."""
    inside = [(city.at, f.kind) for city in empire.cities.values() if city.country == country for f in city.factories]
    outside = [(at, f.kind) for at, found in empire.factories.items() for f in found if owner_of(empire, at) == country]
    return (*inside, *outside)


def with_building(empire: Empire, at: Position, what: str, turn: int, country: str = "") -> Empire:
    """The position with a factory, dock, airport, warehouse or installation more in a square."""
    city = empire.city_at(at)
    if city is None:
        alone = (*empire.factories.get(at, ()), Factory(what, turn, country))
        return replace(empire, factories={**empire.factories, at: alone})
    if what in _COUNTED:
        return empire.with_city(_counting(city, what, 1))
    return empire.with_city(replace(city, factories=(*city.factories, Factory(what, turn))))


def without_building(empire: Empire, at: Position, what: str) -> Empire:
    """The position with the newest such building of a square gone."""
    city = empire.city_at(at)
    if city is None:
        left = _fewer(empire.factories.get(at, ()), what)
        others = {square: factories for square, factories in empire.factories.items() if square != at}
        return replace(empire, factories={**others, at: left} if left else others)
    if what in _COUNTED:
        return empire.with_city(_counting(city, what, -1))
    return empire.with_city(replace(city, factories=_fewer(city.factories, what)))


def _fewer(factories: tuple[Factory, ...], what: str) -> tuple[Factory, ...]:
    found = [n for n, factory in enumerate(factories) if factory.kind == what]
    return tuple(f for n, f in enumerate(factories) if not found or n != found[-1])


def _counting(city: City, what: str, change: int) -> City:
    match what:
        case "dock":
            return replace(city, docks=max(0, city.docks + change))
        case "airport":
            return replace(city, airports=max(0, city.airports + change))
        case _:
            return replace(city, warehouses=max(0, city.warehouses + change))


def with_new_city(empire: Empire, country: str, at: Position, name: str) -> Empire:
    """A city more; what stood alone on its square is now part of it."""
    standing = tuple(replace(factory, country="") for factory in empire.factories.get(at, ()))
    others = {square: factories for square, factories in empire.factories.items() if square != at}
    city = City(name, at, country, empire.turn, factories=standing)
    sites = tuple(site for site in empire.sites if site != at)
    return replace(empire.with_city(city), factories=others, sites=sites)


def without_work(empire: Empire, number: int) -> Empire:
    """The position with a work off the list."""
    return replace(empire, works=tuple(work for work in empire.works if work.number != number))
