"""Units and goods as orders name them: by number, so many of a kind in a square, so much of a kind; and as a person lists them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from referee.core.order import Portion, Quantity
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import plural
from referee.kit.wording import in_a_row

_ONE_FORM = ("rolling stock", "artillery", "armour")
"""Kinds whose plural is the same word."""


class Some(msgspec.Struct, frozen=True):
    """So many units of a kind in a square, chosen when the order is carried out (mustering.py)."""

    kind: str
    quantity: Quantity
    at: str

    def words(self) -> str:
        """As it is said: `3 coolies in c12r7`, `1 coolie in c12r7`, `all coolies in c12r7`."""
        alone = self.quantity.portion is Portion.EXACTLY and self.quantity.number == 1
        kind = self.kind if alone or self.kind in _ONE_FORM else f"{self.kind}s"
        return f"{amount(self.quantity)} {kind} in {self.at}"


def amount(quantity: Quantity) -> str:
    """`3`, `up to 3`, `all`, `half`."""
    portion = "" if quantity.portion is Portion.EXACTLY else quantity.portion.value
    number = str(quantity.number) if quantity.portion in (Portion.EXACTLY, Portion.UP_TO, Portion.ALL_BUT) else ""
    return f"{portion} {number}".strip()


class Goods(msgspec.Struct, frozen=True):
    """So much of a kind of goods."""

    what: str
    quantity: Quantity


def who(unit: int, some: tuple[Some, ...]) -> str:
    """Who does it: a unit by number, or one of a kind in a square."""
    return which((unit,) if unit else (), some)


def which(units: tuple[int, ...], some: tuple[Some, ...]) -> str:
    """Units by number and so many of a kind: `unit 5`, `units 5, 6 and 2 coolies in c4r4`."""
    numbered = f"unit{'s' * (len(units) > 1)} {', '.join(map(str, units))}"
    return " and ".join([*([numbered] if units else ()), *(part.words() for part in some)])


def cargo(goods: tuple[Goods, ...], units: tuple[int, ...], some: tuple[Some, ...] = ()) -> str:
    """Goods and units together: `2 St and unit 5`."""
    return " and ".join([*(f"{amount(lot.quantity)} {lot.what}" for lot in goods), *filter(None, [which(units, some)])])


def in_runs(kind: str, numbers: Iterable[int]) -> str:
    """Units of a kind by number, runs drawn together: `coolie 3`, `coolies 3, 5 to 20`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    said = ", ".join(f"{a}" if a == b else f"{a}, {b}" if b == a + 1 else f"{a} to {b}" for a, b in runs)
    return f"{kind if said.isdecimal() else plural(kind)} {said}"


_BY_NUMBER = re.compile(r"\bunits? (\d+(?:, \d+)*)")


def with_kinds(empire: Empire, words: str) -> str:
    """What an order says of its units, with their kinds: `Move unit 3 to c1r2` of a coolie is `Move coolie 3 to c1r2`."""
    return _BY_NUMBER.sub(lambda found: _named(empire, found[1]) or found[0], words)


def _named(empire: Empire, listed: str) -> str:
    """`coolies 3, 4 and SAC 7`; those that are no more too; empty where one of them never was."""
    numbers = [int(number) for number in listed.split(", ")]
    known = {n: unit.kind for n in numbers if (unit := empire.units.get(n) or empire.gone.get(n)) is not None}
    if len(known) < len(numbers):
        return ""
    kinds = dict.fromkeys(known.values())
    return in_a_row([in_runs(kind, [n for n in numbers if known[n] == kind]) for kind in kinds])
