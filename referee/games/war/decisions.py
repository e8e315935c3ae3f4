"""Decisions in the middle of a turn: asked by mail, or settled at once by standing orders and defaults."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Answer, Menu, Pace, Question
from referee.core.table import Script, Table
from referee.games.war.state import War

__all__ = ["decide", "decision"]

T = TypeVar("T")
Recognise = Callable[[Sequence[Intent]], T | None]
"""Finds the answer in a sheet or in standing orders; None when they say nothing of it."""


def decision(
    table: Table[War], seat: Seat, name: str, text: str, menu: Menu[T], rule: str, recognise: Recognise[T]
) -> Question[T]:
    """The question for one decision; `name` is unique in the phase ("Egypt/round 2/retreat").

    A seat that wants no letters in the middle of a turn is never waited for: orders that are silent mean the default.
    """
    waits = table.state.decisions.get(seat) == "interactive"

    def settled(sheet: Sequence[Intent]) -> T | None:
        found = recognise(sheet)
        return found if found is not None or waits else menu.default

    return Question(f"{table.phase}/{name}", seat, text, menu, Pace.REPLY, rule, settled)


def decide(
    table: Table[War], seat: Seat, name: str, text: str, menu: Menu[T], rule: str, recognise: Recognise[T]
) -> Script[T]:
    """Ask one decision and return what was decided."""
    answer: Answer[T] = yield from table.ask(decision(table, seat, name, text, menu, rule, recognise))
    return answer.value
