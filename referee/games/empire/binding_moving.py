"""Orders that change how units stand -> intents (II.A, C4, C5)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent, Order
from referee.games.empire.binding_units import cargo, place
from referee.games.empire.intents import StandDown
from referee.games.empire.state import Empire
from referee.games.empire.verbs import STANCES

__all__ = ["bind_stance"]


def bind_stance(empire: Empire, seat: Seat, order: Order) -> Intent:
    """DOCK, BEACH, DIVE, LAND ... units."""
    named = cargo(empire, seat, order.things, place(empire, order, "IN", "AT"))
    return StandDown(named.units, STANCES[order.verb], named.some)
