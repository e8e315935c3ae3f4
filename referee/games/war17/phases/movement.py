"""A player's movement in Version 1.7: his sheet in the order written, then the regions he has left (17.move)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.deeds.marching import March
from referee.games.war.deeds.refused import NotYet
from referee.games.war.events.forces import fell_short
from referee.games.war.orders.base import MOVEMENT
from referee.games.war.orders.movement.attack import AttackFleets
from referee.games.war.orders.movement.carry import Landing
from referee.games.war.orders.movement.parts import MoveOrder
from referee.games.war.orders.movement.sail import Voyage
from referee.games.war.phases.control import revert
from referee.games.war.phases.decisions import consult
from referee.games.war.phases.movement.abandoning import left_empty, settled
from referee.games.war.phases.movement.cession import take_cession
from referee.games.war.phases.movement.interception import Announced, intercepted
from referee.games.war.position.state import War
from referee.games.war.reckoning.conditions import Judged, in_force
from referee.games.war.reckoning.paths import Way
from referee.games.war17.events.affairs import PassageDenied
from referee.games.war17.orders import BOOK17
from referee.games.war17.orders.standing import CrossRule
from referee.games.war17.phases.gaining import ceded_to
from referee.games.war17.phases.sailing import attack, fight_at_sea, sail
from referee.kit.refused import Refused

MOVES: tuple[type[Intent], ...] = BOOK17.kinds_of(MOVEMENT)
"""The orders of movement."""


_COMPANY = frozenset({"17.move.land.5", "R17-24"})
"""What is refused to parties that go alone, and is mended by who comes after them."""


def movement_orders(
    table: Table[War], seat: Seat, sheet: Sequence[Intent], judged: Judged | None = None
) -> Script[None]:
    """All orders of movement; then regions without a brigade are their natives' (17.move.cede.2, R17-10).

    R17-25: who goes after his company. R17-28: when an IF is judged.
    """
    alone: list[tuple[int, Intent]] = []
    known = judged if judged is not None else {}
    for line, written in enumerate(sheet, 1):
        (order,) = in_force(table.state, seat, (written,), MOVES, known) or (None,)
        if order is None:
            continue
        try:
            yield from _carry_out(table, seat, order, f"line {line}")
        except Refused as refusal:
            if isinstance(refusal, NotYet) and refusal.illegal.rule in _COMPANY:
                alone.append((line, order))
            else:
                table.emit(fell_short(table.state, seat, order, refusal))
    for line, order in alone:
        try:
            yield from _carry_out(table, seat, order, f"line {line}")
        except Refused as refusal:
            table.emit(fell_short(table.state, seat, order, refusal))
    for region in left_empty(table.state, seat):
        yield from revert(table, region)


def _carry_out(table: Table[War], seat: Seat, order: Intent, name: str) -> Script[None]:
    """One line. Raises Refused when it cannot be done at all."""
    if isinstance(order, AttackFleets):
        yield from attack(table, seat, order, name)
    elif isinstance(order, MoveOrder):
        yield from _move(table, seat, order, name)


def _partly(table: Table[War], seat: Seat, order: Intent, missing: Refused | None) -> None:
    if missing is not None:
        table.emit(fell_short(table.state, seat, order, missing, partly=True))


def _move(table: Table[War], seat: Seat, order: MoveOrder, name: str) -> Script[None]:
    """What is planned of it happens, unless it is hindered on the way."""
    plan, missing = settled(order.plan, table.state, seat)
    match plan:
        case March():
            yield from _crossing(table, seat, plan.way, name)
        case Landing():
            plan = yield from _landed(table, seat, plan, name)
    _partly(table, seat, order, missing)
    if isinstance(plan, Voyage):
        stopped = yield from sail(table, seat, plan, name)
        _partly(table, seat, order, stopped)
        return
    for event in plan.brings(table.state, seat):
        table.emit(event)
    if plan.taken:
        yield from take_cession(table, seat, plan.taken, ceded_to)


def _crossing(table: Table[War], seat: Seat, way: Way, name: str) -> Script[None]:
    """17.move.land.4, R17-07: leave of each owner on the way, by his standing list. Raises Refused where it is refused."""
    for place in way.places[1:-1]:
        owner = table.state.lands[place].owner
        if owner is None or owner == seat:
            continue
        if not (yield from _leave(table, owner, seat, place, f"{name}/{place}")):
            table.emit(PassageDenied(owner, seat, place))
            raise Refused(f"Your units were not let through {place}.", "17.move.land.4", place)


def _leave(table: Table[War], owner: Seat, mover: Seat, place: str, name: str) -> Script[bool]:
    menu = OneOf([Choice("yes", True, "let them cross"), Choice("no", False, "refuse")], False)

    def wanted(sheet: Sequence[Intent]) -> bool | None:
        rule = next((rule for rule in sheet if isinstance(rule, CrossRule)), None)
        return None if rule is None else mover in rule.seats

    text = f"{mover}'s units ask to cross {place}. Do you let them?"
    return (yield from consult(table, owner, f"{name}/leave", text, menu, "17.move.land.4", wanted))


def _landed(table: Table[War], seat: Seat, plan: Landing, name: str) -> Script[Landing]:
    """17.move.naval.4, R17-12: what is left of a landing; fleets that have not moved may be intercepted before it."""
    rested = tuple(number for number in plan.fleets if not table.state.fleets[number].spent)
    if rested:
        met = Announced(seat, rested, plan.sea, f"land in {plan.target}", plan.invaded, quiet=True)
        free = yield from intercepted(table, met, name, fight_at_sea)
        left = tuple(u for u in plan.unloadings if u.fleet not in rested or u.fleet in free)
        plan = replace(plan, unloadings=left)
    if not plan.unloadings:
        raise Refused(f"The fleets were stopped by battle in {plan.sea}.", "17.move.naval.3", plan.sea)
    return plan
