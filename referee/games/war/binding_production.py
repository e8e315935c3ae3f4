"""Orders of the auction -> intents (27.opt.auction)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent, Order, Portion
from referee.games.war.intents import BidForOrder, InsertInOrder
from referee.games.war.lines import line_of
from referee.games.war.naming import one, opponent
from referee.games.war.state import War
from referee.kit.refused import Refused

__all__ = ["bind_bid", "bind_insert"]


def bind_bid(war: War, seat: Seat, order: Order) -> Intent:
    """BID 5 PP (27.opt.auction.1)."""
    (thing,) = order.things
    if thing.name not in ("PP", "") or thing.quantity is None or thing.quantity.portion is not Portion.EXACTLY:
        raise Refused("Bid an exact number of PP.", "27.opt.auction.1", thing.name, (line_of(BidForOrder(0)),))
    return BidForOrder(thing.quantity.number)


def bind_insert(war: War, seat: Seat, order: Order) -> Intent:
    """INSERT FIRST, INSERT LAST, INSERT BEFORE Red, INSERT AFTER Red (27.opt.auction.3)."""
    rule = "27.opt.auction.3"
    said = [clause.preposition for clause in order.clauses]
    if len(said) != 1:
        instead = (line_of(InsertInOrder("first")), line_of(InsertInOrder("last")))
        raise Refused("Name one place: FIRST, LAST, BEFORE or AFTER a player.", rule, "INSERT", instead)
    name = one(order, rule, *said)
    return InsertInOrder(said[0].lower(), opponent(war, seat, name, rule) if name else None)
