"""RUN and CONSUME: factories run for a product, and consumer goods consumed for EDU (emp.H-20, emp.H-22)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Thing
from referee.games.empire.deeds import Stage
from referee.games.empire.deeds.debts_and_petitions import check_band
from referee.games.empire.deeds.works import (
    CONSUMABLE,
    STILL,
    edu_of_good,
    idle_factories,
    ready_to_consume,
    runs_of,
    standing_of,
)
from referee.games.empire.events.work import GoodsConsumed, RunOrdered
from referee.games.empire.orders.base import Deed
from referee.games.empire.orders.fields import PLACE, Heap, Heaped, Lading, Place, Planned, hexes
from referee.games.empire.orders.units import place, quantity_of
from referee.games.empire.position import City, Lot, Position, Run, Unit
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.reckoning.carrying import open_berth
from referee.games.empire.reckoning.ownership import UNCONSUMED, Goods, Some, unit_of
from referee.games.empire.reckoning.supply import held, lots_at, taken
from referee.games.empire.reckoning.work import STATION, own_factories
from referee.games.empire.rulebook.kinds import GOODS, GOODS_WORDS, KIND_WORDS, KINDS, plural, word_for
from referee.games.empire.rulebook.plans import FACTORIES, PLANS, Recipe, a, recipe_for
from referee.kit.declared import Plain, Words
from referee.kit.fields import Field, Got, Joint, Said, exact
from referee.kit.refused import Refused
from referee.kit.wording import counted

# ---------------------------------------------------------------- RUN


class _Factory(Planned):
    def read(self, said: Said) -> str:
        factory = super().read(said)
        if PLANS[factory].sort != "factory":
            raise Refused(f"A {factory} is no factory.", "emp.H-20", factory)
        return factory


class _Site(Field[str]):
    """A city by its name, or a square."""

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
        """Where a seat has factories."""
        found = _factories_of(state, seat)
        for at in dict.fromkeys(at for at, _ in found):
            kinds = dict.fromkeys(kind for place, kind in found if place == at)
            yield Choice(at, _name_of(state, at), ", ".join(kinds), at)

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return {"IN": PLACE, "AT": PLACE}

    def read(self, said: Said) -> str:
        at = place(said.state, said.order, self.under)
        city = said.state.city_at(at)
        return city.name if city is not None else at

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return hexes([state.cities[value].at if value in state.cities else value])


def _factories_there(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    there = _square_of(empire, got["city"])
    kinds = dict.fromkeys(kind for at, kind in _factories_of(empire, seat) if at == there)
    return (Choice(kind, kind, "", there) for kind in kinds)


class _Output(Heaped[tuple[Any, ...]], Joint):
    """So many of a product."""

    joins = ("product", "number")

    def __init__(self) -> None:
        super().__init__("output", ("goods", "unit"), "FOR", lambda value: f"{value[1]} {value[0]}")

    def read(self, said: Said) -> tuple[Any, ...]:
        product, *more = said.after(self.under)
        if more:
            raise Refused("RUN is for one product of a factory; each has a line of its own.", "emp.H-20", more[-1].name)
        what = KIND_WORDS[product.name] if product.kind == "unit" else GOODS_WORDS[product.name]
        return what, quantity_of(product).number or 1

    def heaps(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[Heap]]:
        """The products of the factories of a kind, as far as their runs allow."""
        factory, at = got["factory"], _square_of(state, got["city"])
        recipes = FACTORIES[factory].recipes if factory in FACTORIES else ()
        for product in dict.fromkeys(what for recipe in recipes for what in recipe.makes):
            runs = _factories_of(state, seat).count((at, factory)) * FACTORIES[factory].runs
            most = runs * max(recipe.makes.get(product, 0) for recipe in recipes)
            yield Choice(word_for(product), Heap(product, most, partial(_made, product)))

    def things(self, value: tuple[Any, ...], state: Empire) -> tuple[Thing, ...]:
        what, number = value
        if what in GOODS or what == "power":
            return (Thing("goods", word_for(what), exact(number)),)
        return (Thing("unit", plural(what), exact(number)),)


def _made(product: str, number: int) -> tuple[Any, ...]:
    return product, number


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
    plain = Plain("Run a factory", rank=8)
    fields = (_Factory("factory", among=_factories_there), _Site("city", PLACE, "IN"), _Output())
    says, asks_first = "Run the {factory} of {city} for {output}.", ("city",)

    @classmethod
    def proposed(cls, empire: Empire, seat: Seat) -> Iterable[Produce]:
        """The products that idle factories could make of the goods there."""
        for country in empire.owned(seat):
            for found in idle_factories(empire, country):
                yield from (run(empire, told) for told in found.runs[:1])

    def act(self, stage: Stage, seat: Seat) -> None:
        empire, factory, product = stage.state, self.factory, self.product
        at = _square_of(empire, self.city)
        country = self._owner(empire, seat, at)
        recipe = self._recipe()
        check_band(empire, country, "factory")
        number = -(-self.number // recipe.makes[product]) * recipe.makes[product]
        run = Run(country, at, factory, product, number)
        ordered = [other for other in empire.runs if (other.country, other.at, other.factory) == (country, at, factory)]
        left = standing_of(empire, run) * FACTORIES[factory].runs - sum(map(runs_of, ordered))
        if runs_of(run) > left:
            most = left // recipe.runs * recipe.makes[product]
            instead = (f"RUN {factory} IN {self.city} FOR {most} {product}",) if most else ()
            has = f"The {factory} in {at} has {counted(left, 'runs')} left this turn"
            raise Refused(f"{has}; {number} {product} take {runs_of(run)}.", "emp.H-20", str(number), instead)
        stage.emit(RunOrdered(run))

    def _owner(self, empire: Empire, seat: Seat, at: Position) -> str:
        """The country of the seat whose factory it is."""
        mine = [country.name for country in empire.owned(seat)]
        found = next((name for name in mine if (at, self.factory) in own_factories(empire, name)), None)
        if found is None:
            here = dict.fromkeys(
                kind for place, kind in _factories_of(empire, seat) if place == at and kind in FACTORIES
            )
            has = f"you have {' and '.join(map(a, here))} there" if here else "you have none there"
            raise Refused(f"No {self.factory} of yours stands in {at}; {has}.", "emp.H-20", self.factory)
        return found

    def _recipe(self) -> Recipe:
        factory, product = self.factory, self.product
        if factory == STATION:
            why = "A power station runs by itself when factories draw on it; keep a coolie and C or O with it."
            raise Refused(why, "emp.H-19", STATION)
        if factory == STILL:
            raise Refused("A water distillery runs by itself when it has a coolie and power.", "emp.H-20", STILL)
        if factory not in FACTORIES:
            raise Refused(f"{a(factory).capitalize()} is not run.", "emp.H-20", factory)
        recipe = recipe_for(factory, product)
        if recipe is None:
            made = dict.fromkeys(what for other in FACTORIES[factory].recipes for what in other.makes)
            instead = tuple(f"RUN {factory} IN {self.city} FOR 1 {what}" for what in made)
            raise Refused(f"{a(factory).capitalize()} makes no {product}.", "emp.H-20", product, instead)
        return recipe


def run(empire: Empire, told: Run) -> Produce:
    """The order that tells a factory to make this."""
    return Produce(_name_of(empire, told.at), told.factory, told.product, told.number)


def _factories_of(empire: Empire, seat: Seat) -> list[tuple[Position, str]]:
    """Every factory of a seat's countries, as square and kind."""
    return [found for country in empire.owned(seat) for found in own_factories(empire, country.name)]


