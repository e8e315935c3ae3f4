"""BALKANIZE: a country is split off another (emp.P18, emp.H-06)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from referee.core.choices import Asking, Choice, one, several
from referee.core.names import Seat
from referee.core.order import Clause, Thing
from referee.core.table import Table
from referee.games.empire.deeds.dealing.splitting import check_balkanize, check_name
from referee.games.empire.orders.base import SlotOrder, granted
from referee.games.empire.orders.fields import PLACE, UNITS, groups, hexes, numbered
from referee.games.empire.orders.forces import single
from referee.games.empire.orders.units import cargo, one_unit, place
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Some
from referee.kit.declared import Words
from referee.kit.fields import Field, Joint, Said


class _Title(Field[str]):
    """The name of the new country."""

    def read(self, said: Said) -> str:
        return said.order.things[0].name

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return (Thing("text", value),)


class _Share(Joint):
    """Cities by name and units, so many of a kind in the square of IN or FROM."""

    most, joins = None, ("cities", "units", "some")

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {self.under: self.kinds, "IN": PLACE, "AT": PLACE, "FROM": PLACE}

    def read(self, said: Said) -> tuple[Any, ...]:
        things = said.after(self.under)
        cities = tuple(thing.name for thing in things if thing.kind == "city")
        others = [thing for thing in things if thing.kind != "city"]
        found = cargo(said.state, said.seat, others, place(said.state, said.order, "IN", "AT", "FROM"))
        return cities, found.units, found.some

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        cities, units, some = value
        towns = tuple(Thing("city", name) for name in cities)
        yield Clause(self.under, (*towns, *numbered(state, units), *groups(some)))
        yield from (Clause("IN", hexes([part.at])) for part in some[:1])


class _Government(Field[int]):
    """The coolie that becomes the government; 0: the first that comes along."""

    needed = False

    def read(self, said: Said) -> int:
        under = said.after(self.under)
        return one_unit(said.state, said.seat, under, "BALKANIZE ... UNDER") if under else 0

    def things(self, value: int, state: Empire) -> tuple[Thing, ...]:
        return numbered(state, (value,)) if value else ()


def _cities(value: tuple[Any, ...]) -> str:
    return ", ".join(value[0]) or "no city"


class Balkanize(SlotOrder, frozen=True):
    """A new country split off: its name, its cities and units, and its government coolie (emp.P18, emp.H-06)."""

    name: str
    cities: tuple[str, ...]
    units: tuple[int, ...] = ()
    government: int = 0
    some: tuple[Some, ...] = ()

    words = Words(
        "BALKANIZE",
        "split off a country with cities and units; UNDER names the coolie that becomes its government",
        "emp.P18",
        'BALKANIZE "Northland" WITH {who}',
        ("SPLIT OFF", "SPLIT"),
    )
    fields = (
        _Title("name", ("text", "word")),
        _Share("share", ("city", *UNITS), "WITH", _cities),
        _Government("government", UNITS, "UNDER"),
    )
    says = "Split off the country {name} with {share}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """The coolie that becomes the government, cities of its country, and who else goes along; the name is free."""
        under = yield from one("under", _governments(empire, seat))
        parent = empire.countries[empire.units[under].country]
        towns = [city for city in empire.cities.values() if city.country == parent.name and not city.capital]
        cities = yield from several("cities", [Choice(city.name, city.name, "", city.at) for city in towns])
        others = [u for u in empire.units_of(parent.name) if u.number != under and u.kind != "government coolie"]
        units = yield from several("units", map(single, others))
        name = _new_name(empire, seat)
        named = yield from one("name", [Choice(name, name, "or any other name")])
        return cls(named, cities, units if cities or units else (under,), under)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        about = (self.name, self.cities, self.units, self.government)
        table.emit(check_balkanize(table.state, seat, *about))


def _governments(empire: Empire, seat: Seat) -> Iterator[Choice[int]]:
    """Regular coolies, those of the last country first; where one can be it, all of his country can."""
    name = _new_name(empire, seat)
    for country in reversed(empire.owned(seat)):
        coolies = empire.units_of(country.name, "coolie")
        if coolies and granted(check_balkanize, empire, seat, name, (), (), coolies[0].number):
            yield from map(single, coolies)


def _new_name(empire: Empire, seat: Seat) -> str:
    """A name that no country has yet."""
    names = (f"New {seat} {number}" if number else f"New {seat}" for number in range(len(empire.countries) + 1))
    return next(name for name in names if granted(check_name, empire, name))
