"""Orders about war-time alliances -> intents (27.opt.alliances)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent, Order
from referee.games.war.intents import SetLeave
from referee.games.war.lines import line_of
from referee.games.war.naming import after, one, opponent, opponents
from referee.games.war.standing import ApproveRule, JoinRule
from referee.games.war.state import War
from referee.kit.refused import Refused

__all__ = ["bind_admit", "bind_approve", "bind_join"]


def bind_join(war: War, seat: Seat, order: Order) -> Intent:
    """JOIN Red AGAINST Blue, JOIN none."""
    rule = "27.opt.alliances.1"
    (thing,) = order.things
    if thing.kind == "nothing":
        return JoinRule(None)
    side, foe = opponent(war, seat, thing.name, rule), one(order, rule, "AGAINST")
    against = opponent(war, seat, foe, rule) if foe else None
    if against == side:
        raise Refused(f"{side} is at war with others, not with himself.", rule, foe, (line_of(JoinRule(side)),))
    return JoinRule(side, against)


def bind_approve(war: War, seat: Seat, order: Order) -> Intent:
    """APPROVE Green, Gray; APPROVE all; APPROVE none."""
    seats = opponents(war, seat, [thing for thing in order.things if thing.kind == "side"], "27.opt.alliances.2")
    return ApproveRule(seats, any(thing.kind == "any" for thing in order.things))


def bind_admit(war: War, seat: Seat, order: Order) -> Intent:
    """ADMIT all EXCEPT Green; ADMIT Green (nobody else); ADMIT none."""
    rule = "27.opt.alliances.6"
    others = tuple(other for other in war.seats if other != seat)
    if any(thing.kind == "any" for thing in order.things):
        return SetLeave(opponents(war, seat, after(order, "EXCEPT"), rule))
    let_in = opponents(war, seat, [thing for thing in order.things if thing.kind == "side"], rule)
    return SetLeave(tuple(other for other in others if other not in let_in))
