"""A script played out without anybody: what a seat's own sheets say is its answer, all else is settled by default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Answer, Question, Source
from referee.core.table import Script

_SOURCES = (Source.ORDERS, Source.STANDING)

Sheets = Callable[[], tuple[Sequence[Intent], ...]]
"""A seat's orders and its standing orders, as they are when a question comes."""


def played_out(script: Script[None], seat: Seat | None = None, sheets: Sheets = tuple) -> None:
    """Run a script to its end."""
    try:
        questions = next(script)
        while True:
            questions = script.send(tuple(_settled(question, seat, sheets) for question in questions))
    except StopIteration:
        return


def _settled(question: Question[Any], seat: Seat | None, sheets: Sheets) -> Answer[Any]:
    for source, sheet in zip(_SOURCES, sheets() if question.seat == seat else (), strict=False):
        value = question.recognise(sheet)
        if value is not None:
            return Answer(value, source)
    return Answer(question.menu.default, Source.DEFAULT)