def _name_of(empire: Empire, at: Position) -> str:
    city = empire.city_at(at)
    return city.name if city is not None else at


def _square_of(empire: Empire, site: str) -> Position:
    return empire.cities[site].at if site in empire.cities else site


# ---------------------------------------------------------------- CONSUME


def _own_cities(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[Position]]:
    mine = [country.name for country in empire.owned(seat)]
    return (Choice(city.at, city.at, city.name, city.at) for city in empire.cities.values() if city.country in mine)


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
    plain = Plain("Use up")
    fields = (
        Place("at", "IN", "AT", lambda at: f" in {at}" if at else "", needed=False, among=_own_cities),
        Lading("load", lambda said: str(said.got["at"]), usual=lambda held: held),
    )
    says = "Consume {load}{at}."

    @classmethod
    def proposed(cls, empire: Empire, seat: Seat) -> Iterable[Consume]:
        """All that lies ready, an order for each kind."""
        return (order for country in empire.owned(seat) for order, _ in consumed(empire, country))

    def act(self, stage: Stage, seat: Seat) -> None:
        empire = stage.state
        units = [self._good(unit_of(empire, seat, number)) for number in self.units]
        city = self._city(empire, seat, self.at or (units[0].at if units else ""))
        for unit in units:
            if unit.at != city.at:
                words = f"{unit.kind} {unit.number} is in {unit.at}, not in {city.name}."
                raise Refused(words, "emp.H-22", str(unit.number))
        if all(unit.at != city.at for unit in empire.units_of(city.country, "coolie")):
            raise Refused(f"No coolie of yours is in {city.name} to consume it.", "emp.H-22", city.name)
        lots = tuple(lot for goods in self.goods for lot in self._lots(empire, city, goods))
        whats = [(lot.what, lot.number) for lot in lots] + [(unit.kind, 1) for unit in units]
        edu = sum(number * edu_of_good(empire, what) for what, number in whats)
        ready = tuple((unit.number, unit.kind, self._ready(empire, unit)) for unit in units)
        stage.emit(GoodsConsumed(city.country, city.at, lots, ready, edu))

    def _good(self, unit: Unit) -> Unit:
        if not KINDS[unit.kind].consumer:
            raise Refused(f"{unit.kind} {unit.number} is no consumer good.", "emp.H-22", str(unit.number))
        if unit.status != UNCONSUMED:
            raise Refused(f"{unit.kind} {unit.number} is consumed already.", "emp.H-22", str(unit.number))
        return unit

    def _city(self, empire: Empire, seat: Seat, at: Position) -> City:
        mine, city = [country.name for country in empire.owned(seat)], empire.city_at(at)
        if city is None or city.country not in mine:
            own = [found.name for found in empire.cities.values() if found.country in mine]
            words = f"Goods are consumed in a city of your own; {at or 'no city'} is none."
            raise Refused(words, "emp.H-22", at, tuple(own[:3]))
        return city

    def _lots(self, empire: Empire, city: City, goods: Goods) -> tuple[Lot, ...]:
        what = goods.what
        if what not in CONSUMABLE:
            raise Refused(f"{what} is no consumer good.", "emp.H-22", what)
        have = held(empire, city.country, city.at, what)
        number = goods.quantity.of(have)
        if not 0 < number <= have:
            instead = (f"CONSUME {have} {what} IN {city.name}",) if have else ()
            raise Refused(f"{city.country} has {have or 'no'} {what} in {city.name}.", "emp.H-22", what, instead)
        return taken(lots_at(empire, city.country, city.at, what), number)

    def _ready(self, empire: Empire, unit: Unit) -> str:
        """How a unit stands that may now be used."""
        if KINDS[unit.kind].category != "naval":
            return ""
        return "dock" if open_berth(empire, unit, "dock") else "beach"


def consumed(empire: Empire, country: Country) -> Iterator[tuple[Consume, int]]:
    """Orders that would consume what lies ready in a city with a coolie, and the EDU each gives now (emp.H-22)."""
    for at, what, number in ready_to_consume(empire, country):
        if what:
            yield Consume((Goods(what, exact(number)),), (), at), number * edu_of_good(empire, what)
        else:
            yield Consume((), (number,), at), edu_of_good(empire, empire.units[number].kind)
