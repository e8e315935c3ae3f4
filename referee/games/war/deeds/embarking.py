"""Embarking: land units board fleets, eight portage points a fleet (27.move.carry)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.deeds.plan import Plan
from referee.games.war.events.forces import UnitsEmbarked
from referee.games.war.position.places import Fleet, Load, Stack
from referee.games.war.position.state import War


class Boarding(msgspec.Struct, frozen=True):
    """So many units of a stack go aboard one fleet."""

    stack: Stack
    fleet: int


class Embarkation(Plan, frozen=True):
    """Who boards what, at what cost in MP; `how`: by order, or in retreat."""

    region: str
    boardings: tuple[Boarding, ...]
    cost: int = 0
    how: str = "board"

    @property
    def left(self) -> tuple[str, tuple[Stack, ...]]:
        return self.region, tuple(boarding.stack for boarding in self.boardings)

    def but_one(self, stay: Stack) -> Self:
        fewer = (replace(b, stack=replace(b.stack, number=b.stack.number - (b.stack is stay))) for b in self.boardings)
        return replace(self, boardings=tuple(boarding for boarding in fewer if boarding.stack.number))

    def brings(self, war: War, seat: Seat) -> tuple[UnitsEmbarked, ...]:
        """Each unit pays for leaving the land, nothing from a railroad (27.move.carry.3, R27-31)."""

        def load(stack: Stack) -> Load:
            return Load(stack.owner, stack.kind, stack.number, stack.spent + self.cost, self.region)

        return tuple(UnitsEmbarked(self.region, b.stack, b.fleet, load(b.stack), self.how) for b in self.boardings)


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
