"""RUN and CONSUME: factories run for a product, and consumer goods consumed for EDU (emp.H-20, emp.H-22)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Self

from referee.core.choices import Asking, Choice, one
from referee.core.names import Seat
from referee.core.order import Thing
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.deeds.work.producing import CONSUMABLE, can_consume, can_run, edu_of_good
from referee.games.empire.deeds.work.shopfloor import idle_factories, ready_to_consume
from referee.games.empire.orders.base import Deed
from referee.games.empire.orders.fields import PLACE, Lading, Place, Planned, hexes
from referee.games.empire.orders.units import alike, group, how_many, of_seat, place, quantity_of
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Position, Run
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Goods, Some
from referee.games.empire.reckoning.ownership import UNCONSUMED
from referee.games.empire.reckoning.work import own_factories
from referee.games.empire.rulebook.kinds import GOODS, GOODS_WORDS, KIND_WORDS, plural, word_for
from referee.games.empire.rulebook.plans import FACTORIES, PLANS
from referee.kit.declared import Words
from referee.kit.fields import Field, Joint, Said, exact
from referee.kit.refused import Refused

# ---------------------------------------------------------------- RUN


class _Factory(Planned):
    def read(self, said: Said) -> str:
        factory = super().read(said)
        if PLANS[factory].sort != "factory":
            raise Refused(f"A {factory} is no factory.", "emp.H-20", factory)
        return factory


class _Site(Field[str]):
    """A city by its name, or a square."""

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return {"IN": PLACE, "AT": PLACE}

    def read(self, said: Said) -> str:
        at = place(said.state, said.order, self.under)
        city = said.state.city_at(at)
        return city.name if city is not None else at

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return hexes([state.cities[value].at if value in state.cities else value])


class _Output(Joint):
    """So many of a product."""

    joins = ("product", "number")

    def __init__(self) -> None:
        super().__init__("output", ("goods", "unit"), "FOR", lambda value: f"{value[1]} {value[0]}")

    def read(self, said: Said) -> tuple[Any, ...]:
        product = said.after(self.under)[0]
        what = KIND_WORDS[product.name] if product.kind == "unit" else GOODS_WORDS[product.name]
        return what, quantity_of(product).number or 1

    def things(self, value: tuple[Any, ...], state: Empire) -> tuple[Thing, ...]:
        what, number = value
        if what in GOODS or what == "power":
            return (Thing("goods", word_for(what), exact(number)),)
        return (Thing("unit", plural(what), exact(number)),)


class Produce(Deed, frozen=True):
    """A factory run for so many of a product, in a city or a square (emp.H-20)."""

    city: str
    factory: str
    product: str
    number: int = 1

    words = Words(
        "RUN",
        "run a factory of a city for so many of its products",
        "emp.H-20",
        "RUN steel mill IN c12r7 FOR 3 St",
        ("PRODUCE WITH",),
    )
    fields = (_Factory("factory", ("plan",)), _Site("city", PLACE, "IN"), _Output())
    says = "Run the {factory} of {city} for {output}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Where, which kind of factory with runs left, for what, and for how much of it."""
        places: dict[Position, list[str]] = {}
        for at, factory in _with_runs_left(empire, seat):
            places.setdefault(at, []).append(factory)
        at = yield from one("where", (Choice(at, at, ", ".join(kinds), at) for at, kinds in places.items()))
        factory = yield from one("factory", (Choice(kind, kind, "", at) for kind in places[at]))
        site = _name_of(empire, at)
        product = yield from one("product", _products(empire, seat, site, factory))
        runs = _factories_of(empire, seat).count((at, factory)) * FACTORIES[factory].runs
        most = runs * max(recipe.makes.get(product, 0) for recipe in FACTORIES[factory].recipes)
        many = yield from how_many(
            product, lambda number: cls(site, factory, product, number).lawful(empire, seat), most
        )
        return cls(site, factory, product, many)

    @classmethod
    def proposed(cls, empire: Empire, seat: Seat) -> Iterable[Produce]:
        """What idle factories could make of what lies there."""
        for country in empire.owned(seat):
            for found in idle_factories(empire, country):
                yield from (run(empire, told) for told in found.runs[:1])

    def act(self, stage: Stage, seat: Seat) -> None:
        stage.emit(can_run(stage.state, seat, self.city, self.factory, self.product, self.number))


