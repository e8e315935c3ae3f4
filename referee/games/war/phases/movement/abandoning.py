"""No region is left without a brigade; and what a sheet comes to if nobody hinders it (27.move.cede.5, R27-01)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Illegal, Intent
from referee.games.war.deeds.embarking import Boarding, Embarkation, embarked
from referee.games.war.deeds.entry import ceded, check_entry
from referee.games.war.deeds.landing import disembarked
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.lots import Lot
from referee.games.war.deeds.marching import March, marched
from referee.games.war.deeds.muster import empties, exactly
from referee.games.war.deeds.refused import NotYet
from referee.games.war.deeds.scorched import destroyed
from referee.games.war.events.moving import WarDeclared
from referee.games.war.orders.combat import DestroyWorks
from referee.games.war.orders.movement.attack import AttackFleets, DeclareWar
from referee.games.war.orders.movement.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.movement.move import MoveUnits
from referee.games.war.orders.movement.sail import SailFleets
from referee.games.war.position.places import Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.conditions import Judged, in_force
from referee.games.war.rulebook.pieces import BRIGADES, KINDS
from referee.kit.refused import Refused

P = TypeVar("P", March, Embarkation)
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
    stay = min((s for s in plan.stacks if s.kind in BRIGADES), key=lambda s: KINDS[s.kind].price)
    why = f"The last brigade does not leave {plan.origin}."
    if isinstance(plan, Embarkation):
        boardings = tuple(Boarding(_one_less(b.stack, stay), b.fleet) for b in plan.boardings)
        plan = replace(plan, boardings=tuple(b for b in boardings if b.stack.number))
    else:
        stacks = tuple(_one_less(stack, stay) for stack in plan.stacks)
        plan = replace(plan, stacks=tuple(stack for stack in stacks if stack.number))
        if plan.stacks:
            check_entry(war, seat, plan.way.target, [stack.kind for stack in plan.stacks])
    if not plan.stacks:
        raise Refused(why, "R27-01", plan.origin)
    return plan


def _one_less(stack: Stack, stay: Stack) -> Stack:
    return replace(stack, number=stack.number - 1) if stack is stay else stack


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
    match order:
        case MoveUnits():
            march, why = _kept(war, seat, order, *settled(order.plan, war, seat), later)
            for moved in marched(war, seat, march):
                war = moved.change(war)
            return (ceded(war, seat, march.way.target) if march.ceded else war), why
        case EmbarkUnits():
            boarding, why = _kept(war, seat, order, *settled(order.plan, war, seat), later)
            for boarded in embarked(boarding):
                war = boarded.change(war)
            return war, why
        case LandUnits():
            landing, why = settled(order.plan, war, seat)
            for landed in disembarked(war, landing):
                war = landed.change(war)
            return (ceded(war, seat, landing.target) if landing.ceded else war), why
        case SailFleets():
            voyage, why = settled(order.plan, war, seat)
            for number in voyage.fleets:
                fleet = war.fleets[number]
                war = war.with_fleet(replace(fleet, sea=voyage.way.target, spent=fleet.spent + voyage.way.cost))
            return war, why
        case AttackFleets():
            order.permit(war, seat)
        case DestroyWorks():
            return destroyed(war, seat, order).change(war), None
        case DeclareWar():
            order.permit(war, seat)
            return WarDeclared(seat, order.enemy).change(war), None
    return war, None


def _kept(
    war: War, seat: Seat, order: MoveUnits | EmbarkUnits, plan: P, why: Refused | None, later: Sequence[Intent]
) -> tuple[P, Refused | None]:
    """R27-01, as far as it can be foreseen."""
    if not empties(war, seat, plan.origin, plan.stacks) or awaited(later, plan.origin):
        return plan, why
    sentence = f"{plan.origin} would be left without a brigade."
    try:
        short = hold_back(war, seat, plan)
    except Refused:
        raise Refused(sentence, "R27-01", plan.origin) from None
    fewer = replace(order, lots=_lots(short.stacks))
    return short, Refused(sentence, "R27-01", plan.origin, (line_of(fewer),))


def _lots(stacks: Sequence[Stack]) -> tuple[Lot, ...]:
    numbers: dict[str, int] = {}
    for stack in stacks:
        numbers[stack.kind] = numbers.get(stack.kind, 0) + stack.number
    return tuple(exactly(kind, number) for kind, number in numbers.items())
