"""Everything that can happen in War!, by the part of the game it belongs to; and what all events share: who is told,
which accounts they move, how they change the position.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from referee.core.event import Audience, Event
from referee.core.names import Reader, Role, Seat
from referee.games.war.position.state import War
from referee.kit.game import Change
from referee.kit.stock import Flow


class WarEvent(Change, frozen=True):
    """An event of the game. Secret unless its class says otherwise.

    `hides` is what only its seat is told, with what stands there for everybody else.
    """

    hides: ClassVar[Mapping[str, Any]] = {}

    def told_to(self, reader: Reader) -> Event | None:
        if self.hides and reader not in (Role.REFEREE, getattr(self, "seat", None)):
            return replace(self, **self.hides)
        return super().told_to(reader)

    def flows(self) -> tuple[Flow, ...]:
        """Its bookings in the accounts "Red PP", "Red DP", "Red infantry" ... and out of them (below 0)."""
        return ()

    def change(self, war: War) -> War:
        """The position after it: by default that in which its flows of points are booked."""
        for account, amount in self.flows():
            seat, _, purse = account.rpartition(" ")
            if purse in ("PP", "DP"):
                war = war.paying(Seat(seat), *((amount, 0) if purse == "PP" else (0, amount)))
        return war


class OpenEvent(WarEvent, frozen=True):
    """An event that everybody is told, but for what it hides."""

    audience = Audience.EVERYONE


def points(seat: Seat, pp: int = 0, dp: int = 0) -> tuple[Flow, ...]:
    """So many more PP and DP for a seat (below 0: fewer)."""
    return tuple(flow for flow in (Flow(f"{seat} PP", pp), Flow(f"{seat} DP", dp)) if flow.amount)


def units(owner: Seat, kind: str, number: int) -> tuple[Flow, ...]:
    """So many more units of a kind for a seat (below 0: fewer)."""
    return (Flow(f"{owner} {kind}", number),)
