"""Which module carries out which order, and what becomes of an order that cannot be carried out (H-02)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from referee.core.chance import Keyed
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Table
from referee.games.empire.events import evolve
from referee.games.empire.events.course import OrderRefused
from referee.games.empire.events.doubts import LineDoubtful
from referee.games.empire.mustering import mustered
from referee.games.empire.numbering import with_kinds
from referee.games.empire.orders.base import SlotOrder
from referee.games.empire.state import Empire
from referee.games.empire.steps import (
    bombing,
    pirates,
    seizing,
    splitting,
    taking,
    transfers,
)
from referee.games.empire.steps.conquest import cities_fall
from referee.games.empire.steps.foreseeing import FORESEE
from referee.games.empire.steps.readings import doubtful_line, readings_of
from referee.kit.refused import Refused

__all__ = ["DO", "attempt", "carry_out", "foresee"]

DO: Mapping[type[Intent], Callable[[Table[Empire], Seat, Any], None]] = {
    **seizing.DO,
    **taking.DO,
    **splitting.DO,
    **transfers.DO,
    **bombing.DO,
    **pirates.DO,
}
"""Who does which order of the sheet that does not declare itself."""


def carry_out(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    """Carry out one order. Raises Refused where a part of it cannot be done; then nothing is done (H-02)."""
    order = mustered(table.state, seat, intent)
    if isinstance(order, SlotOrder):
        order.do(table, seat)
    else:
        _do(table, seat, order)
    _settle(table)


def _do(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    """An order that does not declare itself."""
    do = DO.get(type(intent))
    if do is None:
        raise Refused("This order has no effect in a slot.", "emp.H-02")
    do(table, seat, intent)


def foresee(table: Table[Empire], seat: Seat, intent: Intent) -> tuple[str, ...]:
    """An order as far as it is certain, for a preview, and the chances of its dice in words. Raises Refused like the order."""
    look, order = FORESEE.get(type(intent)), mustered(table.state, seat, intent)
    if isinstance(order, SlotOrder):
        told = order.foresee(table, seat)
    elif look is None:
        carry_out(table, seat, intent)
        return ()
    else:
        told = look(table, seat, order)
    _settle(table)
    return told


def _settle(table: Table[Empire]) -> None:
    """What follows of itself from where everybody now is: cities fall, pirates in dock are pirates no more."""
    cities_fall(table)
    pirates.revert_pirates(table)


def attempt(table: Table[Empire], seat: Seat, line: int, intent: Intent) -> bool:
    """Carry out one order of a sheet; a refusal is told and later lines go on (H-02).

    A line that could be read in several ways is carried out as the first says, and put before the others (P23).
    """
    before = table.state
    try:
        carry_out(table, seat, intent)
    except Refused as refused:
        why = refused.illegal
        table.emit(OrderRefused(seat, line, with_kinds(before, intent.meaning()), why.sentence, why.rule))
        return False
    readings = readings_of(before, seat, intent, partial(_obeys, before, seat))
    if len(readings) > 1:
        table.emit(LineDoubtful(doubtful_line(table.state, seat, line, readings)))
    return True


def _obeys(before: Empire, seat: Seat, intent: Intent) -> bool:
    """Whether an order could have been carried out in a position."""
    try:
        carry_out(Table("try", before, Keyed(b"try", 0), evolve), seat, intent)
    except Refused:
        return False
    return True
