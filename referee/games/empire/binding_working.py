"""Orders that work squares, build, found, run, scrap and destroy -> intents (III, IV)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent, Order, Portion, Quantity, Thing
from referee.games.empire.binding_units import cargo, hand, one_unit, place, quantity_of
from referee.games.empire.intents import (
    Abandon,
    Appoint,
    Burn,
    Consume,
    Destroy,
    Develop,
    Found,
    Goods,
    Produce,
    Scrap,
)
from referee.games.empire.nouns import GOODS_WORDS, GRADES, KIND_WORDS
from referee.games.empire.plans import PLANS
from referee.games.empire.state import Empire
from referee.kit.refused import Refused

__all__ = [
    "bind_abandon", "bind_appoint", "bind_burn", "bind_consume",
    "bind_destroy", "bind_found",
    "bind_run", "bind_scrap", "bind_work",
]  # fmt: skip


# ---------------------------------------------------------------- squares


def bind_work(empire: Empire, seat: Seat, order: Order) -> Intent:
    """WORK farm WITH coolie 14; WORK Fe IN c12r7 AS double."""
    (thing,) = order.things
    grade = next((GRADES[word.name] for word in order.after("AS")), 0)
    unit, some = hand(empire, seat, order)
    return Develop(unit, _yield(thing), grade, some)


def _yield(thing: Thing) -> str:
    return thing.name if thing.kind == "crop" else GOODS_WORDS[thing.name]


def bind_abandon(empire: Empire, seat: Seat, order: Order) -> Intent:
    """ABANDON farm IN c12r7."""
    return Abandon(place(empire, order, "IN", "AT"), _yield(order.things[0]))


# ---------------------------------------------------------------- building


def bind_found(empire: Empire, seat: Seat, order: Order) -> Intent:
    """FOUND "New Rome" WITH coolie 14."""
    unit, some = hand(empire, seat, order)
    return Found(unit, order.things[0].name, some)


def bind_run(empire: Empire, seat: Seat, order: Order) -> Intent:
    """RUN steel mill IN Rome FOR 3 St: three runs."""
    at, product = place(empire, order, "IN"), order.after("FOR")[0]
    city = empire.city_at(at)
    what = KIND_WORDS[product.name] if product.kind == "unit" else GOODS_WORDS[product.name]
    factory = order.things[0].name
    if PLANS[factory].sort != "factory":
        raise Refused(f"A {factory} is no factory.", "emp.H-20", factory)
    return Produce(city.name if city is not None else at, factory, what, quantity_of(product).number or 1)


def bind_appoint(empire: Empire, seat: Seat, order: Order) -> Intent:
    """APPOINT coolie 14; APPOINT coolie IN Rome."""
    found = cargo(empire, seat, order.things, place(empire, order, "IN", "AT"))
    if found.some and (len(found.some) > 1 or found.some[0].quantity.number != 1):
        raise Refused("One coolie is made an ambassador at a time.", "emp.H-07", order.things[0].name)
    return Appoint(found.units[0] if found.units else 0, found.some)


def bind_consume(empire: Empire, seat: Seat, order: Order) -> Intent:
    """CONSUME 2 beer IN Rome; CONSUME yacht 14; CONSUME 2 bicycles IN Rome."""
    at = place(empire, order, "IN", "AT")
    named = cargo(empire, seat, order.things, at)
    return Consume(named.goods, named.units, at, named.some)


# ---------------------------------------------------------------- destroying


def bind_scrap(empire: Empire, seat: Seat, order: Order) -> Intent:
    """SCRAP steel mill WITH coolie 14."""
    unit, some = hand(empire, seat, order)
    return Scrap(unit, order.things[0].name, some)


def bind_destroy(empire: Empire, seat: Seat, order: Order) -> Intent:
    """DESTROY steel mill WITH coolie 14, or DESTROY coolie 14: the unit itself."""
    (thing,) = order.things
    if thing.kind == "plan":
        unit, some = hand(empire, seat, order)
        return Destroy(thing.name, unit, some)
    at = place(empire, order, "IN", "AT")
    if thing.kind == "unit" and at:
        return Destroy("itself", 0, cargo(empire, seat, order.things, at).some)
    return Destroy("itself", one_unit(empire, seat, order.things, order.verb))


def bind_burn(empire: Empire, seat: Seat, order: Order) -> Intent:
    """BURN 2 X IN c12r7."""
    at = place(empire, order, "IN", "AT")
    goods = tuple(Goods(GOODS_WORDS[t.name], t.quantity or Quantity(Portion.ALL)) for t in order.things)
    if not at:
        raise Refused("Say where: BURN ... IN c12r7.", "emp.board.destruction", order.things[0].name)
    return Burn(goods, at)
