"""Phases in which orders are carried out one after the other as they are written, whatever else happens in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from referee.core.table import Script, Table
from referee.games.newworld.orders import BOOK
from referee.games.newworld.orders.base import TurnOrder
from referee.games.newworld.position.state import World
from referee.games.newworld.reckoning.turn import Turn


def carry_out(table: Table[World], turn: Turn, phase: str) -> None:
    """Every order of a phase, as far as can be."""
    for order in turn.wanted(table, *BOOK.kinds_of(phase)):
        if isinstance(order, TurnOrder):
            order.do(table, turn)


def carrying_out(table: Table[World], turn: Turn, phase: str) -> Script[None]:
    """A phase of nothing but orders."""
    carry_out(table, turn, phase)
    yield from ()


PURCHASE_PHASES: tuple[Callable[[Table[World], Turn], Script[None]], ...] = tuple(
    partial(carrying_out, phase=phase) for phase in ("Worker", "Ship Building", "Raise Armies")
)
