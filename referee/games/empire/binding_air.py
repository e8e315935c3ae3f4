"""Orders of air and sea war -> intents (H-31 to H-33)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent, Order
from referee.games.empire.binding_units import cargo, one_unit, place
from referee.games.empire.intents.air import Bomb, Plunder, TurnPirate
from referee.games.empire.nouns import GOODS_WORDS
from referee.games.empire.state import Empire

__all__ = ["bind_bomb", "bind_plunder", "bind_turn_pirate"]


def bind_bomb(empire: Empire, seat: Seat, order: Order) -> Intent:
    """BOMB steel mill IN c12r7 WITH strategic bomber 5, 6. Bombers given by kind are those over the square."""
    (thing,) = order.things
    at = place(empire, order, "IN", "AT")
    named = cargo(empire, seat, (*order.after("WITH"), *order.after("BY")), at)
    what = GOODS_WORDS[thing.name] if thing.kind == "goods" else thing.name
    return Bomb(at, what, named.units, named.some)


def bind_turn_pirate(empire: Empire, seat: Seat, order: Order) -> Intent:
    """TURN PIRATE cargo ship 5."""
    return TurnPirate(one_unit(empire, seat, order.things, "TURN PIRATE"))


def bind_plunder(empire: Empire, seat: Seat, order: Order) -> Intent:
    """PLUNDER cargo ship 31 WITH pirate ship 5."""
    by = one_unit(empire, seat, (*order.after("WITH"), *order.after("BY")), "PLUNDER ... WITH")
    return Plunder(one_unit(empire, seat, order.things, "PLUNDER", "any"), by)
