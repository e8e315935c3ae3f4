"""Orders that move, carry and tow -> intents (II.A to II.E)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent, Order
from referee.games.empire.binding_units import cargo, one_unit, place, quantity_of, square
from referee.games.empire.intents import Disembark, Load, PumpOil, RollWind, StandDown, Tow, Unload
from referee.games.empire.state import Empire
from referee.games.empire.verbs import STANCES
from referee.kit.refused import Refused

__all__ = [
    "bind_cast_off", "bind_disembark", "bind_load", "bind_pump", "bind_stance", "bind_tow", "bind_unload",
    "bind_wind",
]  # fmt: skip


def bind_load(empire: Empire, seat: Seat, order: Order) -> Intent:
    """LOAD 2 St, 5 food, coolie 14 ABOARD cargo ship 3: units given by kind stand where the carrier is."""
    carrier = one_unit(empire, seat, order.after("ABOARD"), "LOAD ... ABOARD")
    named = cargo(empire, seat, order.things, place(empire, order, "FROM") or empire.units[carrier].at)
    if carrier in named.units:
        raise Refused("Nothing is loaded aboard itself.", "emp.L1", str(carrier))
    return Load(carrier, named.goods, named.units, named.some)


def bind_unload(empire: Empire, seat: Seat, order: Order) -> Intent:
    """UNLOAD 2 St FROM cargo ship 3 INTO warehouse. Units given by kind are those aboard it, wherever it is then."""
    carrier = one_unit(empire, seat, order.after("FROM"), "UNLOAD ... FROM")
    named = cargo(empire, seat, order.things, empire.units[carrier].at)
    into = order.after("INTO")
    return Unload(
        carrier, named.goods, named.units, "warehouse" if into and into[0].kind == "storage" else "", named.some
    )


def bind_disembark(empire: Empire, seat: Seat, order: Order) -> Intent:
    """DISEMBARK coolie 14 TO c12r7."""
    named = cargo(empire, seat, order.things, place(empire, order, "FROM"))
    return Disembark(named.units, place(empire, order, "TO"), named.some)


def bind_tow(empire: Empire, seat: Seat, order: Order) -> Intent:
    """TOW barge 5, 6 BEHIND cargo ship 3; of a kind those are taken that lie where the carrier is."""
    carrier = one_unit(empire, seat, (*order.after("BEHIND"), *order.after("WITH")), "TOW ... BEHIND")
    named = cargo(empire, seat, order.things, empire.units[carrier].at)
    return Tow(carrier, named.units, named.some)


def bind_cast_off(empire: Empire, seat: Seat, order: Order) -> Intent:
    """CAST OFF cargo ship 3: what it tows is let go."""
    return Tow(one_unit(empire, seat, order.things, "CAST OFF"))


def bind_pump(empire: Empire, seat: Seat, order: Order) -> Intent:
    """PUMP 2 O FROM c3r4 TO c5r4."""
    (thing,) = order.things
    if thing.name != "O":
        raise Refused(f"Pipelines carry oil, not {thing.name}.", "emp.move.pipeline", thing.name)
    start, target = order.after("FROM"), order.after("TO")
    return PumpOil(square(empire, start[0]), square(empire, target[0]), quantity_of(thing))


def bind_wind(empire: Empire, seat: Seat, order: Order) -> Intent:
    """ROLL WIND."""
    if empire.wind and empire.active == seat:
        raise Refused(f"The wind is rolled already: it blows towards {empire.wind}.", "emp.move.wind")
    return RollWind()


def bind_stance(empire: Empire, seat: Seat, order: Order) -> Intent:
    """DOCK, BEACH, DIVE, LAND ... units."""
    named = cargo(empire, seat, order.things, place(empire, order, "IN", "AT"))
    return StandDown(named.units, STANCES[order.verb], named.some)
