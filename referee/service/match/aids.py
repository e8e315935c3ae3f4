"""Aids of a game: what it only tells. One that breaks is left out, with a sentence in its place, and play goes on without it.

The rules themselves are no aids: a match whose phase breaks stands still.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from html import escape
from typing import Any, TypeVar

from referee.core.choices import Asking, Nothing, Unknown
from referee.core.event import Event
from referee.core.game import AnyGame
from referee.core.names import Reader, Seat
from referee.core.order import Doubt, Intent
from referee.core.page import Bullets, Drawing, Note, Page, Sheet
from referee.service.failing import log_failure

T = TypeVar("T")

_log = logging.getLogger(__name__)


_AIDED: dict[int, AnyGame] = {}
"""By what they were made from, and by themselves."""


def aided(game: AnyGame) -> AnyGame:
    """The same game, whose aids never raise."""
    if id(game) not in _AIDED:
        made = copy(game)
        for name in _INSTEAD:
            if hasattr(game, name):
                setattr(made, name, _asking(game) if name == "asking" else _guarded(game, name))
        _AIDED[id(game)] = _AIDED[id(made)] = made
    return _AIDED[id(game)]


def left_out(what: str) -> str:
    """The sentence in the place of what could not be made."""
    return f"{what} could not be made, by a fault of the program that its keeper finds in the log; all else is as it should be."


UNFILLED = (
    "# This sheet could not be filled in, by a fault of the program that its",
    "# keeper can read of in the log. Write your orders below; HELP lists them.",
)


def tried(make: Callable[[], T], instead: Callable[[], T], what: str, of: str = "a match") -> T:
    """What is made of a game; where that raises, what is told instead, and a line in the log."""
    try:
        return make()
    except Exception as problem:
        log_failure(_log, problem, "%s of %s is left out", what, of)
        return instead()


def sentences(events: Iterable[Event]) -> Iterator[str]:
    """What happened, a sentence an event; without those that have none."""
    for event in events:
        if said := tried(event.sentence, lambda: left_out("A sentence"), "a sentence", type(event).__name__):
            yield said


def _report(game: AnyGame, before: Any, events: Sequence[Event], after: Any, reader: Reader) -> Page:
    phase = game.next_phase(before)
    said = left_out("The report")
    blocks = (Note(said, "warning"), Bullets(tuple(sentences(events))))
    return Page(phase.title if phase else game.title, "This is what happened, a line each.", blocks)


def _sheet(game: AnyGame, *_: Any) -> tuple[Sheet, ...]:
    return (Sheet("left-out", "Record sheets", (), notes=(left_out("The record sheets"),)),)


def _chart(game: AnyGame, *_: Any) -> Drawing:
    said = left_out("The map")
    text = f'<text x="8" y="24" font-size="14">{escape(said)}</text>'
    return Drawing(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 40">{text}</svg>', said)


def _line(game: AnyGame, state: Any, intent: Intent, *_: Any) -> str:
    return game.line(state, intent)


_INSTEAD: Mapping[str, Callable[..., Any]] = {
    "report": _report,
    "sheets": _sheet,
    "logs": _sheet,
    "chart": _chart,
    "order_form": lambda *_: UNFILLED,
    "examples": lambda *_: {},
    "doubts": lambda *_: (Doubt(left_out("The look ahead at these orders")),),
    "asking": lambda *_: None,
    "line": _line,
    "nearest": lambda *_: (),
    "preview": lambda *_: (left_out("The forecast"),),
    "odds": lambda *_: (),
    "phrase": lambda game, state, intent: intent.meaning(),
    "recount": lambda game, events, state: tuple(sentences(events)),
    "at_once": lambda game, event: "".join(sentences((event,))),
    "rule_tables": lambda *_: (Note(left_out("The tables"), "warning"),),
}
"""By the name of an aid what is told in its place."""


def _guarded(game: AnyGame, name: str) -> Callable[..., Any]:
    def aid(*given: Any, **named: Any) -> Any:
        return tried(
            lambda: getattr(game, name)(*given, **named), lambda: _INSTEAD[name](game, *given), name, game.name
        )

    return aid


def _asking(game: AnyGame) -> Callable[..., Asking[Intent]]:
    """Its choices of an order; where they break, picking goes no further."""

    def asking(state: Any, seat: Seat, verb: str, sheet: Sequence[Intent] = ()) -> Asking[Intent]:
        try:
            return (yield from game.asking(state, seat, verb, sheet))
        except (Nothing, Unknown):
            raise
        except Exception as problem:
            log_failure(_log, problem, "asking of %s is left out", game.name)
            raise Unknown(left_out(f"The choices of {verb}")) from problem

    return asking
