"""A player's movement: his sheet in the order written, by land and sea (27.move.order.1, R27-30)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Script, Table
from referee.games.war.deeds.entry import check_entry
from referee.games.war.deeds.muster import empties
from referee.games.war.events.forces import UnitsMoved, fell_short
from referee.games.war.orders import BOOK
from referee.games.war.orders.base import MOVEMENT
from referee.games.war.orders.movement.attack import AttackFleets, DeclareWar
from referee.games.war.orders.movement.carry import Landing
from referee.games.war.orders.movement.parts import MoveOrder
from referee.games.war.orders.movement.sail import Voyage
from referee.games.war.orders.production.natives import RemoveSphere
from referee.games.war.phases.control import draw_marker, revert
from referee.games.war.phases.movement.abandoning import P, hold_back, left_empty, relieved, settled
from referee.games.war.phases.movement.alliances import expel_guests, joining
from referee.games.war.phases.movement.cession import take_cession
from referee.games.war.phases.movement.interception import Announced, intercepted
from referee.games.war.phases.movement.sailing import attack_fleets, sail
from referee.games.war.phases.production.native_diplomacy import take_off_own
from referee.games.war.position.places import DONE, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.conditions import Judged, in_force
from referee.games.war.rulebook.pieces import BRIGADES
from referee.kit.refused import Refused

MOVES: tuple[type[Intent], ...] = (*BOOK.kinds_of(MOVEMENT), RemoveSphere)
"""The orders of movement, which are carried out line by line."""


def movement_orders(
    table: Table[War], seat: Seat, sheet: Sequence[Intent], judged: Judged | None = None
) -> Script[None]:
    """All orders of movement, then the test that no region was abandoned (R27-01); an IF is judged at its first (R27-40)."""
    share = _Share(table, seat, tuple(sheet), judged if judged is not None else {})
    for line in range(len(share.sheet)):
        try:
            yield from share.carry_out(line)
        except Refused as refusal:
            share.fell_short(line, refusal)
    expel_guests(table, seat)
    yield from share.keep_regions()


class _Share:
    """One sheet at work. `departed`: who left a region that a later line was to relieve; `missed`: resting fleets not met."""

    def __init__(self, table: Table[War], seat: Seat, sheet: tuple[Intent, ...], judged: Judged) -> None:
        self.table = table
        self.judged = judged
        self.seat = seat
        self.sheet = sheet
        self.departed: dict[str, tuple[str, Stack]] = {}
        self.missed: list[tuple[Seat, str]] = []

    def carry_out(self, line: int) -> Script[None]:
        """One line, if it is under no IF that says otherwise. Raises Refused when it cannot be done at all."""
        (order,) = in_force(self.table.state, self.seat, self.sheet[line : line + 1], MOVES, self.judged) or (None,)
        match order:
            case RemoveSphere():
                take_off_own(self.table, self.seat, order)
            case AttackFleets():
                yield from self._attack(line, order)
            case MoveOrder():
                yield from self._move(line, order)

    def fell_short(self, line: int, why: Refused, partly: bool = False) -> None:
        """Tell the writer why a line was not done, or not wholly."""
        self.table.emit(fell_short(self.table.state, self.seat, self.sheet[line], why, partly))

    # -------------------------------------------------------- lines

    def _move(self, line: int, order: MoveOrder) -> Script[None]:
        """What is planned of it happens, unless fleets are stopped on the way."""
        plan, missing = settled(order.plan, self.table.state, self.seat)
        plan, leaving = self._kept(line, plan)
        if missing is not None:
            self.fell_short(line, missing, partly=True)
        match plan:
            case Voyage():
                stopped = yield from sail(self.table, self.seat, plan, f"line {line + 1}")
                if stopped is not None:
                    self.fell_short(line, stopped)
                return
            case Landing():
                plan = yield from self._landed(line, plan)
        for event in plan.brings(self.table.state, self.seat):
            self.table.emit(event)
            if leaving and isinstance(event, UnitsMoved) and event.before.kind in BRIGADES:
                self.departed[plan.left[0]] = (event.target, event.after)
        for place in plan.entered:
            yield from self._first_entry(place)
        if plan.taken:
            yield from take_cession(self.table, self.seat, plan.taken)
        if isinstance(order, DeclareWar):
            yield from joining(self.table, self.seat, f"line {line + 1}")

    def _attack(self, line: int, order: AttackFleets) -> Script[None]:
        """Fleets that were not met are not sought again there in this share (R27-97)."""
        if (order.enemy, order.sea) in self.missed:
            raise Refused(f"{order.enemy}'s fleets in {order.sea} were not met.", "R27-97", order.sea)
        met = yield from attack_fleets(self.table, self.seat, order, f"line {line + 1}")
        if not met:
            self.missed.append((order.enemy, order.sea))

    def _landed(self, line: int, plan: Landing) -> Script[Landing]:
        """What is left of a landing where enemies have met its fleets."""
        opponent = plan.invaded if any(kind in BRIGADES for kind in plan.kinds) else None
        action = f"land in {plan.target}"
        announced = Announced(self.seat, plan.fleets, plan.sea, action, plan.invaded, opponent)
        left = yield from intercepted(self.table, announced, f"line {line + 1}")
        plan = plan.surviving(self.table.state, left)
        if not plan.unloadings:
            raise Refused(f"The fleets were stopped by battle in {plan.sea}.", "27.move.naval.5")
        check_entry(self.table.state, self.seat, plan.target, plan.kinds)
        return plan

    def _first_entry(self, region: str) -> Script[None]:
        """27.setup.9: the first unit that ever enters a native region draws its marker."""
        land = self.table.state.lands[region]
        if land.owner is None and land.marker is None:
            yield from draw_marker(self.table, region)

    # -------------------------------------------------------- regions left without a brigade

    def _kept(self, line: int, plan: P) -> tuple[P, bool]:
        """The plan, less the brigade that must stay; and whether it empties a region that is to be relieved (R27-01)."""
        war, (origin, stacks) = self.table.state, plan.left
        if not empties(war, self.seat, origin, stacks):
            return plan, False
        rest = in_force(war, self.seat, self.sheet[line:], MOVES, dict(self.judged))
        if relieved(war, self.seat, rest, origin):
            return plan, True
        short = hold_back(war, self.seat, plan)
        why = f"{origin} may not be left without a brigade, so one stays."
        self.fell_short(line, Refused(why, "R27-01"), partly=True)
        return short, False

    def keep_regions(self) -> Script[None]:
        """R27-01: where the relief did not come."""
        for region in left_empty(self.table.state, self.seat):
            if not self._recalled(region):
                yield from revert(self.table, region)

    def _recalled(self, region: str) -> bool:
        place, stack = self.departed.get(region, ("", Stack(self.seat, "infantry", 0)))
        if not place:
            return False
        land = self.table.state.lands[place]
        there = next((s for s in land.stacks if replace(s, number=stack.number) == stack), None)
        if there is None or (land.owner == self.seat and land.brigades(self.seat) == 1):
            return False
        back = Stack(self.seat, stack.kind, 1, DONE)
        self.table.emit(UnitsMoved(place, replace(stack, number=1), region, back, "march", "R27-01"))
        return True
