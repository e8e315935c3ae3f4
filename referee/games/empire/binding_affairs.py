"""Orders between players -> intents: control, countries split off (I)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent, Order
from referee.games.empire.binding_units import cargo, one_unit, place
from referee.games.empire.intents import Balkanize, GiveControl, GiveCountry, GiveGoods, Seize, SeizeGoods
from referee.games.empire.state import Empire
from referee.games.empire.steps.seizing import takers
from referee.kit.refused import Refused

__all__ = ["bind_balkanize", "bind_give", "bind_seize"]


def bind_give(empire: Empire, seat: Seat, order: Order) -> Intent:
    """GIVE coolie 14 TO Blue; GIVE 5 food TO Blue IN c12r7; GIVE Northland TO Blue."""
    to, at = order.after("TO")[0].name, place(empire, order, "IN", "AT")
    if order.things[0].kind == "country":
        if len(order.things) > 1:
            raise Refused("Give a country in an order of its own.", "emp.P12", order.things[1].name)
        return GiveCountry(order.things[0].name, to)
    named = cargo(empire, seat, order.things, at)
    if named.goods and (named.units or named.some):
        raise Refused("Give goods and units in two orders.", "emp.P12", order.things[-1].name)
    if named.goods and not at:
        raise Refused("Say in which square the goods change hands.", "emp.H-23", order.things[0].name)
    return GiveGoods(named.goods, to, at) if named.goods else GiveControl(named.units, to, named.some)


def bind_seize(empire: Empire, seat: Seat, order: Order) -> Intent:
    """SEIZE cargo ship 3 WITH coolie 14; SEIZE steel mill WITH coolie 14, where it stands outside a city; SEIZE 3 St ..."""
    named = (*order.after("WITH"), *order.after("BY"))
    if named and any(thing.kind == "goods" for thing in order.things):
        return _bind_take(empire, seat, order)
    if order.things[0].kind == "plan" and named:
        return Seize(0, one_unit(empire, seat, named, "SEIZE ... WITH"), order.things[0].name)
    if order.things[0].kind == "plan":
        raise Refused("Say who seizes: WITH a unit in the same square.", "emp.P13", order.things[0].name)
    unit = one_unit(empire, seat, order.things, "SEIZE", "any")
    if not named:
        near = tuple(f"WITH {taker.kind} {taker.number}" for taker in takers(empire, seat, empire.units[unit]))
        raise Refused("Say who seizes: WITH a unit in the same square.", "emp.P13", str(unit), near[:3])
    if empire.units[unit].country in [country.name for country in empire.owned(seat)]:
        raise Refused(f"{empire.units[unit].kind} {unit} is yours already.", "emp.P13", str(unit))
    return Seize(unit, one_unit(empire, seat, named, "SEIZE ... WITH"))


def _bind_take(empire: Empire, seat: Seat, order: Order) -> Intent:
    """SEIZE 3 St OF Blue WITH coolie 14."""
    goods = cargo(empire, seat, order.things, "", "any").goods
    if len(goods) != len(order.things):
        raise Refused("Seize goods and units in two orders.", "emp.P16", order.things[-1].name)
    owners = (*order.after("OF"), *order.after("FROM"))
    by = one_unit(empire, seat, (*order.after("WITH"), *order.after("BY")), "SEIZE ... WITH")
    return SeizeGoods(goods, by, owners[0].name if owners else "")


def bind_balkanize(empire: Empire, seat: Seat, order: Order) -> Intent:
    """BALKANIZE "Northland" WITH Rome, coolie 3 UNDER coolie 5."""
    things = order.after("WITH")
    cities = tuple(thing.name for thing in things if thing.kind == "city")
    named = cargo(empire, seat, [t for t in things if t.kind != "city"], place(empire, order, "FROM"))
    under = order.after("UNDER")
    government = one_unit(empire, seat, under, "BALKANIZE ... UNDER") if under else 0
    return Balkanize(order.things[0].name, cities, named.units, government, named.some)
