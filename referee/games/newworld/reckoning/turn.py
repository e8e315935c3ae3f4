"""What a phase function is handed: whose turn it is, the key for its questions, and the order sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec

from referee.core.names import Seat
from referee.core.order import Condition, Intent, Under, due
from referee.core.table import Table
from referee.games.newworld.position.state import Power, World
from referee.games.newworld.reckoning.conditions import holds

Kind = TypeVar("Kind", bound=Intent)


class Turn(msgspec.Struct, frozen=True):
    """One player's turn in progress."""

    key: str
    seat: Seat
    sheet: tuple[Intent, ...] = ()

    def wanted(self, table: Table[World], *kinds: type[Kind]) -> Iterator[Kind]:
        """His orders of these kinds as they come to be carried out: an IF is judged when the first under it is taken."""
        for order in due(self.written(*kinds), lambda condition: self.holds(table, condition)):
            if isinstance(order, kinds):
                yield order

    def written(self, *kinds: type[Intent]) -> tuple[Intent, ...]:
        """His orders of some kinds as written, with the IFs they stand under."""
        # A sheet is looked through for every kind of order, line by line.
        return tuple([i for i in self.sheet if isinstance(i.order if isinstance(i, Under) else i, kinds)])

    def holds(self, table: Table[World], condition: Condition) -> bool:
        """Whether a condition of his sheet is true now."""
        return holds(table.state, self.seat, condition)

    def power(self, table: Table[World]) -> Power:
        """His stats as they stand now."""
        return table.state.powers[self.seat]


def of_kind(sheet: Sequence[Intent], kind: type[Kind]) -> tuple[Kind, ...]:
    """The intents of one kind among orders that stand, in order."""
    return tuple(intent for intent in sheet if isinstance(intent, kind))
