"""What an order of movement comes to where it can be carried out: who goes, which way, and what that brings about."""

from __future__ import annotations

from typing import Self

import msgspec

from referee.core.names import Seat
from referee.games.war.events.base import WarEvent
from referee.games.war.position.places import Stack
from referee.games.war.position.state import War


class Plan(msgspec.Struct, frozen=True):
    """What is carried out of an order; whoever carries it out asks no more of it than this."""

    def brings(self, war: War, seat: Seat) -> tuple[WarEvent, ...]:
        """What happens, if nobody hinders it."""
        raise NotImplementedError(type(self).__name__)

    @property
    def left(self) -> tuple[str, tuple[Stack, ...]]:
        """The region that units leave by land or sea, and which units."""
        return "", ()

    def but_one(self, stay: Stack) -> Self:
        """The same without one unit of this stack."""
        return self

    @property
    def entered(self) -> tuple[str, ...]:
        """The regions that units come to, one after the other."""
        return ()

    @property
    def taken(self) -> str:
        """The region that they take by cession, if any."""
        return ""


class Outright(Plan, frozen=True):
    """What is done at a stroke, where units stand or at a table."""

    events: tuple[WarEvent, ...] = ()

    def brings(self, war: War, seat: Seat) -> tuple[WarEvent, ...]:
        return self.events
