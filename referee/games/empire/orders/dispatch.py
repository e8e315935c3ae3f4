"""Which module carries out which order, and what becomes of an order that cannot be carried out (emp.H-02)."""

from __future__ import annotations

from functools import partial

from referee.core.chance import Keyed
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Table
from referee.games.empire.deeds.war.means import cities_fall
from referee.games.empire.events import evolve
from referee.games.empire.events.course import OrderRefused
from referee.games.empire.events.doubts import LineDoubtful
from referee.games.empire.orders.base import SlotOrder
from referee.games.empire.orders.readings import doubtful_line, mustered, readings_of
from referee.games.empire.orders.war.raids import revert_pirates
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import with_kinds
from referee.kit.refused import Refused


def carry_out(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    """Carry out one order. Raises Refused where a part of it cannot be done; then nothing is done (emp.H-02)."""
    _mustered(table, seat, intent).do(table, seat)
    _settle(table)


def foresee(table: Table[Empire], seat: Seat, intent: Intent) -> tuple[str, ...]:
    """An order as far as it is certain, for a preview, and the chances of its dice in words. Raises Refused like the order."""
    told = _mustered(table, seat, intent).foresee(table, seat)
    _settle(table)
    return told


def _mustered(table: Table[Empire], seat: Seat, intent: Intent) -> SlotOrder:
    """The order with units for those it names by kind. Raises Refused for one that is no order of a slot."""
    order = mustered(table.state, seat, intent)
    if not isinstance(order, SlotOrder):
        raise Refused("This order has no effect in a slot.", "emp.H-02")
    return order


def _settle(table: Table[Empire]) -> None:
    """What follows of itself from where everybody now is: cities fall, pirates in dock are pirates no more."""
    cities_fall(table)
    revert_pirates(table)


def attempt(table: Table[Empire], seat: Seat, line: int, intent: Intent) -> bool:
    """Carry out one order of a sheet; a refusal is told and later lines go on (emp.H-02).

    A line that could be read in several ways is carried out as the first says, and put before the others (emp.P23).
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
