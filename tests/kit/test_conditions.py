"""The logic of IF, whatever the game's own tests are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.order import All, Any, Comparison, Condition, Not, Predicate
from referee.kit.conditions import compares, satisfied

YES, NO = Predicate("YES"), Predicate("NO")


def truth(condition: Condition) -> bool:
    return satisfied(condition, lambda test: test is YES)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (YES, True),
        (Not(YES), False),
        (All((YES, NO)), False),
        (All((YES, Not(NO))), True),
        (Any((NO, YES)), True),
        (Any((NO, Not(YES))), False),
    ],
)
def test_not_and_or(condition: Condition, expected: bool) -> None:
    assert truth(condition) is expected


@given(st.lists(st.sampled_from([YES, NO]), min_size=1, max_size=6))
def test_not_turns_and_into_or(terms: list[Predicate]) -> None:
    assert truth(Not(All(tuple(terms)))) == truth(Any(tuple(map(Not, terms))))


@pytest.mark.parametrize(
    ("comparison", "passing"),
    [
        (Comparison.LESS, {1}),
        (Comparison.AT_MOST, {1, 2}),
        (Comparison.EQUAL, {2}),
        (Comparison.AT_LEAST, {2, 3}),
        (Comparison.MORE, {3}),
        (Comparison.UNEQUAL, {1, 3}),
    ],
)
def test_each_comparison(comparison: Comparison, passing: set[int]) -> None:
    test = Predicate("fleets", comparison=comparison, number=2)
    assert {measured for measured in (1, 2, 3) if compares(test, measured)} == passing


def test_without_a_number_one_of_the_kind_is_enough() -> None:
    assert compares(Predicate("fleets"), 1)
    assert not compares(Predicate("fleets"), 0)
