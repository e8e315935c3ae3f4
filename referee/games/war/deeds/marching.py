"""Marching: land units go from region to region on their movement points, and out of a revolt (27.move.land)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.deeds.lots import Lot
from referee.games.war.deeds.muster import Written, brigades_among, exactly
from referee.games.war.deeds.plan import Plan
from referee.games.war.deeds.refused import NotYet
from referee.games.war.events.forces import UnitsMoved
from referee.games.war.position.places import DONE, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.alliances import friends
from referee.games.war.reckoning.paths import Way
from referee.games.war.rulebook.pieces import BRIGADES


class March(Plan, frozen=True):
    """Which units go which way. `ceded`: they take the region at its end by cession."""

    way: Way
    stacks: tuple[Stack, ...]
    ceded: bool = False

    @property
    def left(self) -> tuple[str, tuple[Stack, ...]]:
        return self.way.places[0], self.stacks

    def but_one(self, stay: Stack) -> Self:
        fewer = (replace(stack, number=stack.number - (stack is stay)) for stack in self.stacks)
        return replace(self, stacks=tuple(stack for stack in fewer if stack.number))

    @property
    def entered(self) -> tuple[str, ...]:
        return self.way.places[1:]

    @property
    def taken(self) -> str:
        return self.way.target if self.ceded else ""

    def brings(self, war: War, seat: Seat) -> tuple[UnitsMoved, ...]:
        """27.move.land.4, R27-32: brigades and their parties stop in foreign land, explorers may go on in native land.

        Each unit remembers the last region it came from.
        """
        owner, open_to = war.lands[self.way.target].owner, friends(war, seat)

        def arrived(stack: Stack) -> Stack:
            goes_on = owner in open_to or (owner is None and stack.kind == "explorer")
            return replace(stack, spent=stack.spent + self.way.cost if goes_on else DONE, origin=self.way.entered_from)

        return tuple(UnitsMoved(self.left[0], stack, self.way.target, arrived(stack)) for stack in self.stacks)


# ---------------------------------------------------------------- a region in revolt


def check_garrison(war: War, seat: Seat, region: str, stacks: Sequence[Stack], arrived: int, written: Written) -> None:
    """27.production.revolt.8: out of a region in revolt go only brigades beyond the number of native ones.

    `arrived` counts brigades that come through and are not there yet.
    """
    land, going = war.lands[region], brigades_among(stacks)
    if land.revolt is None or land.owner != seat or not going:
        return
    spare = max(0, land.brigades(seat) + arrived - land.revolt.brigades)
    if going > spare:
        left = _first(stacks, spare)
        why = f"{region} is in revolt with {land.revolt.brigades} native brigades: {spare} of yours may leave it."
        raise NotYet(why, "27.production.revolt.8", region, (written(left),) if left else ())


def spared(war: War, seat: Seat, places: Sequence[str], stacks: Sequence[Stack]) -> tuple[Stack, ...]:
    """27.production.revolt.8, R27-30: those that may leave the first place, and pass the others, in revolt."""
    left = tuple(stacks)
    for place in places:
        land = war.lands[place]
        if land.revolt is not None and land.owner == seat:
            spare = land.brigades(seat) - land.revolt.brigades
            if place == places[0] or spare < 0:
                left = _without(left, max(0, spare))
    return left or tuple(stacks)


def _without(stacks: Sequence[Stack], brigades: int) -> tuple[Stack, ...]:
    """All parties, and so many of the brigades in the order written."""
    left: list[Stack] = []
    for stack in stacks:
        number = min(stack.number, brigades) if stack.kind in BRIGADES else stack.number
        brigades -= number if stack.kind in BRIGADES else 0
        left += [replace(stack, number=number)] if number else []
    return tuple(left)


def _first(stacks: Sequence[Stack], brigades: int) -> list[Lot]:
    """The same as lots of an order."""
    return [exactly(stack.kind, stack.number) for stack in _without(stacks, brigades)]