def run(empire: Empire, told: Run) -> Produce:
    """The order that tells a factory to make this."""
    return Produce(_name_of(empire, told.at), told.factory, told.product, told.number)


def _factories_of(empire: Empire, seat: Seat) -> list[tuple[Position, str]]:
    """Every factory of a seat's countries, as square and kind."""
    return [found for country in empire.owned(seat) for found in own_factories(empire, country.name)]


def _with_runs_left(empire: Empire, seat: Seat) -> Iterator[tuple[Position, str]]:
    for at, factory in dict.fromkeys(_factories_of(empire, seat)):
        if factory in FACTORIES and any(True for _ in _products(empire, seat, _name_of(empire, at), factory)):
            yield at, factory


def _products(empire: Empire, seat: Seat, site: str, factory: str) -> Iterator[Choice[str]]:
    for product in dict.fromkeys(what for recipe in FACTORIES[factory].recipes for what in recipe.makes):
        if Produce(site, factory, product).lawful(empire, seat):
            yield Choice(word_for(product), product)


def _name_of(empire: Empire, at: Position) -> str:
    city = empire.city_at(at)
    return city.name if city is not None else at


# ---------------------------------------------------------------- CONSUME


class Consume(Deed, frozen=True):
    """Consumer goods consumed in a city, for EDU (emp.H-22)."""

    goods: tuple[Goods, ...] = ()
    units: tuple[int, ...] = ()
    at: str = ""
    some: tuple[Some, ...] = ()

    words = Words(
        "CONSUME",
        "consume consumer goods in a city of yours, for EDU; vehicles, ships and planes may be used from then on",
        "emp.H-22",
        "CONSUME 1 beer IN c12r7",
        ("ENJOY",),
    )
    fields = (
        Place("at", "IN", "AT", lambda at: f" in {at}" if at else "", needed=False),
        Lading("load", lambda said: str(said.got["at"])),
    )
    says = "Consume {load}{at}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """A city with somebody to consume it, what, and how much, all of it first."""
        at = yield from one("where", _feasts(empire, seat))
        what = yield from one("what", _consumables(empire, seat, at))
        if isinstance(what, tuple):
            many = yield from how_many("units", lambda many: cls((), what[:many], at).lawful(empire, seat), len(what))
            return cls((), what[:many], at)
        held = sum(lot.number for lot in empire.lots if (lot.what, lot.at) == (what, at))
        many = yield from how_many(
            what, lambda many: cls((_some(what, many),), (), at).lawful(empire, seat), held, held
        )
        return cls((_some(what, many),), (), at)

    @classmethod
    def proposed(cls, empire: Empire, seat: Seat) -> Iterable[Consume]:
        """All that lies ready, an order for each kind."""
        return (order for country in empire.owned(seat) for order, _ in consumed(empire, country))

    def act(self, stage: Stage, seat: Seat) -> None:
        stage.emit(can_consume(stage.state, seat, self.goods, self.units, self.at))


def consumed(empire: Empire, country: Country) -> Iterator[tuple[Consume, int]]:
    """Orders that would consume what lies ready in a city with a coolie, and the EDU each gives now (emp.H-22)."""
    for at, what, number in ready_to_consume(empire, country):
        if what:
            yield Consume((_some(what, number),), (), at), number * edu_of_good(empire, what)
        else:
            yield Consume((), (number,), at), edu_of_good(empire, empire.units[number].kind)


def _some(what: str, number: int) -> Goods:
    return Goods(what, exact(number))


def _feasts(empire: Empire, seat: Seat) -> Iterator[Choice[Position]]:
    for country in empire.owned(seat):
        for city in empire.cities.values():
            if city.country == country.name and any(True for _ in _consumables(empire, seat, city.at)):
                yield Choice(city.at, city.at, city.name, city.at)


def _consumables(empire: Empire, seat: Seat, at: Position) -> Iterator[Choice[str | tuple[int, ...]]]:
    lying = dict.fromkeys(lot.what for lot in empire.lots if lot.at == at and lot.what in CONSUMABLE)
    for what in lying:
        if Consume((_some(what, 1),), (), at).lawful(empire, seat):
            yield Choice(word_for(what), what, f"{edu_of_good(empire, what)} EDU each", at)
    new = [unit for unit in of_seat(empire, seat) if (unit.at, unit.status) == (at, UNCONSUMED)]
    for same in alike(empire, new):
        if Consume((), (same[0].number,), at).lawful(empire, seat):
            yield group(same)
