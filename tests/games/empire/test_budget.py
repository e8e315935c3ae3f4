"""The arithmetic of a turn: budget, confidence, recipes and the goods they embody (H-12 to H-16, H-20, H-22)."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.empire.reckoning.budget import Budget, Losses, band_of, confidence_change, luck_of
from referee.games.empire.rulebook import HIGHEST
from referee.games.empire.rulebook.kinds import GOODS, KINDS
from referee.games.empire.rulebook.plans import FACTORIES, PLANS, SETS, STANDARD, Confidence, basic_units

STANDARD_FIGURES = Confidence((-2, -1, 0, 1, 2), "1/2", 6, 25, 2, 3)


def test_a_fourth_of_the_current_fund_is_tax_and_the_rest_with_the_cost_is_added_to_the_fund() -> None:
    budget = Budget(edu=18, cost=5, investment=9, fund=4 * 30)
    assert budget.tax == 18  # quarters: 4 1/2 points
    assert Fraction(budget.new_fund, 4) == 30 + 18 + 5 - Fraction(18, 4)


def test_half_of_the_investment_weighs_on_the_balance_and_exchange_counts_whole() -> None:
    budget = Budget(edu=18, cost=5, investment=9, received=3, sent=1)
    assert budget.balance(Fraction(1, 2)) == 18 + Fraction(18, 4) + 3 - 1 - 5 - Fraction(9, 2)


@pytest.mark.parametrize(
    ("edu", "cost", "fund", "change"),
    [(0, 0, 0, 0), (1, 0, 0, 1), (8, 0, 0, 2), (100, 0, 0, 2), (0, 1, 0, -1), (0, 7, 0, -2), (0, 100, 0, -3),
     (8, 0, 400, 1), (0, 7, 400, -1)],
)  # fmt: skip
def test_the_economy_moves_confidence_by_steps_that_grow_with_the_fund(
    edu: int, cost: int, fund: int, change: int
) -> None:
    assert Budget(edu, cost, 0, fund=fund).economy(STANDARD_FIGURES) == change


def test_luck_goes_from_minus_two_to_two() -> None:
    assert [luck_of(roll, STANDARD_FIGURES) for roll in range(2, 13)] == [-2, -2, -1, -1, 0, 0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("losses", "change"),
    [
        (Losses(10, 40), 0),
        (Losses(11, 40), -1),
        (Losses(20, 40), -1),
        (Losses(21, 40), -2),
        (Losses(1, 0), -2),
        (Losses(starved=1, coolies=9), -1),
        (Losses(starved=4, coolies=9), -2),
        (Losses(cities=1, coolies=9), -1),
        (Losses(cities=1, capital=True, coolies=9), -4),
    ],
)
def test_arms_hunger_and_lost_cities_weigh_on_confidence(losses: Losses, change: int) -> None:
    assert losses.change == change
    assert confidence_change(7, Budget(0, 0, 0), losses, STANDARD_FIGURES) == change


def test_bands_by_confidence() -> None:
    assert [band_of(number) for number in (0, 1, 2, 3, 5, 6, 10, 11, HIGHEST)] == [
        "collapse", "crisis", "crisis", "shaky", "shaky", "normal", "normal", "strong", "strong",
    ]  # fmt: skip


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300), st.integers(0, 5000))
def test_more_development_never_hurts_and_more_cost_never_helps(edu: int, cost: int, points: int, fund: int) -> None:
    budget = Budget(edu, cost, points, fund=fund)
    for figures in FIGURES:
        change = budget.economy(figures)
        assert -figures.red <= change <= figures.black
        assert msgspec.structs.replace(budget, edu=edu + 1).economy(figures) >= change
        assert msgspec.structs.replace(budget, cost=cost + 1).economy(figures) <= change


def test_every_set_of_house_rules_has_its_standard_first_and_another_choice() -> None:
    for house in SETS.values():
        assert next(iter(house.choices)) == STANDARD and len(house.choices) > 1


def test_recipes_name_known_goods_units_and_factories() -> None:
    for factory, kind in FACTORIES.items():
        assert PLANS[factory].sort == "factory"
        for recipe in kind.recipes:
            assert recipe.runs <= kind.runs and recipe.mark in ("TEXT", "HOUSE")
            assert all(what in GOODS or what in KINDS for what in (*recipe.makes, *recipe.takes))


@pytest.mark.parametrize(
    ("what", "units"),
    [("St", 2), ("Al", 1), ("food", Fraction(1, 2)), ("beer", 1), ("automobile", 4), ("luxury liner", 6)],
)
def test_basic_units_in_a_product(what: str, units: Fraction) -> None:
    assert basic_units(what) == units


FIGURES = (STANDARD_FIGURES, Confidence((-1, -1, 0, 1, 1), "1/3", 8, 25, 2, 2))
