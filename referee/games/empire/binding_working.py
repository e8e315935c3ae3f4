"""Orders that work squares, build, found, run, scrap and destroy -> intents (III, IV)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent, Order, Portion, Quantity
from referee.games.empire.binding_units import cargo, hand, one_unit, place
from referee.games.empire.intents import Burn, Destroy, Goods, Scrap
from referee.games.empire.nouns import GOODS_WORDS
from referee.games.empire.state import Empire
from referee.kit.refused import Refused

__all__ = [
    "bind_burn", "bind_destroy", "bind_scrap",
]  # fmt: skip


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
