"""What is done at once -> intents: gifts, offers and their answers, how decisions are taken."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent, Order
from referee.games.war.intents import (
    AcceptOffer,
    DeclineOffer,
    GivePoints,
    OfferCession,
    OfferPeace,
    SetDecisions,
    WithdrawOffer,
)
from referee.games.war.lines import line_of
from referee.games.war.naming import number_of, one, opponent
from referee.games.war.state import War
from referee.kit.refused import Refused

__all__ = ["bind_answer", "bind_decisions", "bind_give", "bind_offer"]

_ANSWERS: dict[str, type[AcceptOffer] | type[DeclineOffer] | type[WithdrawOffer]] = {
    "ACCEPT": AcceptOffer,
    "DECLINE": DeclineOffer,
    "WITHDRAW": WithdrawOffer,
}


def bind_give(war: War, seat: Seat, order: Order) -> Intent:
    """GIVE 20 PP TO Blue."""
    (thing,), to = order.things, opponent(war, seat, one(order, "R27-16", "TO"), "R27-16")
    if thing.name != "PP":
        raise Refused("DP cannot be given away; PP can.", "R27-16", thing.name)
    if thing.quantity is None:
        raise Refused(f"Say how many PP, such as {line_of(GivePoints(10, to))}.", "R27-16", "PP")
    number, held = number_of(order, thing, "R27-16"), war.treasuries[seat].pp
    if number > held:
        raise Refused(f"You have {held} PP and cannot give {number}.", "27.money.1", str(number))
    return GivePoints(number, to)


def bind_offer(war: War, seat: Seat, order: Order) -> Intent:
    """OFFER peace TO Blue, OFFER Egypt TO Blue."""
    rule = "27.war.6" if order.things[0].kind == "treaty" else "27.move.cede.1"
    (thing,), to = order.things, opponent(war, seat, one(order, rule, "TO"), rule)
    if thing.kind == "treaty":
        if not war.at_war(seat, to):
            raise Refused(f"You are not at war with {to}.", rule, to)
        return OfferPeace(to)
    land = war.lands[thing.name]
    if land.owner != seat:
        raise Refused(f"{land.name} is not yours to cede.", rule, land.name)
    if land.revolt is not None:
        raise Refused(f"{land.name} is in revolt and cannot be ceded now.", "R27-37", land.name)
    return OfferCession(thing.name, to)


def bind_answer(war: War, seat: Seat, order: Order) -> Intent:
    """ACCEPT 1, DECLINE 1, WITHDRAW 1."""
    number, own = order.things[0].count(), order.verb == "WITHDRAW"
    mine = [offer for offer in war.offers if (offer.maker if own else offer.to) == seat]
    instead = tuple(f"{order.verb} {offer.number}" for offer in mine[:3])
    offer = next((offer for offer in war.offers if offer.number == number), None)
    if offer is None:
        raise Refused(f"There is no offer {number} on the table.", "27.war.6", str(number), instead)
    if offer not in mine:
        whose = f"made by {offer.maker}" if own else f"made to {offer.to}"
        raise Refused(f"Offer {number} is {whose}.", "27.war.6", str(number), instead)
    if order.verb == "ACCEPT" and offer.kind == "cede":
        line = f"MOVE 1 infantry FROM a neighbour TO {offer.region}"
        sentence = f"A ceded region is taken by moving a brigade in: {line}. Nothing else is needed."
        raise Refused(sentence, "27.move.cede.2", str(number))
    if order.verb == "ACCEPT" and offer.accepted:
        raise Refused(f"Offer {number} is accepted already.", "27.war.6", str(number))
    return _ANSWERS[order.verb](number)


def bind_decisions(war: War, seat: Seat, order: Order) -> Intent:
    """DECISIONS interactive, DECISIONS standing."""
    return SetDecisions(order.things[0].name)
