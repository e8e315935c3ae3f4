"""Who only returns what letters propose, or takes what they offer, plays on: understood, fed and in the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.letters.naive import GAMES, Course, play

MATCHES = 50
"""Of each game, in the long run."""

SHORT = [
    pytest.param("newworld", 2),
    pytest.param("war27", 1),
    pytest.param("war17", 1),
    pytest.param("empire", 3),
]
"""A game, and after how many turns its short match is over."""


STARVED = 4
"""So many of a country may die of hunger still, a neighbour working its fields; it was 34 in ten turns when a sheet sowed none."""


EQUALS_FALL = ("war17",)
"""Where one of several steady players may be eliminated by the others in ten turns, once in forty seats: that is war."""


def check(course: Course, may_fall: bool = False) -> None:
    """Nothing that a letter proposed was refused or not understood; hardly anybody starved; he is still there."""
    assert not course.stuck
    for fate in course.fates:
        assert fate.letters > 0 and (fate.alive or may_fall), fate
        assert (fate.refused, fate.not_understood, fate.starved <= STARVED) == ([], [], True), fate


@pytest.mark.parametrize(("game", "turns"), SHORT)
def test_what_a_letter_proposes_can_be_returned_as_it_stands(tmp_path: Path, game: str, turns: int) -> None:
    check(play(tmp_path, game, "short", turns=turns))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", range(MATCHES))
def test_ten_turns_of_what_letters_propose(tmp_path: Path, game: str, number: int) -> None:
    check(play(tmp_path, game, str(number), players=3 + number % 2, naive=1 + number // 2 % 2), game in EQUALS_FALL)
