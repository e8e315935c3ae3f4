"""What all events of War! share: each knows who is told and how it changes the position."""

from __future__ import annotations

from referee.core.event import Audience
from referee.kit.game import Change
from referee.kit.ledger import Flow


class WarEvent(Change, frozen=True):
    """An event of the game. Secret unless its class says otherwise."""

    def flows(self) -> tuple[Flow, ...]:
        """What went into the accounts "Red PP", "Red DP", "Red infantry" ... and out of them (below 0)."""
        return ()


class OpenEvent(WarEvent, frozen=True):
    """An event that everybody is told."""

    audience = Audience.EVERYONE
