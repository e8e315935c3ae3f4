"""So many of a kind, as orders name them."""

from __future__ import annotations

import msgspec

from referee.core.order import Portion, Quantity
from referee.games.war.rulebook.pieces import plural
from referee.kit.wording import in_a_row


class Lot(msgspec.Struct, frozen=True):
    """So many of a kind: a land unit, a fleet, or a building."""

    kind: str
    quantity: Quantity

    def words(self) -> str:
        """`3 infantry`, `all generals`, `half the fleets`."""
        n, name = self.quantity.number, plural(self.kind)
        match self.quantity.portion:
            case Portion.EXACTLY:
                return f"{n} {self.kind if n == 1 else name}"
            case Portion.UP_TO:
                return f"up to {n} {name}"
            case Portion.ALL:
                return f"all {name}"
            case Portion.ALL_BUT:
                return f"all {name} but {n}"
            case Portion.HALF:
                return f"half the {name}"


def named_fleets(numbers: tuple[int, ...]) -> str:
    """`fleet 2`, `fleet 1 and fleet 3`: as orders name them and sheets number them."""
    return in_a_row([f"fleet {number}" for number in numbers])


def lots_in_words(lots: tuple[Lot, ...]) -> str:
    """`3 infantry and 1 general`."""
    return in_a_row([lot.words() for lot in lots])
