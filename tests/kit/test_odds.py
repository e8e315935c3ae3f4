"""Chances as fractions, and how they are said."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.kit.odds import drawn_at_least_one, fought_out, in_words, out_of, successes, thrown

SIX = {0: Fraction(5, 6), 1: Fraction(1, 6)}


def test_equal_dice_together() -> None:
    assert thrown(2, SIX) == {0: Fraction(25, 36), 1: Fraction(10, 36), 2: Fraction(1, 36)}
    assert thrown(4, SIX) == successes(4, Fraction(1, 6))
    assert sum(successes(9, Fraction(1, 6)).values()) == 1


def test_cards_drawn() -> None:
    assert drawn_at_least_one(20, 1, 1) == Fraction(1, 20)
    assert drawn_at_least_one(5, 2, 2) == Fraction(7, 10)
    assert drawn_at_least_one(5, 2, 9) == 1
    assert drawn_at_least_one(0, 0, 3) == 0


def test_a_fight_to_the_end() -> None:
    """One against one, each hitting with a six: 5 in 11 for either, 1 in 11 that both go, as by hand."""

    def volley(units: int) -> dict[int, Fraction]:
        return thrown(units, SIX)

    ends = fought_out(1, 1, volley, volley)
    assert ends == {(1, 0): Fraction(5, 11), (0, 1): Fraction(5, 11), (0, 0): Fraction(1, 11)}
    assert sum(fought_out(5, 3, volley, volley).values()) == 1


def test_a_fight_in_which_nobody_hits_is_left_as_it_is() -> None:
    assert fought_out(2, 3, lambda _: {0: Fraction(1)}, lambda _: {0: Fraction(1)}) == {(2, 3): Fraction(1)}


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (Fraction(1), "certain"),
        (Fraction(0), "impossible"),
        (Fraction(5, 36), "5 in 36"),
        (Fraction(5, 37), "about 14 in 100"),
        (Fraction(1, 1296), "about 1 in 1296"),
        (Fraction(1295, 1296), "all but about 1 in 1296"),
    ],
)
def test_in_words(chance: Fraction, words: str) -> None:
    assert in_words(chance) == words


def test_halves_are_rounded_up() -> None:
    assert [out_of(Fraction(n, 8), 100) for n in (1, 3, 5)] == [13, 38, 63]
