"""Orders -> intents in Version 1.7: shared binders, and the checks of this edition after them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Order
from referee.games.war.binding import bind as bind_27
from referee.games.war.naming import check_numbers, kinds_of, number_of, one, opponents
from referee.games.war.state import War
from referee.games.war17.citing import refused_in, rewritten
from referee.games.war17.orders import BOOK17
from referee.games.war17.standing import (
    CrossRule,
    DeployRule,
    FeedRule,
    LeadersRule,
    PursueRule,
    ReserveRule,
    StanceRule,
)
from referee.kit.refused import Refused


def bind(war: War, seat: Seat, order: Order) -> Intent | Illegal:
    """What an order means for this seat now, or why it is not allowed."""
    if seat in war.out:
        return Illegal(f"{seat} has been eliminated and gives no more orders.", "17.victory.1", order.verb)
    try:
        check_numbers(order)
        if order.verb in BOOK17.orders:
            bound = BOOK17.bind(war, seat, order)
            return rewritten(bound) if isinstance(bound, Illegal) else bound
        if order.verb in _OWN:
            return _OWN[order.verb](war, seat, order)
        intent = bind_27(war, seat, order)
        return rewritten(intent) if isinstance(intent, Illegal) else intent
    except Refused as refusal:
        return refused_in(refusal)


def bind_later(war: War, seat: Seat, order: Order) -> Intent | Illegal:
    """What an order in an IF or FOR TURN means: its words and the map are judged, not what stands where today."""
    some_other_day = bind(replace(war, stage="movement", active=None), seat, order)
    if war.stage == "setup" and isinstance(some_other_day, Illegal):
        return bind(war, seat, order)
    return some_other_day


# ---------------------------------------------------------------- own verbs




def _cross(war: War, seat: Seat, order: Order) -> Intent:
    sides = [thing for thing in order.things if thing.kind == "side"]
    return CrossRule(opponents(war, seat, sides, "17.move.land.4"))


def _where(order: Order) -> str:
    return one(order, "17.tactical.plan.1", "IN")


def _deploy(war: War, seat: Seat, order: Order) -> Intent:
    if order.things[0].kind == "spread":
        return DeployRule((), _where(order))
    rule = "17.tactical.plan.1"
    return DeployRule(
        tuple((t.name, number_of(order, t, rule)) for t in order.things if t.kind == "sector"), _where(order)
    )


def _reserve(war: War, seat: Seat, order: Order) -> Intent:
    (thing,) = order.things
    number = 0 if thing.kind == "nothing" else number_of(order, thing, "17.tactical.plan.1")
    return ReserveRule(number, _where(order))


def _stance(war: War, seat: Seat, order: Order) -> Intent:
    return StanceRule(order.things[0].name, one(order, "17.tactical.plan.2", "ON"), _where(order))


def _feed(war: War, seat: Seat, order: Order) -> Intent:
    return FeedRule(order.things[0].name, _where(order))


def _leaders(war: War, seat: Seat, order: Order) -> Intent:
    return LeadersRule(tuple(dict.fromkeys(thing.name for thing in order.things)), _where(order))


def _pursue(war: War, seat: Seat, order: Order) -> Intent:
    (kind,) = kinds_of(order.things)
    if kind not in ("cavalry", "artillery"):
        raise Refused("Pursuers strike cavalry or artillery first.", "17.tactical.plan.1", kind, ("PURSUE artillery",))
    return PursueRule(kind, _where(order))


_OWN: dict[str, Callable[[War, Seat, Order], Intent]] = {
    "CROSS": _cross,
    "DEPLOY": _deploy,
    "RESERVE": _reserve,
    "STANCE": _stance,
    "FEED": _feed,
    "LEADERS": _leaders,
    "PURSUE": _pursue,
}
