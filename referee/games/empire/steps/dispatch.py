"""Which module carries out which order, and what becomes of an order that cannot be carried out (H-02)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Table
from referee.games.empire import affairs
from referee.games.empire.events.course import OrderRefused
from referee.games.empire.intents import Exchange, Produce
from referee.games.empire.mustering import mustered
from referee.games.empire.state import Empire
from referee.games.empire.steps import (
    loading,
    moving,
    picks,
    pumping,
    seizing,
    splitting,
    standing,
    supply,
    towing,
)
from referee.kit.refused import Refused

__all__ = ["DO", "attempt", "carry_out"]

DO: Mapping[type[Intent], Callable[[Table[Empire], Seat, Any], None]] = {
    **picks.DO,
    **seizing.DO,
    **splitting.DO,
    **affairs.DO,
    **moving.DO,
    **loading.DO,
    **towing.DO,
    **standing.DO,
    **pumping.DO,
    **supply.DO,
}
"""Every order of the sheet that does something, and who does it."""


_NOT_PLAYED: Mapping[type[Intent], tuple[str, str]] = {
    Produce: ("Factories cannot be run yet.", "emp.H-20"),
    Exchange: ("Foreign exchange cannot be sent yet.", "emp.H-17"),
}


def carry_out(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    """Carry out one order. Raises Refused where it cannot be done; of an order for several units some may have obeyed."""
    do = DO.get(type(intent))
    if do is None:
        raise Refused(*_NOT_PLAYED.get(type(intent), ("This order has no effect in a slot.", "emp.H-02")))
    do(table, seat, mustered(table.state, seat, intent))


def attempt(table: Table[Empire], seat: Seat, line: int, intent: Intent) -> bool:
    """Carry out one order of a sheet; a refusal is told and later lines go on (H-02)."""
    try:
        carry_out(table, seat, intent)
    except Refused as refused:
        why = refused.illegal
        table.emit(OrderRefused(seat, line, intent.meaning(), why.sentence, why.rule))
        return False
    return True
