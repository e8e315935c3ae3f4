"""Rounds and battles fought by the real rules with fair dice come out as often as exact computation says."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import TypeVar

import pytest

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.table import Table
from referee.games.war.events.combat import BattleEnded, RoundFought
from referee.games.war.phases.battle_rounds import fight_round
from referee.games.war.phases.land_battle import land_battle
from referee.games.war.position import Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.battle import Battle
from referee.kit.game import evolve
from tests.games.war27.driving import BLUE, RED, holding, play, position, told

K = TypeVar("K")

SECRET = b"the dice of this test never change"

ONE, ZERO = Fraction(1), Fraction(0)


# ---------------------------------------------------------------- exact, from the rulebook and not from the referee


def one_die(drm: int) -> dict[int, Fraction]:
    """How often a die scores 0, 1 or 2 hits: 6 to 9 is one, 10 and more two."""
    scores = Counter(2 if face + drm >= 10 else 1 if face + drm >= 6 else 0 for face in range(1, 7))
    return {score: Fraction(number, 6) for score, number in scores.items()}


@cache
def some_dice(dice: int, drm: int) -> Mapping[int, Fraction]:
    """How often so many dice score so many hits in all."""
    chances = {0: ONE}
    for _ in range(dice):
        grown: dict[int, Fraction] = {}
        for have, chance in chances.items():
            for more, part in one_die(drm).items():
                grown[have + more] = grown.get(have + more, ZERO) + chance * part
        chances = grown
    return chances


@cache
def battle(ours: int, theirs: int, our_drm: int, their_drm: int) -> tuple[Fraction, Fraction, Fraction]:
    """How often a fight to the end leaves the attacker, the defender, or nobody."""
    if not ours or not theirs:
        return (ONE, ZERO, ZERO) if ours else (ZERO, ONE, ZERO) if theirs else (ZERO, ZERO, ONE)
    still, found = ZERO, [ZERO, ZERO, ZERO]
    for scored, p in some_dice(ours, our_drm).items():
        for suffered, q in some_dice(theirs, their_drm).items():
            if not scored and not suffered:
                still = p * q
                continue
            left = battle(max(0, ours - suffered), max(0, theirs - scored), our_drm, their_drm)
            found = [sum_ + p * q * part for sum_, part in zip(found, left, strict=True)]
    won, lost, none = (part / (1 - still) for part in found)
    return won, lost, none


# ---------------------------------------------------------------- Pearson's test


def agrees(seen: Mapping[K, int], expected: Mapping[K, Fraction]) -> bool:
    """Whether counts fit probabilities: chi-square below the value that fair dice exceed once in 10,000 times.

    Outcomes expected fewer than five times are counted as one. The limit is Wilson and Hilferty's, z = 3.719.
    """
    assert sum(expected.values()) == 1 and not set(seen) - set(expected)
    total = sum(seen.values())
    common = {key: p for key, p in expected.items() if p * total >= 5}
    cells = [(seen.get(key, 0), float(p * total)) for key, p in common.items()]
    rest = float((1 - sum(common.values(), ZERO)) * total)
    if rest >= 1:
        cells.append((total - sum(n for n, _ in cells), rest))
    chi_square = sum((n - wanted) ** 2 / wanted for n, wanted in cells)
    degrees = len(cells) - 1
    limit = degrees * math.pow(1 - 2 / (9 * degrees) + 3.719 * math.sqrt(2 / (9 * degrees)), 3)
    return chi_square < limit


def test_the_test_itself_tells_a_loaded_die_from_a_fair_one() -> None:
    fair = {face: Fraction(1, 6) for face in range(1, 7)}
    assert agrees(Counter({1: 1650, 2: 1700, 3: 1690, 4: 1640, 5: 1660, 6: 1660}), fair)
    assert not agrees(Counter({1: 1500, 2: 1700, 3: 1690, 4: 1640, 5: 1660, 6: 1810}), fair)


# ---------------------------------------------------------------- the referee


def fought(war: War, epoch: int) -> tuple[Table[War], list[Event]]:
    """A table with keyed dice of its own."""
    made, events = Table(f"battle {epoch}", war, Keyed(SECRET, epoch), evolve), list[Event]()
    made.heard = events.append
    return made, events


def storm() -> War:
    """Red with all types, a general and an engineer (+3) before Blue's fort (+1 +1 for its types; 1 turned)."""
    war = holding(position(), RED, "Tripoli", infantry=1)
    war = holding(war, BLUE, "Egypt", ("fort",), infantry=2, cavalry=1)
    for kind, number in {"infantry": 3, "cavalry": 1, "artillery": 1, "general": 1, "engineer": 1}.items():
        war = war.with_units("Egypt", Stack(RED, kind, number, 1, "Tripoli"))
    return war


