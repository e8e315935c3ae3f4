"""Units and goods as orders name them: by number, so many of a kind in a square, so much of a kind."""

from __future__ import annotations

import msgspec

from referee.core.order import Portion, Quantity

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
