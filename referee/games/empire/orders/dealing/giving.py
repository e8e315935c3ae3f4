"""GIVE and ACCEPT, what changes hands; EXCHANGE, points of foreign exchange (emp.P12, emp.H-23, emp.H-17).

BALKANIZE: a country is split off another (emp.P18, emp.H-06).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, Self

from referee.core.choices import Asking, Choice, number, one, quantity, several
from referee.core.names import Seat
from referee.core.order import Clause, Portion, Quantity, Thing
from referee.core.table import Table
from referee.games.empire.deeds.dealing.splitting import check_balkanize, check_name
from referee.games.empire.deeds.dealing.transfers import (
    can_exchange,
    check_accept,
    check_give,
    check_give_country,
    check_give_goods,
    do_accept,
    may_send,
    offer,
    wares,
)
from referee.games.empire.orders.base import AsideOrder, SlotOrder, granted
from referee.games.empire.orders.fields import CARGO, PLACE, UNITS, Group, Place, Wares, groups, hexes, numbered
from referee.games.empire.orders.units import (
    alike,
    cargo,
    group,
    how_many,
    of_seat,
    one_unit,
    place,
    quantity_of,
    single,
)
from referee.games.empire.position.countries import Transfer
from referee.games.empire.position.pieces import Position
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Goods, Some, amount
from referee.games.empire.reckoning.supply import held
from referee.games.empire.rulebook.kinds import word_for
from referee.kit.declared import Declared, Words
from referee.kit.fields import Field, Joint, Number, One, Said, exact
from referee.kit.refused import Refused

_TO = One("to", ("country",), "TO", taken=str)


# ---------------------------------------------------------------- what is given


class GiveGoods(SlotOrder, frozen=True):
    """Goods given to another country in the same square or ship (emp.H-23)."""

    goods: tuple[Goods, ...]
    to: str
    at: str

    words = Words("GIVE", "", "emp.H-23", "")
    fields = (Wares("goods"), Place("at", "IN", "AT", needed=False), _TO)
    says = "Give {goods} to {to} in {at}."

    def do(self, table: Table[Empire], seat: Seat) -> None:
        offer(table, seat, check_give_goods(table.state, seat, self.goods, self.to, self.at))


class GiveCountry(SlotOrder, frozen=True):
    """A whole country handed to a player, named by himself or by a country of his, without condition (emp.P12)."""

    country: str
    to: str

    words = Words("GIVE", "", "emp.P12", "")
    fields = (One("country", ("country",), taken=str), _TO)
    says = "Hand the whole country {country} to {to}."

    def do(self, table: Table[Empire], seat: Seat) -> None:
        offer(table, seat, check_give_country(table.state, seat, self.country, self.to))


class GiveControl(SlotOrder, frozen=True):
    """Self-mobile pieces handed to another country, without condition (emp.P12)."""

    units: tuple[int, ...]
    to: str
    some: tuple[Some, ...] = ()

    words = Words(
        "GIVE",
        "hand units, or goods where both are, to another country, or a whole country to a player; he has to ACCEPT",
        "emp.P12",
        "GIVE {who} TO {other}",
    )
    fields = (Group("what", kinds=(*CARGO, "country")), _TO)
    says = "Hand {what} to {to}."
    shapes: ClassVar[tuple[type[Declared[Empire]], ...]] = (GiveGoods, GiveCountry)

    @classmethod
    def read(cls, said: Said) -> Declared[Empire]:
        """Goods and whole countries are other orders."""
        things, at = said.order.things, place(said.state, said.order, "IN", "AT")
        if things[0].kind == "country":
            if len(things) > 1:
                raise Refused("Give a country in an order of its own.", "emp.P12", things[1].name)
            return GiveCountry.read(said)
        found = cargo(said.state, said.seat, things, at)
        if found.goods and (found.units or found.some):
            raise Refused("Give goods and units in two orders.", "emp.P12", things[-1].name)
        if found.goods and not at:
            raise Refused("Say in which square the goods change hands.", "emp.H-23", things[0].name)
        return GiveGoods.read(said) if found.goods else super().read(said)

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[SlotOrder]:
        """Goods where another country has somebody, units alike, or a whole country, the first of one's own last; to whom."""
        lands = list(_countries(empire, seat))
        what = yield from one("what", [*lands[:-1], *_goods(empire, seat), *_units(empire, seat), *lands[-1:]])
        to = yield from one("to", [Choice(name, name) for name in _takers(empire, seat, what)])
        if isinstance(what, str):
            return GiveCountry(what, to)
        if isinstance(what, _Heap):
            many = yield from how_many(word_for(what.what), _gives(empire, seat, what, to), _held(empire, seat, what))
            return GiveGoods(_goods_of(what, many), to, what.at)
        return cls(what[: (yield from number("how many", "units", 1, len(what)))], to)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        offer(table, seat, check_give(table.state, seat, self.units, self.to))


class _Heap(NamedTuple):
    """Goods of a kind in a square."""

    what: str
    at: Position


