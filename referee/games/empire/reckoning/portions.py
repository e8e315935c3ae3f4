"""So many units of a kind in a square, as an order says it."""

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
