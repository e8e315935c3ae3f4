"""What bots make: power and factories for the arms and goods they want, hands kept to run them, goods carried home."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.choices import Pick
from referee.core.order import Intent, Portion, Quantity
from referee.games.empire.countries import Country
from referee.games.empire.distance import reach, steps
from referee.games.empire.kinds import ALLOWANCE, GOODS, KINDS
from referee.games.empire.naming import Goods
from referee.games.empire.orders.build import Build
from referee.games.empire.orders.industry import consumed, run
from referee.games.empire.orders.loading import Load, Unload
from referee.games.empire.orders.move import MoveUnits
from referee.games.empire.orders.razing import Destroy, Scrap
from referee.games.empire.pieces import City, Position, Unit
from referee.games.empire.plans import PLANS, Plan
from referee.games.empire.shopfloor import idle_factories
from referee.games.empire.state import Empire
from referee.games.empire.steps.bands import forbids
from referee.games.empire.steps.cities import standing
from referee.games.empire.steps.power import STATION
from referee.games.empire.structures import own_factories

_CARTERS = 4
"""Coolies that a bot sends out for goods each turn."""

_HOME = ALLOWANCE // 2
"""So far a carter goes: there and back in a turn."""

_GUNS = ("ack-ack site", "gun site")
"""What is installed before anything else, where there are guns."""

_LANDWARD = ("power station", "small arms works", "heavy arms works", "air works", "motor works", "beer distillery")
_SEAWARD = ("power station", "naval shipyard", "heavy arms works", "water distillery", "cargo shipyard")
"""What a bot's cities have first, in this order, one time in two; otherwise anything that can be built.

Every second seat builds for the sea where its city has a coast.
"""


def hands(empire: Empire, country: Country, free: list[Unit]) -> None:
    """Take out of the free coolies those who stay to run factories and stations: one for each."""
    for at, _ in own_factories(empire, country.name):
        stays = next((unit for unit in free if unit.at == at), None)
        if stays is not None:
            free.remove(stays)


def industry(empire: Empire, country: Country, free: list[Unit], pick: Pick) -> Iterator[Intent]:
    """A machine or two at work in every city, every factory that can run told to, and what was made consumed."""
    for city in [city for city in empire.cities.values() if city.country == country.name]:
        yield from _works(empire, country, city, free, pick)
    for idle in idle_factories(empire, country):
        if idle.runs and pick(5):
            told = idle.runs[pick(len(idle.runs))]
            yield run(empire, told)
    for feast, _ in consumed(empire, country):
        if pick(3):
            yield feast


def _works(empire: Empire, country: Country, city: City, free: list[Unit], pick: Pick) -> Iterator[Intent]:
    here = [unit for unit in free if unit.at == city.at and not forbids(empire, country.name, "build")]
    stock = empire.stock(country.name, city.at)
    if here and empire.turn <= city.built + 1 and not city.capital:
        yield Build(here[-1].number, ("dock", "airport", "warehouse")[pick(3)])
    for unit in here[: 1 + pick(2)]:
        free.remove(unit)
        yield from _work(empire, city, unit, stock, pick)
    if not city.capital and not pick(12):
        yield from (Destroy("city", unit.number) for unit in here[-1:])


def _work(empire: Empire, city: City, unit: Unit, stock: dict[str, int], pick: Pick) -> Iterator[Intent]:
    """What is wanted first or anything that the stock allows; now and then something is pulled down."""
    able = [plan.name for plan in PLANS.values() if _fits(empire, city, plan, stock)]
    there = [*standing(empire, city.at), *(work.what for work in empire.works if work.at == city.at)]
    planes = any(KINDS[unit.kind].category == "air" for unit in empire.units_at(city.at))
    seaward = empire.board.coastal(city.at) and empire.seats.index(empire.countries[city.country].owner) % 2
    first, *others = _SEAWARD if seaward else _LANDWARD
    wanted = [*_GUNS, first, *(("airport",) if planes else ()), *others]
    missing = [name for name in wanted if name in able and name not in there]
    if missing and (STATION not in there or pick(2)):
        able = missing[:1]
    if able and pick(6):
        name = able[pick(len(able))]
        for what, number in {"cmx": 1, **PLANS[name].materials}.items():
            stock[what] -= number
        yield Build(unit.number, name, f"Fort {unit.number}" if PLANS[name].sort == "city" else "")
    elif there and not pick(3):
        gone = there[pick(len(there))]
        yield Scrap(unit.number, gone) if pick(3) else Destroy(gone, unit.number)


def _fits(empire: Empire, city: City, plan: Plan, stock: dict[str, int]) -> bool:
    """Whether a bot would try to build something in a city: the goods are there, and a coast or airport it needs."""
    coast = not plan.coast or empire.board.coastal(city.at)
    field = not plan.airport or city.airports
    return plan.sort != "line" and bool(coast and field) and _has(stock, {"cmx": 1, **plan.materials})


def _has(stock: dict[str, int], needs: dict[str, int]) -> bool:
    return all(stock.get(what, 0) >= number for what, number in needs.items())


# ---------------------------------------------------------------- goods home


def haulage(empire: Empire, country: Country, free: list[Unit], pick: Pick) -> Iterator[Intent]:
    """Coolies of a city go out for what the squares around gave, and bring it home."""
    cities = {city.at: city for city in empire.cities.values() if city.country == country.name}
    lying = [lot for lot in empire.lots if lot.country == country.name and not lot.aboard and lot.at not in cities]
    for unit in [unit for unit in free if unit.at in cities][:_CARTERS]:
        near = reach(steps(empire, KINDS[unit.kind]), (unit.at,), _HOME - unit.spent)
        found = [lot for lot in lying if lot.at in near and lot.what != "food"]
        if not found:
            continue
        lot = found[pick(len(found))]
        lying.remove(lot)
        free.remove(unit)
        number = min(lot.number, KINDS[unit.kind].carries // GOODS[lot.what])
        yield from _fetched(unit, lot.at, _exactly(lot.what, number))


def _fetched(unit: Unit, at: Position, load: Goods) -> Iterator[Intent]:
    yield MoveUnits((unit.number,), at)
    yield Load(unit.number, (load,))
    yield MoveUnits((unit.number,), unit.at)
    yield Unload(unit.number, (load,))


def outpost(empire: Empire, country: Country, free: list[Unit], pick: Pick) -> Iterator[Intent]:
    """Two coolies carry a machine and what a mine takes to a square some way off, and one of them builds it there."""
    for city in [city for city in empire.cities.values() if city.country == country.name]:
        stock = empire.stock(country.name, city.at)
        pair = [unit for unit in free if unit.at == city.at][:2]
        there = list(reach(steps(empire, KINDS["coolie"]), (city.at,), _HOME))[1:]
        if len(pair) == 2 and there and _has(stock, {"cmx": 2, **PLANS["mine"].materials}) and not pick(3):
            builder, helper = pair
            at = there[pick(len(there))]
            yield Load(builder.number, (_exactly("cmx"), _exactly("Bm")))
            yield Load(helper.number, (_exactly("t&d"),))
            yield MoveUnits((builder.number, helper.number), at)
            yield Unload(helper.number, (_exactly("t&d"),))
            yield Build(builder.number, ("mine", "well")[pick(2)])
            for unit in pair:
                free.remove(unit)


def _exactly(what: str, number: int = 1) -> Goods:
    return Goods(what, Quantity(Portion.EXACTLY, number))
