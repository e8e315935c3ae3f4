"""Trade offers, which are made and answered at any time (ruling 12)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.core.order import Intent, Order, Portion, Thing
from referee.core.table import Table
from referee.games.newworld.events import OfferAccepted, OfferDeclined, OfferMade, OfferWithdrawn
from referee.games.newworld.intents import AcceptOffer, DeclineOffer, MakeOffer, WithdrawOffer
from referee.games.newworld.state import Offer, World
from referee.kit.refused import Refused

__all__ = ["ASIDES", "MOST_OFFERS", "bind_offer", "do_aside"]

MOST_OFFERS = 12
"""Open offers one seat may have (nw.h7)."""

ASIDES = (MakeOffer, AcceptOffer, DeclineOffer, WithdrawOffer)
"""Intents that act at once."""


def bind_offer(world: World, seat: Seat, order: Order) -> Intent:
    """OFFER, ACCEPT, DECLINE, WITHDRAW. Raises Refused."""
    if order.verb == "OFFER":
        return _made(world, seat, order)
    number = order.things[0].count()
    offer = world.offer(number)
    if offer is None:
        raise Refused(f"There is no offer {number} on the table.", "nw.r12", str(number), _open_to(world, seat, order))
    if order.verb == "WITHDRAW":
        return _withdrawn(offer, seat)
    return _answered(world, offer, seat, order)


def _open_to(world: World, seat: Seat, order: Order) -> tuple[str, ...]:
    """The same verb with the numbers it could have."""
    own = order.verb == "WITHDRAW"
    mine = [o for o in world.offers if (o.maker if own else o.to) == seat]
    return tuple(f"{order.verb} {offer.number}" for offer in mine[:3])


def _answered(world: World, offer: Offer, seat: Seat, order: Order) -> Intent:
    if offer.to != seat:
        raise Refused(
            f"Offer {offer.number} is made to {offer.to}.", "nw.r12", str(offer.number), _open_to(world, seat, order)
        )
    if order.verb == "DECLINE":
        return DeclineOffer(offer.number)
    if offer.accepted:
        raise Refused(f"Offer {offer.number} is accepted already.", "nw.r12", str(offer.number))
    return AcceptOffer(offer.number)


def _withdrawn(offer: Offer, seat: Seat) -> Intent:
    if offer.maker != seat:
        raise Refused(f"Offer {offer.number} is {offer.maker}'s.", "nw.r12", str(offer.number))
    if offer.accepted and offer.asks:
        raise Refused(f"Offer {offer.number} has been accepted and stands.", "nw.r12", str(offer.number))
    return WithdrawOffer(offer.number)


def _to_nobody(world: World, seat: Seat, order: Order) -> str:
    goods = ", ".join(f"{thing.count()} {thing.name}" if thing.quantity else thing.name for thing in order.things)
    others = (*(thing.name for thing in order.after("WITH")), *world.others(seat))
    line = f"OFFER {goods} TO {others[0]} FOR 2 gold, for example" if others else ""
    return f"The bank buys nothing. Say to whom, and what for: {line}."


def _made(world: World, seat: Seat, order: Order) -> MakeOffer:
    partners = (*order.after("TO"), *order.after("WITH"))
    if not partners or (order.after("WITH") and not order.after("FOR")):
        raise Refused(_to_nobody(world, seat, order), "nw.trade.bank", order.verb)
    to = Seat(partners[0].name)
    if len(partners) > 1:
        raise Refused("An offer goes to one player.", "nw.r12", partners[1].name)
    if to == seat:
        raise Refused("You cannot trade with yourself.", "nw.r12", to)
    if world.powers[to].out:
        raise Refused(f"{to} has been eliminated and cannot trade.", "nw.r28", to)
    if sum(offer.maker == seat for offer in world.offers) >= MOST_OFFERS:
        raise Refused(f"You have {MOST_OFFERS} offers open; withdraw one first.", "nw.h7", order.verb)
    gives, asks = _stock(order.things), _stock(order.after("FOR"))
    both = [name for name in gives if name in asks]
    if both:
        raise Refused(f"You would give {both[0]} for {both[0]}.", "nw.r12", both[0])
    return MakeOffer(to, gives, asks)


def _stock(things: Sequence[Thing]) -> dict[str, int]:
    stock: dict[str, int] = {}
    for thing in things:
        if thing.kind != "resource":
            sentence = f"Only the seven resources change hands; {thing.name} cannot be traded."
            raise Refused(sentence, "nw.r12", thing.name)
        exact = thing.quantity is not None and thing.quantity.portion is Portion.EXACTLY
        if not exact or thing.count() < 1:
            raise Refused(f"Say exactly how many {thing.name}.", "nw.r12", thing.name)
        stock[thing.name] = stock.get(thing.name, 0) + thing.count()
    return stock


def do_aside(table: Table[World], seat: Seat, intent: Intent) -> None:
    """Make or answer an offer; nothing happens where the table has changed since the letter was read."""
    world = table.state
    match intent:
        case MakeOffer(to=to, gives=gives, asks=asks):
            if not world.powers[to].out and not world.powers[seat].out:
                table.emit(OfferMade(world.next_offer, seat, to, gives, asks))
        case AcceptOffer(number=number) if _is_open(world, number, seat, may_be_accepted=False):
            table.emit(OfferAccepted(number, seat))
        case DeclineOffer(number=number) if _is_open(world, number, seat, may_be_accepted=True):
            table.emit(OfferDeclined(number, seat))
        case WithdrawOffer(number=number):
            offer = world.offer(number)
            if offer is not None and offer.maker == seat and not (offer.accepted and offer.asks):
                table.emit(OfferWithdrawn(number, seat))


def _is_open(world: World, number: int, seat: Seat, may_be_accepted: bool) -> bool:
    offer = world.offer(number)
    return offer is not None and offer.to == seat and (may_be_accepted or not offer.accepted)
