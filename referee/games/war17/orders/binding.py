"""Orders -> intents in Version 1.7: what a sentence means, or why it is not allowed, by the rules of this edition."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Order
from referee.games.war.orders.naming import check_numbers
from referee.games.war.position.state import War
from referee.games.war17.events.citing import refused_in, rewritten
from referee.games.war17.orders import BOOK17
from referee.kit.refused import Refused


def bind(war: War, seat: Seat, order: Order) -> Intent | Illegal:
    """What an order means for this seat now, or why it is not allowed."""
    if seat in war.out:
        return Illegal(f"{seat} has been eliminated and gives no more orders.", "17.victory.1", order.verb)
    try:
        check_numbers(order)
        bound = BOOK17.bind(war, seat, order)
        return rewritten(bound) if isinstance(bound, Illegal) else bound
    except Refused as refusal:
        return refused_in(refusal)


def bind_later(war: War, seat: Seat, order: Order) -> Intent | Illegal:
    """What an order in an IF or FOR TURN means: its words and the map are judged, not what stands where today."""
    some_other_day = bind(replace(war, stage="movement", active=None), seat, order)
    if war.stage == "setup" and isinstance(some_other_day, Illegal):
        return bind(war, seat, order)
    return some_other_day
