"""No region is left without a brigade; and what a sheet comes to if nobody hinders it (27.move.cede.5, R27-01)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from referee.core.names import Seat
from referee.core.order import Illegal, Intent
from referee.games.war.deeds.entry import ceded, check_entry
from referee.games.war.deeds.muster import empties, kinds_of, lots_of
from referee.games.war.deeds.plan import Plan
from referee.games.war.deeds.refused import NotYet
from referee.games.war.orders.base import MOVEMENT
from referee.games.war.orders.movement.carry import LandUnits
from referee.games.war.orders.movement.move import MoveUnits
from referee.games.war.orders.movement.parts import MoveOrder
from referee.games.war.position.state import War
from referee.games.war.reckoning.conditions import Judged, in_force
from referee.games.war.rulebook.pieces import BRIGADES, KINDS
from referee.kit.refused import Refused

P = TypeVar("P", bound=Plan)
Q = TypeVar("Q")


class Shortfall(msgspec.Struct, frozen=True):
    """The line of a sheet, from 0, that will not be done or not wholly, and why."""

    line: int
    why: Illegal


class Foreseen(msgspec.Struct, frozen=True):
    """A sheet carried out with no interception and with every strait open."""

    war: War
    shortfalls: tuple[Shortfall, ...]


# ---------------------------------------------------------------- emptied regions


def left_empty(war: War, seat: Seat) -> tuple[str, ...]:
    """Own regions without a brigade, in the order of the map."""
    return tuple(land.name for land in war.regions_of(seat) if not land.brigades(seat))


def awaited(later: Sequence[Intent], region: str) -> bool:
    """Whether a later line of the sheet would bring a brigade into the region."""
    return any(
        isinstance(order, MoveUnits | LandUnits)
        and order.target == region
        and any(lot.kind in BRIGADES for lot in order.lots)
        for order in later
    )


def relieved(war: War, seat: Seat, rest: Sequence[Intent], region: str) -> bool:
    """Whether the rest of the sheet, the emptying order first, leaves a brigade there if nobody hinders it (R27-01)."""
    return awaited(rest[1:], region) and bool(foresee(war, seat, rest).war.lands[region].brigades(seat))


def hold_back(war: War, seat: Seat, plan: P) -> P:
    """R27-01: the same without the brigade that stays. Raises Refused when nothing lawful is left to go."""
    origin, stacks = plan.left
    stay = min((s for s in stacks if s.kind in BRIGADES), key=lambda s: KINDS[s.kind].price)
    plan = plan.but_one(stay)
    if not plan.left[1]:
        raise Refused(f"The last brigade does not leave {origin}.", "R27-01", origin)
    for region in plan.entered[-1:]:
        check_entry(war, seat, region, kinds_of(plan.left[1]))
    return plan


# ---------------------------------------------------------------- foresight

Planner = Callable[[War, Seat, bool], Q]
"""Finds who does what an order says: all that is written (True), or as much as can be done (False)."""


def settled(planner: Planner[Q], war: War, seat: Seat) -> tuple[Q, Refused | None]:
    """The plan for an order as it stands, or for as much of it as can be done, and what is then missing."""
    try:
        return planner(war, seat, True), None
    except NotYet as missing:
        try:
            return planner(war, seat, False), missing
        except NotYet:
            raise missing from None


def foresee(war: War, seat: Seat, sheet: Sequence[Intent]) -> Foreseen:
    """What a movement sheet comes to, line by line, when no enemy intercepts and every strait is open."""
    shortfalls: list[Shortfall] = []
    known: Judged = {}
    for line, written in enumerate(sheet):
        (order,) = in_force(war, seat, (written,), judged=known) or (None,)
        if order is None:
            continue
        try:
            war, why = _foreseen(war, seat, order, in_force(war, seat, sheet[line + 1 :], judged=dict(known)))
        except Refused as refusal:
            why = refusal
        if why is not None:
            shortfalls.append(Shortfall(line, why.illegal))
    return Foreseen(war, tuple(shortfalls))


def _foreseen(war: War, seat: Seat, order: Intent, later: Sequence[Intent]) -> tuple[War, Refused | None]:
    if not isinstance(order, MoveOrder) or order.phase != MOVEMENT:
        return war, None
    plan, why = _kept(war, seat, order, *settled(order.plan, war, seat), later)
    for event in plan.brings(war, seat):
        war = event.change(war)
    return (ceded(war, seat, plan.taken) if plan.taken else war), why


def _kept(
    war: War, seat: Seat, order: MoveOrder, plan: P, why: Refused | None, later: Sequence[Intent]
) -> tuple[P, Refused | None]:
    """R27-01, as far as it can be foreseen."""
    origin, stacks = plan.left
    if not empties(war, seat, origin, stacks) or awaited(later, origin):
        return plan, why
    sentence = f"{origin} would be left without a brigade."
    try:
        short = hold_back(war, seat, plan)
    except Refused:
        raise Refused(sentence, "R27-01", origin) from None
    return short, Refused(sentence, "R27-01", origin, (order.line_for(lots_of(short.left[1])),))
