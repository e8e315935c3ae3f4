"""Who only returns what letters propose, or takes what they offer, plays on: understood, fed and in the game."""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

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


# ---------------------------------------------------------------- a month against two steady bots


MONTH = [
    pytest.param("newworld", 30, 12),
    pytest.param("war27", 6, 8),
    pytest.param("war17", 10, 12),
    pytest.param("empire", 10, 6),
]
"""A game, after how many turns its matches are over, and how many are played."""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "turns", "matches"), MONTH)
def test_a_month_against_two_steady_bots(tmp_path: Path, game: str, turns: int, matches: int) -> None:
    """Who returns his sheets keeps up with them: within a quarter of their points, as far as so few matches can tell."""
    courses = list[Course]()
    for number in range(matches):
        folder = tmp_path / str(number)
        folder.mkdir()
        courses.append(play(folder, game, f"month {number}", turns=turns))
    fates = [fate for course in courses for fate in course.fates]
    bots = fmean(score for course in courses for score in course.bots)
    ratios = [fate.score / bots for fate in fates]
    error = stdev(ratios) / sqrt(matches)
    print(f"{game}: {100 * fmean(ratios):.0f} % of the bots' points, standard error {100 * error:.0f}; {fates}")
    assert fmean(ratios) + 2 * error >= 0.75
    if game == "empire":
        assert sum(fate.confidence >= 6 for fate in fates) >= 0.9 * matches
    else:
        assert sum(fate.marched > 0 for fate in fates) >= 0.9 * matches
