"""Opponents: who answers for a seat that no person plays, by strength. None of them sees more than a person in his seat."""

from __future__ import annotations

from typing import Any, Literal

from referee.core.choices import Pick
from referee.core.game import AnyGame, PlaysSteadily
from referee.core.question import Question

Strength = Literal["novice", "steady"]
"""A novice chooses at random among what is lawful; a steady player plans his turn."""


def answer_of(strength: str, game: AnyGame, seen: Any, question: Question[Any], pick: Pick) -> Any:
    """What an opponent answers, of what its seat sees of the position; a novice where the game has nobody steadier.

    To what is asked in the middle of a turn a steady player says what silence would.
    """
    if strength != "steady" or not isinstance(game, PlaysSteadily):
        return question.menu.sample(pick)
    if not question.wants_orders:
        return question.menu.default
    return tuple(one.order for one in game.steady(seen, question.seat) if question.takes(one.order))
