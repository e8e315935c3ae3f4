"""The order lines that a refusal of movement offers instead: the nearest ones that are lawful."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.names import Seat
from referee.core.order import Portion, Quantity
from referee.games.war.intents import Lot
from referee.games.war.pieces import plural

__all__ = ["attack_line", "declare_line", "embark_line", "exactly", "land_line", "move_line", "sail_line"]


def exactly(kind: str, number: int) -> Lot:
    """A lot of exactly so many."""
    return Lot(kind, Quantity(Portion.EXACTLY, number))


def move_line(lots: Iterable[Lot], origin: str, target: str, via: tuple[str, ...] = ()) -> str:
    """`MOVE 2 infantry, 1 general FROM Egypt TO Palestine VIA ...`."""
    return f"MOVE {_lots(lots)} FROM {origin} TO {target}{' VIA ' if via else ''}{', '.join(via)}"


def embark_line(lots: Iterable[Lot], origin: str, sea: str) -> str:
    """`EMBARK 2 infantry FROM Egypt IN Red Sea`."""
    return f"EMBARK {_lots(lots)} FROM {origin} IN {sea}"


def sail_line(fleets: Lot, origin: str, target: str) -> str:
    """`SAIL 2 fleets FROM Red Sea TO Arabian Sea`."""
    return f"SAIL {_words(fleets)} FROM {origin} TO {target}"


def land_line(lots: Iterable[Lot], sea: str, target: str) -> str:
    """`LAND 2 infantry FROM Red Sea IN Egypt`."""
    return f"LAND {_lots(lots)} FROM {sea} IN {target}"


def attack_line(enemy: Seat, sea: str, number: int = 0) -> str:
    """`ATTACK Blue IN Red Sea WITH 2 fleets`."""
    force = f" WITH {number} {'fleet' if number == 1 else 'fleets'}" if number else ""
    return f"ATTACK {enemy} IN {sea}{force}"


def declare_line(enemy: Seat) -> str:
    """`DECLARE WAR ON Blue`."""
    return f"DECLARE WAR ON {enemy}"


def _lots(lots: Iterable[Lot]) -> str:
    return ", ".join(_words(lot) for lot in lots)


def _words(lot: Lot) -> str:
    number, name = lot.quantity.number, plural(lot.kind)
    match lot.quantity.portion:
        case Portion.EXACTLY:
            return f"{number} {lot.kind if number == 1 else name}"
        case Portion.UP_TO:
            return f"up to {number} {name}"
        case Portion.ALL:
            return f"all {name}"
        case Portion.ALL_BUT:
            return f"all but {number} {name}"
        case Portion.HALF:
            return f"half {name}"
