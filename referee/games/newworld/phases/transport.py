"""Transport Phase: Armies move from Region to Region."""

from __future__ import annotations

from referee.core.table import Script, Table
from referee.games.newworld.events import ArmiesMoved
from referee.games.newworld.intents import MoveArmies
from referee.games.newworld.phases.turn import Turn, fell_short
from referee.games.newworld.state import Power, World
from referee.kit.wording import counted

__all__ = ["transport_limit", "transport_phase"]


def transport_limit(power: Power) -> int:
    """nw.r20: the lower of Transportation level and Fleets."""
    return min(power.levels["Transportation"], power.fleets)


def transport_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.transport.move, nw.r20: a limit for the phase, and an Army moves once."""
    left = transport_limit(turn.power(table))
    waiting = dict(turn.power(table).armies)
    for order in turn.wanted(table, MoveArmies):
        wanted = order.quantity.of(waiting[order.origin])
        amount = min(wanted, waiting[order.origin], left)
        if amount:
            table.emit(ArmiesMoved(turn.seat, amount, order.origin, order.target))
        if amount < wanted or not wanted:
            _explain(table, turn, order, waiting[order.origin], left)
        waiting[order.origin] -= amount
        left -= amount
    yield from ()


def _explain(table: Table[World], turn: Turn, order: MoveArmies, waiting: int, left: int) -> None:
    if left < waiting:
        why, rule = f"Transportation and fleets carry {left} more this turn", "nw.r20"
    else:
        why, rule = f"{counted(waiting, 'armies')} in {order.origin} can still move", "nw.transport.move"
    fell_short(table, turn, order, why, rule)
