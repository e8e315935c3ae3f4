"""Goods in events: put into the position, taken out of it, counted and named."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.empire.position.pieces import Lot
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import so_many
from referee.kit.ledger import Flow
from referee.kit.wording import in_a_row


def withdrawn(empire: Empire, lots: tuple[Lot, ...]) -> Empire:
    """The position with some goods gone."""
    for lot in lots:
        empire = empire.with_lot(replace(lot, number=-lot.number))
    return empire


def stored(empire: Empire, lots: tuple[Lot, ...]) -> Empire:
    """The position with some goods more."""
    for lot in lots:
        empire = empire.with_lot(lot)
    return empire


def flows_of(lots: tuple[Lot, ...], sign: int) -> tuple[Flow, ...]:
    """The flows of some goods, into the accounts (1) or out of them (-1)."""
    return tuple(Flow(f"{lot.country} {lot.what}", sign * lot.number) for lot in lots)


def in_words(lots: tuple[Lot, ...]) -> str:
    """Goods in words: `2 Fe and 1 C`, or `nothing`."""
    total: dict[str, int] = {}
    for lot in lots:
        total[lot.what] = total.get(lot.what, 0) + lot.number
    return in_a_row([so_many(number, what) for what, number in total.items()]) or "nothing"
