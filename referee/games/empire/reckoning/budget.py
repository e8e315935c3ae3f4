"""The budget of a turn and what it does to confidence, as exact arithmetic (emp.H-13 to emp.H-16). Nothing here reads the board."""

from __future__ import annotations

import math
from fractions import Fraction

import msgspec

from referee.games.empire.rulebook.houses import Confidence

QUARTERS = 4
"""Funds are counted in quarters of a point, since tax is a fourth."""

HIGHEST = 20
"""Confidence is kept between 0 and this."""

BANDS = ("collapse", "crisis", "shaky", "normal", "strong")
"""emp.H-16, from the lowest."""

_LUCK = (3, 5, 8, 10)
"""The highest modified roll of each band of luck but the last."""

_STARVED = 3
"""One point of confidence for every started three of the starved."""


class Budget(msgspec.Struct, frozen=True):
    """What a country booked in a turn: `edu` is the current popular fund, `fund` the popular fund before it, in quarters."""

    edu: int
    cost: int
    investment: int
    received: int = 0
    sent: int = 0
    fund: int = 0

    @property
    def tax(self) -> int:
        """A fourth of the current popular fund, in quarters: as many as it has points (I.I d)."""
        return self.edu

    @property
    def new_fund(self) -> int:
        """emp.H-13: previous fund, current fund and cost together, less the tax; in quarters."""
        return self.fund + QUARTERS * (self.edu + self.cost) - self.tax

    def balance(self, share: Fraction) -> Fraction:
        """emp.H-14: what is in the black above 0, in the red below; `share` of the investment weighs on it."""
        return (
            self.edu + Fraction(self.tax, QUARTERS) + self.received - self.sent - self.cost - share * self.investment
        )  # fmt: skip

    def economy(self, house: Confidence) -> int:
        """emp.H-15: what the balance does to confidence, measured in steps that grow with the fund."""
        step = house.scale + Fraction(self.fund, QUARTERS * house.fund)
        steps = self.balance(house.share) * Fraction(step.denominator, step.numerator)
        return min(house.black, math.ceil(steps)) if steps >= 0 else max(-house.red, math.floor(steps))


class Losses(msgspec.Struct, frozen=True):
    """What else weighs on confidence: military units beside regular coolies, the starved, and cities lost this turn."""

    military: int = 0
    coolies: int = 0
    starved: int = 0
    cities: int = 0
    capital: bool = False

    @property
    def change(self) -> int:
        """emp.H-15: nothing or below 0."""
        arms = 2 if 2 * self.military > self.coolies else 1 if 4 * self.military > self.coolies else 0
        hunger = -(-self.starved // _STARVED)
        return -(arms + hunger + self.cities + (3 if self.capital else 0))


def luck_of(roll: int, house: Confidence) -> int:
    """emp.H-15: what the modified roll does to confidence."""
    return house.luck[sum(roll > highest for highest in _LUCK)]


def confidence_change(roll: int, budget: Budget, losses: Losses, house: Confidence) -> int:
    """emp.H-15: luck, economy and losses together, before confidence is kept between 0 and 20."""
    return luck_of(roll, house) + budget.economy(house) + losses.change


def band_of(confidence: int) -> str:
    """emp.H-16: what a confidence is called at the start of a turn."""
    return BANDS[sum(confidence > highest for highest in (0, 2, 5, 10))]
