"""Decisions in the middle of a turn: asked by mail, or settled at once by standing orders and defaults."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Answer, Menu, Pace, Question
from referee.core.table import Script, Table
from referee.games.war.position.state import War

T = TypeVar("T")
Recognise = Callable[[Sequence[Intent]], T | None]
"""Finds the answer in a sheet or in standing orders; None when they say nothing of it."""


def decision(
    table: Table[War], seat: Seat, name: str, text: str, menu: Menu[T], rule: str, recognise: Recognise[T]
) -> Question[T]:
    """The question for one decision; `name` is unique in the phase ("Egypt/round 2/retreat"). R27-82: who is waited for."""
    pace = Pace.REPLY if table.state.decisions.get(seat) == "interactive" else Pace.AUTO
    return Question(f"{table.phase}/{name}", seat, text, menu, pace, table.state.cite(rule), recognise)


def decide(
    table: Table[War], seat: Seat, name: str, text: str, menu: Menu[T], rule: str, recognise: Recognise[T]
) -> Script[T]:
    """Ask one decision and return what was decided."""
    answer: Answer[T] = yield from table.ask(decision(table, seat, name, text, menu, rule, recognise))
    return answer.value


def consult(
    table: Table[War], seat: Seat, name: str, text: str, menu: Menu[T], rule: str, recognise: Recognise[T]
) -> Script[T]:
    """The same of something for which no letter is ever sent (R27-82)."""
    name, rule = f"{table.phase}/{name}", table.state.cite(rule)
    answer: Answer[T] = yield from table.ask(Question(name, seat, text, menu, Pace.AUTO, rule, recognise))
    return answer.value
