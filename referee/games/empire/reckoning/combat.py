"""Odds, the die and the losses of every battle on land and at sea (emp.H-28); what ships, guns and planes are worth in it.

Guns are built as a gun site or an ack-ack site over the end of a turn, and scrapped to have the gun back (emp.H-35). Strengths
are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import prod

import msgspec

from referee.core.table import Table
from referee.games.empire.position import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import ownership
from referee.games.empire.reckoning.ownership import named
from referee.games.empire.reckoning.work import owner_of
from referee.games.empire.rulebook import GUN, OTHER_SHIPS, SHIPS, SURE, WEAKEST
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row

ACK_ACK, GUN_SITE = "ack-ack site", "gun site"


def sites(empire: Empire, what: str, at: Position) -> int:
    """How many sites of a kind stand in a square, in its city or alone."""
    city = empire.city_at(at)
    standing = (*(city.factories if city is not None else ()), *empire.factories.get(at, ()))
    return sum(factory.kind == what for factory in standing)


def guns_against(empire: Empire, attacker: str, friends: tuple[str, ...], at: Position) -> tuple[Fighter, ...]:
    """The naval guns that cover a square against ships of a country, for those who are attacked there."""
    found = []
    for square in (at, *(there for _, there in empire.board.grid.around(at))):
        owner, number = owner_of(empire, square), sites(empire, GUN_SITE, square)
        serves = owner and not empire.friendly(owner, attacker)
        if number and serves and any(empire.friendly(owner, friend) for friend in friends):
            found += [Fighter(0, f"naval gun in {square}", GUN, supports=True)] * number
    return tuple(found)


_FACES = 6


def chance(least: int) -> Fraction:
    """How likely a die shows at least so many."""
    return Fraction(_FACES + 1 - least, _FACES)


def attack_of(kind: str) -> int:
    """The attack of a kind of ship; 0: it never attacks."""
    return SHIPS.get(kind, OTHER_SHIPS)[0]


def defence_of(kind: str) -> int:
    """The defence of a kind of ship."""
    return SHIPS.get(kind, OTHER_SHIPS)[1]


SUPPORT: dict[str, Callable[[Empire, Unit, str], Fighter]] = {}
"""By kind of unit: what it adds to an attack on a square, marked as support. Raises Refused."""

SUPPORTED: dict[str, Callable[[Table[Empire], Unit, str], None]] = {}
"""By kind of unit: what happens to it when the battle is over, such as a bomb that is used up."""


def support_of(empire: Empire, unit: Unit, target: str) -> Fighter:
    """The addition to an attack by a unit that is no formation. Raises Refused for those that add nothing."""
    check = SUPPORT.get(unit.kind)
    if check is None:
        instead = (f"ARM {named(unit)} AS SAC",) if unit.kind == "coolie" else ()
        raise Refused(f"{named(unit)} does not attack on land.", "emp.H-28", str(unit.number), instead)
    return check(empire, unit, target)


def supported(table: Table[Empire], units: Mapping[int, Unit], target: str) -> None:
    """The battle is over for those who supported it."""
    for unit in units.values():
        after = SUPPORTED.get(unit.kind)
        if after is not None:
            after(table, unit, target)


_ROLL_MOST = 5
"""Odds above this are rolled for in the column of this many to 1."""


class Factor(msgspec.Struct, frozen=True):
    """A factor of a strength, such as `2`, `3/2` or `1/2`, and its reason."""

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
        return WEAKEST if ratio >= Fraction(WEAKEST.replace(":", "/")) else ""
    whole = ratio.numerator // ratio.denominator
    return SURE if f"{whole}:1" == SURE or whole > int(SURE[0]) else f"{min(whole, _ROLL_MOST)}:1"


def result(table: Table[Empire], column: str, why: str, rule: str = "emp.H-28") -> tuple[int, str]:
    """The die (0: none was needed) and what it decides: AE, AR, EX, DR or DE."""
    if column == SURE:
        return 0, "DE"
    (face,) = table.roll(1, 6, why, rule)
    return face, ownership.combat_table(table.state)[column][face - 1]


def chances(empire: Empire, column: str) -> Mapping[str, int]:
    """How many of the six faces bring each result, the worst for the attacker first."""
    row = ("DE",) * 6 if column == SURE else ownership.combat_table(empire)[column]
    return {what: row.count(what) for what in ("AE", "AR", "EX", "DR", "DE") if what in row}


RESULTS = {
    "AE": "the attackers are destroyed",
    "AR": "the attackers go back",
    "EX": "an exchange",
    "DR": "the defenders go back",
    "DE": "the defenders are destroyed",
}
"""The meaning of the letters of the table."""


def in_chances(empire: Empire, column: str) -> str:
    """The chances in words: `the attackers go back 1/6, an exchange 1/6, ...`."""
    found = chances(empire, column)
    if len(found) == 1:
        return f"{RESULTS[next(iter(found))]} for certain"
    return in_a_row([f"{RESULTS[what]} {Fraction(number, 6)}" for what, number in found.items()])


# ---------------------------------------------------------------- an exchange


def exchanged(attack: Mapping[int, int], defence: Mapping[int, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The losses of each side in an exchange, given the printed points of each unit by number (emp.H-28).

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
