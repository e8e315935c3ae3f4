"""The arithmetic of battles: odds, chances and exchanges (H-28), and the figures of formations (H-25)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.empire.position import Unit
from referee.games.empire.reckoning.combat import Factor, Fighter, Sides, exchanged, in_chances, odds
from referee.games.empire.reckoning.ownership import parts_of
from referee.games.empire.rulebook import SURE
from referee.games.empire.rulebook.kinds import FORMATIONS, GOODS, KINDS
from tests.games.empire.driving import begun


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [("1", "3", ""), ("1", "2", "1:2"), ("5", "6", "1:2"), ("1", "1", "1:1"), ("5", "3", "1:1"), ("2", "1", "2:1"),
     ("7/2", "1", "3:1"), ("9", "2", "4:1"), ("5", "1", "5:1"), ("6", "1", "5:1"), ("13", "2", "5:1"), ("7", "1", SURE),
     ("8", "1", SURE), ("1", "0", SURE), ("3/2", "1", "1:1")],
)  # fmt: skip
def test_odds_are_rounded_in_favour_of_the_defender(attack: str, defence: str, column: str) -> None:
    assert odds(Fraction(attack), Fraction(defence)) == column


def test_multipliers_are_exact_and_the_defence_is_multiplied_as_a_whole() -> None:
    far = Factor("1/2", "far from food")
    sides = Sides(
        (Fighter(1, "armour 1", 6), Fighter(2, "SAC 2", 1, (far,))),
        (Fighter(3, "SAC 3", 1),),
        (Factor("2", "in a city"), Factor("3/2", "in a forest")),
    )
    assert (sides.attacking, sides.defending, sides.odds) == (Fraction(13, 2), Fraction(3), "2:1")


@given(st.dictionaries(st.integers(1, 9), st.integers(1, 6)), st.dictionaries(st.integers(11, 19), st.integers(1, 6)))
def test_in_an_exchange_the_smaller_side_goes_and_the_other_loses_the_least_that_is_enough(
    attack: dict[int, int], defence: dict[int, int]
) -> None:
    mine, theirs = exchanged(attack, defence)
    small, big, lost = (
        (attack, defence, theirs) if sum(attack.values()) <= sum(defence.values()) else (defence, attack, mine)
    )
    assert sorted(mine if small is attack else theirs) == sorted(small)
    least = sum(small.values())
    sums = [sum(big[n] for n in group) for size in range(len(big) + 1) for group in combinations(big, size)]
    assert sum(big[n] for n in lost) == min(total for total in sums if total >= least)


def test_the_chances_are_told_in_sixths() -> None:
    told = in_chances(begun(), "2:1")
    assert told == (
        "the attackers go back 1/3, an exchange 1/6, the defenders go back 1/3 and the defenders are destroyed 1/6"
    )
    assert in_chances(begun(), SURE) == "the defenders are destroyed for certain"


def test_every_formation_is_a_kind_of_unit_armed_with_goods() -> None:
    troops = [name for name, kind in KINDS.items() if kind.land_military]
    assert sorted(troops) == sorted(FORMATIONS)
    assert all(part in GOODS for formation in FORMATIONS.values() for part in formation.parts)
    heavy = {name: (f.parts.get("HAU", 0) * 3 + f.parts.get("HAU third", 0)) * 20 for name, f in FORMATIONS.items()}
    assert heavy == {name: KINDS[name].heavy for name in FORMATIONS}


def test_a_formation_of_the_start_has_the_arms_of_its_kind() -> None:
    assert parts_of(Unit(1, "SAC", "Red", "c1r1")) == ("SAU",)
    assert parts_of(Unit(2, "coolie", "Red", "c1r1")) == ()
