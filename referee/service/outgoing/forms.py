"""The order sheet that goes with a letter, half filled in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any

from referee.core.names import Seat
from referee.core.page import Form
from referee.core.question import Amount, Menu, OneOf, Question, Several
from referee.service.match.aids import UNFILLED
from referee.service.match.drafts import debts, default_words
from referee.service.match.playing import Playing


def form_for(playing: Playing, seat: str) -> Form | None:
    """The next order sheet of a seat that owes orders; for a plain question, the line that answers it."""
    mine = debts(playing, seat)
    if any(question.wants_orders for question in mine):
        state = playing.outcome.state
        words = (verb.word for verb in playing.game.vocabulary(state).verbs)
        return Form(in_columns(never_empty(playing.game.order_form(state, Seat(seat))), words))
    if mine:
        return answer_form(mine[0])
    return None


def never_empty(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines of a sheet; one that proposes nothing gets the line that ends the turn: whoever returns it is understood."""
    if any(not line.startswith("#") for line in lines) or lines == UNFILLED:
        return tuple(lines)
    return (*lines, *_NOTHING)


_NOTHING = ("# Nothing has to be done. This line ends your turn as it is:", "ROLL OUT")

_WIDTH = 72
"""Columns of a line of advice: mail programs break longer ones, and what they break off would be read as an order."""


def in_columns(lines: Iterable[str], words: Iterable[str]) -> tuple[str, ...]:
    """The lines of a form with long advice in several; what begins with one of these words is an order and stays whole."""
    orders = tuple(f"# {word} " for word in words)
    return tuple(
        part for line in lines for part in ((line,) if len(line) <= _WIDTH else _broken(line, line.startswith(orders)))
    )


def _broken(line: str, order: bool) -> Sequence[str]:
    advice = line.startswith("# ") and not order
    return (
        wrap(line, _WIDTH, subsequent_indent="#   ", break_long_words=False, break_on_hyphens=False)
        if advice
        else (line,)
    )


def answer_form(question: Question[Any]) -> Form:
    """Lines a player can edit to answer a plain question."""
    return Form(
        (*_how_many(question), *(f"# {word}" for word in question.menu.words()), f"CHOOSE {default_words(question)}")
    )


_MOST_ANSWERS = 12
"""So many answers a question offers ready to send; who has more to choose from is handed the form."""


def answers_to(question: Question[Any]) -> tuple[str, ...]:
    """Lines each of which answers a plain question: every choice there is, or the default alone where they are many."""
    if question.wants_orders:
        return ()
    words = _every_answer(question.menu)
    return tuple(f"CHOOSE {word}" for word in (words if 0 < len(words) <= _MOST_ANSWERS else [default_words(question)]))


def _every_answer(menu: Menu[Any]) -> list[str]:
    """What can be chosen; of several that may be chosen together, each alone, all, and none; nothing where it cannot be listed."""
    if isinstance(menu, Amount) and menu.high - menu.low < _MOST_ANSWERS:
        return [str(number) for number in range(menu.low, menu.high + 1)]
    if isinstance(menu, OneOf):
        return [option.word for option in menu.options]
    if not isinstance(menu, Several):
        return []
    each = [option.word for option in menu.options]
    together = [", ".join(each)] if 1 < len(each) <= menu.at_most else []
    return [*each, *together, "none"]


def _how_many(question: Question[Any]) -> tuple[str, ...]:
    """That several choices may be named, and how."""
    menu = question.menu
    if isinstance(menu, Several) and menu.at_most > 1 and len(menu.options) > 1:
        return (f"# Up to {menu.at_most} of these, with commas between:",)
    return ()
