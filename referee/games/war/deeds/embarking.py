"""Embarking: land units board fleets beside their region, eight portage points a fleet (27.move.carry)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.lots import Lot, named_fleets
from referee.games.war.deeds.marching import check_garrison, spared
from referee.games.war.deeds.muster import berths, exactly, merged, muster, ships
from referee.games.war.deeds.ordered import GoingAboard
from referee.games.war.deeds.refused import NotYet
from referee.games.war.events.forces import UnitsEmbarked
from referee.games.war.position.places import Fleet, Load, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.alliances import carriers, friends
from referee.games.war.reckoning.paths import exit_cost
from referee.games.war.rulebook.board import BOARD
from referee.kit.refused import Refused
from referee.kit.wording import capital


class Boarding(msgspec.Struct, frozen=True):
    """So many units of a stack go aboard one fleet."""

    stack: Stack
    fleet: int


class Embarkation(msgspec.Struct, frozen=True):
    """Who boards what."""

    region: str
    boardings: tuple[Boarding, ...]
    cost: int

    @property
    def origin(self) -> str:
        """Where they board."""
        return self.region

    @property
    def stacks(self) -> tuple[Stack, ...]:
        """The units that leave the land."""
        return tuple(boarding.stack for boarding in self.boardings)


def plan_embark(war: War, seat: Seat, order: GoingAboard, strict: bool) -> Embarkation:
    """The boarding that an order means; with `strict` off as many board as are there and fit."""
    lots = merged(order.lots)
    _check_coast(war, seat, order)
    cost = exit_cost(war.lands[order.origin], *friends(war, seat))

    def written(left: Sequence[Lot]) -> str:
        return line_of(order.but(lots=tuple(left)))

    stacks = muster(war, seat, order.origin, lots, cost, strict, written, "27.move.carry.3")
    stacks = stacks if strict else spared(war, seat, (order.origin,), stacks)
    fleets = carriers(war, seat, order.sea)
    if not fleets:
        near = berths(war, seat, order.origin, order.lots)
        instead = tuple(line_of(order.but(sea=sea)) for sea in near)
        raise NotYet(f"You have no fleet in {order.sea} to board.", "27.move.carry.1", order.sea, instead)
    fleets = ships(war, seat, fleets, order.sea, order.fleets, "27.move.carry.1", strict)
    boardings = allot(
        sorted(stacks, key=lambda stack: -war.kinds[stack.kind].portage), fleets, as_named=bool(order.fleets)
    )
    fit = sum(boarding.stack.number for boarding in boardings)
    if not fit or (strict and fit < sum(stack.number for stack in stacks)):
        raise _too_many(order, fleets, boardings, stacks)
    check_garrison(war, seat, order.origin, [boarding.stack for boarding in boardings], 0, written)
    return Embarkation(order.origin, boardings, cost)


def _check_coast(war: War, seat: Seat, order: GoingAboard) -> None:
    """27.move.carry.3: only from a region beside the sea area, and only at sea."""
    seas = BOARD.regions[order.origin].seas
    if order.sea not in seas:
        why = f"{order.origin} does not lie on {order.sea}{', nor on any sea area' if not seas else ''}."
        instead = tuple(line_of(order.but(sea=sea)) for sea in berths(war, seat, order.origin, order.lots)[:1])
        raise Refused(why, "27.move.carry.3", order.sea, instead)


def _too_many(
    order: GoingAboard, fleets: Sequence[Fleet], boardings: Sequence[Boarding], stacks: Sequence[Stack]
) -> NotYet:
    """27.move.carry.1, R27-35: more than the fleets have room for."""
    room = sum(fleet.room for fleet in fleets)
    aboard: dict[str, int] = {}
    for boarding in boardings:
        aboard[boarding.stack.kind] = aboard.get(boarding.stack.kind, 0) + boarding.stack.number
    left = [exactly(kind, number) for kind, number in aboard.items()]
    need = sum(fleets[0].kinds[stack.kind].portage * stack.number for stack in stacks)
    wanted = f"these units need {need}" if need > room else "no unit is divided between two of them"
    who = capital(named_fleets(order.fleets)) or "Your fleets"
    have = "has" if len(order.fleets) == 1 else "have"
    why = f"{who} in {order.sea} {have} room for {room} portage points, and {wanted}."
    instead = (line_of(order.but(lots=tuple(left))),) if left else ()
    return NotYet(why, "27.move.carry.1", order.sea, instead)


def allot(stacks: Sequence[Stack], fleets: Sequence[Fleet], as_named: bool = False) -> tuple[Boarding, ...]:
    """R27-39: units in this order to fleets, the first owner's before his allies'; `as_named`: in the order handed over."""
    boardings: list[Boarding] = []
    owner = fleets[0].owner if fleets else None
    ranked = fleets if as_named else sorted(fleets, key=lambda f: (f.owner != owner, f.spent, -f.points, f.number))
    room = {fleet.number: fleet.room for fleet in ranked}
    kinds = fleets[0].kinds if fleets else {}
    for stack in stacks:
        left = stack.number
        for number in room:
            fit = min(left, room[number] // kinds[stack.kind].portage)
            if fit:
                boardings.append(Boarding(replace(stack, number=fit), number))
                room[number] -= fit * kinds[stack.kind].portage
                left -= fit
    return tuple(boardings)


def embarked(plan: Embarkation, how: str = "board") -> tuple[UnitsEmbarked, ...]:
    """What happens: each unit pays for leaving the land, nothing from a railroad (27.move.carry.3, R27-31)."""
    return tuple(UnitsEmbarked(plan.region, b.stack, b.fleet, _load(b.stack, plan), how) for b in plan.boardings)


def _load(stack: Stack, plan: Embarkation) -> Load:
    return Load(stack.owner, stack.kind, stack.number, stack.spent + plan.cost, plan.region)
