"""The sea in Version 1.7: interception on arrival ends the move; fleets hit with 9 or more on two dice."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.table import Script, Table
from referee.games.war.events.forces import FleetsMoved
from referee.games.war.events.moving import FleetsHeld
from referee.games.war.orders.movement.attack import AttackFleets
from referee.games.war.orders.movement.sail import Voyage
from referee.games.war.phases.movement.interception import Announced, intercepted
from referee.games.war.phases.movement.naval_battle import Gunnery, Outcome, naval_battle
from referee.games.war.phases.movement.sailing import leave_to_pass
from referee.games.war.position.places import DONE, Fleet
from referee.games.war.position.state import War
from referee.games.war.rulebook.pieces import BRIGADES
from referee.games.war17.rulebook.pieces import school_drm
from referee.kit.refused import Refused


def _schools(war: War, sea: str, seat: Seat, enemy: Seat) -> tuple[tuple[str, int], ...]:
    """17.pieces.5: what schools add to fleets' dice."""
    drm = school_drm("fleet", war.schools(seat))
    return (("schools", drm),) if drm else ()


def _burden(fleet: Fleet) -> int:
    """17.combat.naval.1: 2 for a fleet that carries brigades, 1 for one with parties only."""
    kinds = [load.kind for load in fleet.cargo]
    return 2 if any(kind in BRIGADES for kind in kinds) else 1 if kinds else 0


GUNNERY17 = Gunnery(2, 9, _schools, _burden)
"""17.combat.naval.1."""


def fight_at_sea(
    table: Table[War], sea: str, mover: Seat, his: tuple[int, ...], enemy: Seat, fleets: tuple[int, ...], name: str
) -> Script[Outcome]:
    """17.move.naval.3, R17-12: a naval battle; the mover's fleets stop, win or lose."""
    outcome = yield from naval_battle(table, sea, mover, his, enemy, fleets, name, GUNNERY17)
    going = tuple(number for number in outcome.movers if table.state.fleets[number].spent != DONE)
    if going:
        table.emit(FleetsHeld(mover, going, sea))
    return replace(outcome, mover_stopped=True)


def sail(table: Table[War], seat: Seat, plan: Voyage, name: str) -> Script[Refused | None]:
    """17.move.naval.1, 17.move.naval.2: step by step; enemies may intercept in each area entered."""
    for number, (here, there) in enumerate(plan.way.pairs(), 1):
        step = f"{name}/step {number}"
        if not (yield from leave_to_pass(table, seat, here, there, step)):
            return Refused(f"The strait to {there} was closed to your fleets.", "17.board.4")
        table.emit(FleetsMoved(seat, plan.fleets, here, there))
        met = Announced(seat, plan.fleets, there, "go on", quiet=True)
        if not (yield from intercepted(table, met, step, fight_at_sea)):
            last = there == plan.way.target
            return None if last else Refused(f"The fleets were stopped by battle in {there}.", "17.move.naval.3")
    return None


def attack(table: Table[War], seat: Seat, order: AttackFleets, name: str) -> Script[None]:
    """17.war.1: a battle against an enemy's resting fleets; those that fought move no more."""
    ours = order.plan(table.state, seat, False).fleets
    theirs = tuple(fleet.number for fleet in table.state.fleets_of(order.enemy, order.sea))
    yield from fight_at_sea(table, order.sea, seat, ours, order.enemy, theirs, name)
