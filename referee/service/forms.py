"""The order sheet that goes with a letter, half filled in."""

from __future__ import annotations

from typing import Any

import msgspec

from referee.core.names import Seat
from referee.core.page import Form
from referee.core.question import Question, Several
from referee.service.frames import debts
from referee.service.playing import Playing

__all__ = ["answer_form", "default_words", "form_for"]


def form_for(playing: Playing, seat: str) -> Form | None:
    """The next order sheet of a seat that owes orders; for a plain question, the line that answers it."""
    mine = debts(playing, seat)
    if any(question.wants_orders for question in mine):
        return Form(playing.game.order_form(playing.outcome.state, Seat(seat)))
    if mine:
        return answer_form(mine[0])
    return None


def answer_form(question: Question[Any]) -> Form:
    """Lines a player can edit to answer a plain question."""
    return Form(
        (*_how_many(question), *(f"# {word}" for word in question.menu.words()), f"CHOOSE {default_words(question)}")
    )


def _how_many(question: Question[Any]) -> tuple[str, ...]:
    """That several choices may be named, and how."""
    menu = question.menu
    if isinstance(menu, Several) and menu.at_most > 1 and len(menu.options) > 1:
        return (f"# Up to {menu.at_most} of these, with commas between:",)
    return ()


def default_words(question: Question[Any]) -> str:
    """The default of a plain question, as one would write it."""
    decoded = msgspec.json.decode(question.menu.encode(question.menu.default))
    if isinstance(decoded, list):
        return ", ".join(map(str, decoded)) or "none"
    if isinstance(decoded, dict):  # so many of each kind
        return ", ".join(f"{number} {kind}" for kind, number in decoded.items()) or "none"
    return str(decoded)