def rounds(number: int) -> Counter[tuple[int, int]]:
    """Hits of both sides in so many first rounds of the storm."""
    war, seen = storm(), Counter[tuple[int, int]]()
    for epoch in range(number):
        made, events = fought(war, epoch)
        play(fight_round(made, Battle("Egypt", "Egypt", RED, BLUE)))
        ours, theirs = told(events, RoundFought)[0].volleys
        seen[ours.hits, theirs.hits] += 1
    return seen


def duels(number: int, ours: int, theirs: int, fort: bool) -> Counter[Seat | None]:
    """Who wins infantry battles to the end, None for nobody, until so many rounds are fought."""
    war = holding(position(decisions="standing"), RED, "Tripoli", infantry=1)
    war = holding(war, BLUE, "Egypt", ("fort",) if fort else (), infantry=theirs)
    war = war.with_units("Egypt", Stack(RED, "infantry", ours, 1, "Tripoli"))
    seen, left, epoch = Counter[Seat | None](), number, 0
    while left > 0:
        made, events = fought(war, epoch)
        play(land_battle(made, RED, "Egypt", "Egypt"))
        (end,) = told(events, BattleEnded)
        seen[None if end.winner == end.loser else end.winner] += 1
        left, epoch = left - end.rounds, epoch + 1
    return seen


def joint(ours: Mapping[int, Fraction], theirs: Mapping[int, Fraction]) -> dict[tuple[int, int], Fraction]:
    """Both sides' hits, each independent of the other's."""
    return {(a, b): p * q for a, p in ours.items() for b, q in theirs.items()}


SLOW = pytest.mark.slow
SIZES = [pytest.param(4_000, id="4,000"), pytest.param(100_000, id="100,000", marks=SLOW)]


@pytest.mark.parametrize("number", SIZES)
def test_hits_of_a_round_fall_as_computed(number: int) -> None:
    # +2 types +1 general -2 fort +1 artillery +1 engineer = +3 against +1 type +1 fort = +2; 2 are turned: +1 v 0
    assert agrees(rounds(number), joint(some_dice(5, 1), some_dice(3, 0)))


@pytest.mark.parametrize("number", SIZES)
@pytest.mark.parametrize(
    ("ours", "theirs", "fort", "modifiers"), [(5, 5, False, (0, 0)), (10, 5, True, (0, 3))], ids=["field", "fort"]
)
def test_battles_end_as_computed(number: int, ours: int, theirs: int, fort: bool, modifiers: tuple[int, int]) -> None:
    seen = duels(number, ours, theirs, fort)
    won, lost, none = battle(ours, theirs, *modifiers)
    assert agrees(seen, {RED: won, BLUE: lost, None: none})


def test_computed_battles_are_those_of_the_rulings() -> None:
    """Section 9: 49 to 50 in 100 without modifiers, 3 against +2, 69 for ten against five with +2."""

    def percent(*of: int) -> int:
        return round(100 * battle(*of)[0])

    assert (percent(5, 5, 0, 0), percent(10, 10, 0, 0)) == (50, 50)
    assert (percent(5, 5, 2, 2), round(100 * battle(5, 5, 2, 2)[2])) == (47, 6)
    assert (percent(5, 5, 0, 2), percent(8, 5, 0, 2), percent(10, 5, 0, 2)) == (3, 36, 69)
