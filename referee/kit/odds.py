"""Chances as fractions: dice that hit, cards drawn, fights to the end, and how a chance is said in words. No float."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import comb

Dice = Mapping[int, Fraction]
"""How likely a throw brings so many hits in all."""

_PLAIN = 36
"""A fraction with no greater denominator is said as it is; others in a hundred."""

_ONE, _ZERO = Fraction(1), Fraction(0)


# ---------------------------------------------------------------- throws


def thrown(dice: int, one: Dice) -> dict[int, Fraction]:
    """How often so many equal dice score so many hits together, `one` of them being known."""
    chances = {0: _ONE}
    for _ in range(dice):
        grown: dict[int, Fraction] = {}
        for have, chance in chances.items():
            for more, part in one.items():
                grown[have + more] = grown.get(have + more, _ZERO) + chance * part
        chances = grown
    return chances


def successes(dice: int, chance: Fraction) -> dict[int, Fraction]:
    """How often so many of so many dice succeed."""
    return {n: comb(dice, n) * chance**n * (1 - chance) ** (dice - n) for n in range(dice + 1)}


def drawn_at_least_one(total: int, good: int, drawn: int) -> Fraction:
    """How likely so many cards drawn from a deck hold at least one of its good ones."""
    return 1 - Fraction(comb(total - good, min(drawn, total)), comb(total, min(drawn, total))) if total else _ZERO


# ---------------------------------------------------------------- a fight to the end


def fought_out(
    ours: int, theirs: int, our_volley: Callable[[int], Dice], their_volley: Callable[[int], Dice]
) -> dict[tuple[int, int], Fraction]:
    """How likely each (ours, theirs) is left when both sides throw at once, round after round, until one is gone.

    A volley says what so many units hit; a hit takes a unit. Rounds in which nobody hits change nothing.
    """

    @cache
    def left(mine: int, his: int) -> Mapping[tuple[int, int], Fraction]:
        if not mine or not his:
            return {(mine, his): _ONE}
        found: dict[tuple[int, int], Fraction] = {}
        still = _ZERO
        for scored, p in our_volley(mine).items():
            for suffered, q in their_volley(his).items():
                if not scored and not suffered:
                    still = p * q
                    continue
                for end, part in left(max(0, mine - suffered), max(0, his - scored)).items():
                    found[end] = found.get(end, _ZERO) + p * q * part
        return {end: chance * _turned_over(1 - still) for end, chance in found.items()} or {(mine, his): _ONE}

    return dict(left(ours, theirs))


def _turned_over(chance: Fraction) -> Fraction:
    return Fraction(chance.denominator, chance.numerator)


# ---------------------------------------------------------------- in words


def out_of(chance: Fraction, whole: int) -> int:
    """A chance in so many, rounded to the nearest whole number."""
    return (2 * chance.numerator * whole + chance.denominator) // (2 * chance.denominator)


def in_words(chance: Fraction, plain: int = _PLAIN) -> str:
    """`certain`, `5 in 36`, `about 62 in 100`, `about 1 in 1296`, `all but about 1 in 1296`.

    Fractions with a denominator up to `plain` are said as they are.
    """
    if chance in (0, 1):
        return "certain" if chance else "impossible"
    if chance.denominator <= plain:
        return f"{chance.numerator} in {chance.denominator}"
    if 0 < out_of(chance, 100) < 100:
        return f"about {out_of(chance, 100)} in 100"
    rare, most = (chance, "") if chance < Fraction(1, 2) else (1 - chance, "all but ")
    return f"{most}about 1 in {out_of(_turned_over(rare), 1)}"
