"""Units and goods as orders name them: by number, so many of a kind in a square, so much of a kind."""

from __future__ import annotations

import msgspec

from referee.core.order import Quantity
from referee.games.empire.reckoning.portions import Some, amount


class Goods(msgspec.Struct, frozen=True):
    """So much of a kind of goods."""

    what: str
    quantity: Quantity


def who(unit: int, some: tuple[Some, ...]) -> str:
    """Who does it: a unit by number, or one of a kind in a square."""
    return which((unit,) if unit else (), some)


def which(units: tuple[int, ...], some: tuple[Some, ...]) -> str:
    """Units by number and so many of a kind: `unit 5`, `units 5, 6 and 2 coolies in c4r4`."""
    return " and ".join(([_numbered(units)] if units else []) + [part.words() for part in some])


def _numbered(units: tuple[int, ...]) -> str:
    return f"unit {units[0]}" if len(units) == 1 else f"units {', '.join(map(str, units))}"


def cargo(goods: tuple[Goods, ...], units: tuple[int, ...], some: tuple[Some, ...] = ()) -> str:
    """Goods and units together: `2 St and unit 5`."""
    return " and ".join([*(f"{amount(lot.quantity)} {lot.what}" for lot in goods), *filter(None, [which(units, some)])])
