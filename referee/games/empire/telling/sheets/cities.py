"""Sheet b, City: what is in each city at the end of the turn, its factories and when they were built, resources developed."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.page import Cell, Grid, Sheet
from referee.games.empire.position.pieces import City
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import in_city
from referee.games.empire.rulebook.kinds import KINDS
from referee.games.empire.rulebook.plans import NINE, PLANS
from referee.games.empire.telling.sheets.military import carriers_of_arms
from referee.games.empire.telling.sheets.naming import ARMS, is_military, numbers_in_words

FOOD = ("farm", "fish")
"""What is worked but is no resource."""


def city_sheet(empire: Empire, country: str) -> Sheet:
    """Rulebook I.I b."""
    cities = [city for city in empire.cities.values() if city.country == country]
    grids = (
        Grid(_CITY, tuple(_city(empire, city) for city in cities), "Cities"),
        Grid(("City", "Factory", "Turn built"), tuple(_factories(cities)), "Factories in cities"),
        Grid(("City", "What", "Number", "Which"), tuple(_contents(empire, country)), "In the cities"),
        Grid(("Square", "Resource", "Worked as", "By", "Since turn"), tuple(_resources(empire, country)),
             "Developed resource squares"),
    )  # fmt: skip
    note = "Military units and weapons stand on sheet a. A ship or plane in a city's square is not always in the city."
    return Sheet("b", f"{country}: b. City", grids, None, (note,))


_CITY = ("City", "Square", "Founded in turn", "Docks", "Airports", "Warehouses", "Minor squares filled")


def _city(empire: Empire, city: City) -> tuple[Cell, ...]:
    works = {"dock": city.docks, "airport": city.airports, "warehouse": city.warehouses}
    filled = sum(PLANS[what].squares * number for what, number in works.items())
    filled += sum(PLANS[factory.kind].squares if factory.kind in PLANS else 1 for factory in city.factories)
    filled += sum(w.at == city.at and w.kind not in FOOD for w in empire.worked)
    name = f"{city.name} (capital)" if city.capital else city.name
    return (name, city.at, city.built, *works.values(), f"{filled} of {NINE}")


def _factories(cities: list[City]) -> Iterator[tuple[Cell, ...]]:
    for city in cities:
        for factory in city.factories:
            yield city.name, factory.kind, factory.built


def _contents(empire: Empire, country: str) -> Iterator[tuple[Cell, ...]]:
    """Goods by kind and units by kind, city by city; the country's own, in whosever city they are."""
    carriers = [unit.number for unit in carriers_of_arms(empire, country)]
    for city in empire.cities.values():
        goods: dict[str, int] = {}
        for lot in empire.lots:
            if lot.at == city.at and lot.country == country and lot.what not in ARMS and in_city(empire, lot):
                goods[lot.what] = goods.get(lot.what, 0) + lot.number
        yield from ((city.name, what, number, "") for what, number in goods.items())
        kinds: dict[str, list[int]] = {}
        for unit in empire.units_at(city.at):
            own = unit.country == country and not is_military(unit) and unit.number not in carriers
            if own and in_city(empire, unit):
                kinds.setdefault(unit.kind, []).append(unit.number)
        yield from ((city.name, kind, len(found), numbers_in_words(found)) for kind, found in kinds.items())


def _resources(empire: Empire, country: str) -> Iterator[tuple[Cell, ...]]:
    for worked in empire.worked:
        if worked.country == country and worked.kind not in FOOD:
            unit = empire.units.get(worked.unit)
            by = f"{unit.kind} {unit.number}" if unit and unit.kind in KINDS else ""
            yield worked.at, worked.kind, GRADES[min(worked.grade, 3)], by, worked.since


GRADES = ("", "single", "double", "triple")
"""The grade of a resource in words."""
