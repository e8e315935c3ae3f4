"""Phases in which orders are carried out one after the other as they are written, whatever else happens in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from referee.core.event import Event
from referee.core.table import Script, Table
from referee.games.newworld.orders import BOOK
from referee.games.newworld.orders.base import TurnOrder
from referee.games.newworld.position.state import World
from referee.games.newworld.reckoning.turn import Turn

PhaseScript = Callable[[Table[World], Turn], Script[None]]


def carrying_out(table: Table[World], turn: Turn, phase: str) -> Script[None]:
    """Every order of a phase, as far as can be."""
    done = list[Event]()
    for order in turn.wanted(table, *BOOK.kinds_of(phase)):
        if isinstance(order, TurnOrder):
            done += order.do(table, turn, done)
    yield from ()


def _phase(name: str) -> PhaseScript:
    return partial(carrying_out, phase=name)


PURCHASE_PHASES = tuple(map(_phase, ("Worker", "Ship Building", "Raise Armies")))
transport_phase = _phase("Transport")
