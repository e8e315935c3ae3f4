"""What a phase function is handed: whose turn it is, the key for its questions, and the order sheet."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Table
from referee.games.newworld.events import OrderFellShort
from referee.games.newworld.intents import TurnOrder
from referee.games.newworld.state import Power, World

__all__ = ["Turn", "fell_short", "of_kind"]

Kind = TypeVar("Kind", bound=Intent)


class Turn(msgspec.Struct, frozen=True):
    """One player's turn in progress."""

    key: str
    seat: Seat
    sheet: tuple[Intent, ...] = ()

    def wanted(self, kind: type[Kind]) -> tuple[Kind, ...]:
        """His orders of one kind, as written."""
        return of_kind(self.sheet, kind)

    def power(self, table: Table[World]) -> Power:
        """His stats as they stand now."""
        return table.state.powers[self.seat]


def of_kind(sheet: tuple[Intent, ...], kind: type[Kind]) -> tuple[Kind, ...]:
    """The intents of one kind in a sheet, in order."""
    return tuple(intent for intent in sheet if isinstance(intent, kind))


def fell_short(table: Table[World], turn: Turn, order: TurnOrder, why: str, rule: str) -> None:
    """Tell everybody that an order was not carried out, or not in full, and why (h2)."""
    table.emit(OrderFellShort(turn.seat, order.clause, why, rule))
