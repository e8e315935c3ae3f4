"""Orders -> intents: what a sentence means in War!, or why it is not allowed."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Order
from referee.games.war.orders import BOOK
from referee.games.war.orders.naming import check_numbers
from referee.games.war.position.state import War
from referee.kit.refused import Refused


def bind(war: War, seat: Seat, order: Order) -> Intent | Illegal:
    """What an order means for this seat now, or why it is not allowed.

    Refused is what no earlier line of the same sheet can mend; the rest is left to the forecast and to play.
    """
    if seat in war.out:
        return Illegal(f"{seat} has been eliminated and gives no more orders.", "27.victory.1", order.verb)
    try:
        check_numbers(order)
        return BOOK.bind(war, seat, order)
    except Refused as refusal:
        return refusal.illegal


def bind_later(war: War, seat: Seat, order: Order) -> Intent | Illegal:
    """What an order in an IF or FOR TURN means: its words and the map are judged, not what stands where today.

    It may be of another stage than today's; what turns out not to be lawful then is told as not done.
    """
    some_other_day = bind(replace(war, stage="movement", active=None), seat, order)
    if war.stage == "setup" and isinstance(some_other_day, Illegal):
        return bind(war, seat, order)
    return some_other_day
