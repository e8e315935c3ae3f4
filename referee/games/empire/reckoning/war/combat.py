"""Odds, the die and the losses of every battle on land and at sea (emp.H-28). Strengths are exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod

import msgspec

from referee.core.table import Table
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import in_force
from referee.kit.wording import in_a_row

SURE = "7:1"
"""The odds at which a defender is destroyed without a roll; also against nobody who defends."""

_ROLL_MOST = 5
"""Odds above this are rolled for in the column of this many to 1."""


class Factor(msgspec.Struct, frozen=True):
    """What multiplies a strength, such as `2`, `3/2` or `1/2`, and why."""

    times: str
    why: str


class Fighter(msgspec.Struct, frozen=True):
    """One that takes part: its number, its name, its printed points, and what multiplies them for it alone.

    `points` of who only supports an attack (planes, guns of ships) are no loss in an exchange: `supports`.
    """

    number: int
    name: str
    points: int
    factors: tuple[Factor, ...] = ()
    supports: bool = False

    @property
    def strength(self) -> Fraction:
        """The points with what multiplies them."""
        return self.points * worth(self.factors)


class Sides(msgspec.Struct, frozen=True):
    """Both sides of a battle; `factors` multiply the whole defence."""

    attack: tuple[Fighter, ...]
    defence: tuple[Fighter, ...]
    factors: tuple[Factor, ...] = ()

    @property
    def attacking(self) -> Fraction:
        """The strength of the attack."""
        return sum((fighter.strength for fighter in self.attack), Fraction(0))

    @property
    def defending(self) -> Fraction:
        """The strength of the defence."""
        return sum((fighter.strength for fighter in self.defence), Fraction(0)) * worth(self.factors)

    @property
    def odds(self) -> str:
        """The column of the table; "" when the attack is too weak to be made."""
        return odds(self.attacking, self.defending)


def worth(factors: Sequence[Factor]) -> Fraction:
    """Several multipliers as one."""
    return prod((Fraction(factor.times) for factor in factors), start=Fraction(1))


def odds(attack: Fraction, defence: Fraction) -> str:
    """The odds of an attack rounded in the defender's favour: `1:2` to `5:1`, SURE, or "" below 1:2 (emp.H-28)."""
    if not defence:
        return SURE
    ratio = attack * Fraction(defence.denominator, defence.numerator)
    if ratio < 1:
        return "1:2" if 2 * ratio >= 1 else ""
    whole = ratio.numerator // ratio.denominator
    return SURE if f"{whole}:1" == SURE or whole > int(SURE[0]) else f"{min(whole, _ROLL_MOST)}:1"


def result(table: Table[Empire], column: str, why: str, rule: str = "emp.H-28") -> tuple[int, str]:
    """The die (0: none was needed) and what it decides: AE, AR, EX, DR or DE."""
    if column == SURE:
        return 0, "DE"
    (face,) = table.roll(1, 6, why, rule)
    return face, in_force.combat_table(table.state)[column][face - 1]


def chances(empire: Empire, column: str) -> Mapping[str, int]:
    """How many of the six faces bring each result, the worst for the attacker first."""
    row = ("DE",) * 6 if column == SURE else in_force.combat_table(empire)[column]
    return {what: row.count(what) for what in ("AE", "AR", "EX", "DR", "DE") if what in row}


RESULTS = {
    "AE": "the attackers are destroyed",
    "AR": "the attackers go back",
    "EX": "an exchange",
    "DR": "the defenders go back",
    "DE": "the defenders are destroyed",
}
"""What the letters of the table mean."""


def in_chances(empire: Empire, column: str) -> str:
    """The chances in words: `the attackers go back 1/6, an exchange 1/6, ...`."""
    found = chances(empire, column)
    if len(found) == 1:
        return f"{RESULTS[next(iter(found))]} for certain"
    return in_a_row([f"{RESULTS[what]} {Fraction(number, 6)}" for what, number in found.items()])


# ---------------------------------------------------------------- an exchange


def exchanged(attack: Mapping[int, int], defence: Mapping[int, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who is lost on each side in an exchange, given the printed points of each unit by number (emp.H-28).

    The smaller side goes, and of the other as few points as make up at least as many; equal sides both go.
    """
    mine, theirs = sum(attack.values()), sum(defence.values())
    if mine <= theirs:
        return tuple(attack), _making_up(defence, mine)
    return _making_up(attack, theirs), tuple(defence)


def _making_up(points: Mapping[int, int], least: int) -> tuple[int, ...]:
    """Units worth at least so many points: the fewest points, then the fewest units, then the lowest numbers."""
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for number, worth_ in sorted(points.items()):
        for total, (count, chosen) in sorted(best.items(), reverse=True):
            more = (count + 1, (*chosen, number))
            if total + worth_ not in best or more < best[total + worth_]:
                best[total + worth_] = more
    return best[min(total for total in best if total >= least)][1]