def _goods_of(heap: _Heap, many: int) -> tuple[Goods, ...]:
    return (Goods(heap.what, exact(many)),)


def _gives(empire: Empire, seat: Seat, heap: _Heap, to: str) -> Callable[[int], bool]:
    return lambda many: granted(check_give_goods, empire, seat, _goods_of(heap, many), to, heap.at)


def _held(empire: Empire, seat: Seat, heap: _Heap) -> int:
    return max(held(empire, country.name, heap.at, heap.what) for country in empire.owned(seat))


_What = tuple[int, ...] | _Heap | str


def _takers(empire: Empire, seat: Seat, what: _What) -> Iterator[str]:
    """The countries to which it may be given."""
    for name in empire.countries:
        if isinstance(what, str):
            may = granted(check_give_country, empire, seat, what, name)
        elif isinstance(what, _Heap):
            may = granted(check_give_goods, empire, seat, _goods_of(what, 1), name, what.at)
        else:
            may = granted(check_give, empire, seat, what, name)
        if may:
            yield name


def _given(empire: Empire, seat: Seat, choice: Choice[_What]) -> Iterator[Choice[_What]]:
    if any(True for _ in _takers(empire, seat, choice.value)):
        yield choice


def _units(empire: Empire, seat: Seat) -> Iterator[Choice[_What]]:
    for same in alike(empire, of_seat(empire, seat)):
        found = group(same)
        yield from _given(empire, seat, Choice(found.word, found.value, found.meaning, found.at))


def _goods(empire: Empire, seat: Seat) -> Iterator[Choice[_What]]:
    """What one has where somebody of another country is, or a city of it."""
    there: dict[Position, set[str]] = {}
    whose = [(unit.at, unit.country) for unit in empire.units.values()]
    for at, country in (*whose, *((city.at, city.country) for city in empire.cities.values())):
        there.setdefault(at, set()).add(country)
    mine = [country.name for country in empire.owned(seat)]
    heaps = dict.fromkeys(_Heap(lot.what, lot.at) for lot in empire.lots if lot.country in mine)
    for heap in heaps:
        if len(there.get(heap.at, ())) > 1:
            word = f"{word_for(heap.what)} in {heap.at}"
            yield from _given(empire, seat, Choice(word, heap, "", heap.at))


def _countries(empire: Empire, seat: Seat) -> Iterator[Choice[_What]]:
    for country in reversed(empire.owned(seat)):
        yield from _given(empire, seat, Choice(country.name, country.name, "the whole country"))


# ---------------------------------------------------------------- what was given is taken


class AcceptControl(AsideOrder, frozen=True):
    """A transfer of control accepted."""

    number: int

    words = Words("ACCEPT", "accept a transfer by its number; done at once", "emp.P12", "ACCEPT 1")
    fields = (Number("number"),)
    says = "Accept transfer {number}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        mine = [transfer for transfer in empire.transfers if granted(check_accept, empire, seat, transfer.number)]
        return cls((yield from one("number", [_waits(empire, transfer) for transfer in mine])))

    def check(self, empire: Empire, seat: Seat) -> None:
        check_accept(empire, seat, self.number)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        do_accept(table, seat, self.number)


def _waits(empire: Empire, transfer: Transfer) -> Choice[int]:
    return Choice(
        str(transfer.number), transfer.number, f"{transfer.giver} gives {wares(empire, transfer)}", transfer.at
    )


# ---------------------------------------------------------------- foreign exchange


class _Points(Field[int | Quantity]):
    """So many points: `2`, `3 points`, `all`, `half the points`."""

    def read(self, said: Said) -> int | Quantity:
        thing = said.order.things[0]
        meant = Quantity(Portion.ALL) if thing.kind == "any" else quantity_of(thing)
        return meant.number if meant.portion is Portion.EXACTLY else meant

    def things(self, value: int | Quantity, state: Empire) -> tuple[Thing, ...]:
        if isinstance(value, int):
            return (Thing("number", str(value), exact(value)),)
        return (Thing("points", "points", value),)


class Exchange(SlotOrder, frozen=True):
    """Foreign exchange sent (emp.H-17)."""

    points: int | Quantity
    to: str

    words = Words("EXCHANGE", "send points of foreign exchange", "emp.H-17", "EXCHANGE 2 TO {other}")
    fields = (
        _Points(
            "points",
            ("number", "points", "any"),
            say=lambda points: str(points) if isinstance(points, int) else amount(points),
        ),
        One("to", ("country",), "TO", taken=str),
    )
    says = "Send {points} points of foreign exchange to {to}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """To a country of another, and how many of the points that one's strongest country has left."""
        most = max((may_send(empire, country) for country in empire.owned(seat)), default=0)
        others = [name for name in empire.countries if most and granted(can_exchange, empire, seat, 1, name)]
        to = yield from one("to", [Choice(name, name) for name in others])
        points = yield from quantity("points", "points", most, most)
        return cls(points if points.portion is Portion.ALL else points.number, to)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        table.emit(can_exchange(table.state, seat, self.points, self.to))


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
