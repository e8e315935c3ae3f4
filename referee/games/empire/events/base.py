"""What all events of Empire share: everybody is told, and each knows how it changes the position."""

from __future__ import annotations

from referee.core.event import Audience
from referee.games.empire.position.state import Booking, Empire
from referee.kit.game import Change
from referee.kit.stock import Flow


class OpenEvent(Change, frozen=True):
    """An event of Empire, a game of open information."""

    audience = Audience.EVERYONE

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        """What countries book for it, by name; `empire` is the position before it. Nothing by default."""
        return ()

    def flows(self) -> tuple[Flow, ...]:
        """What went into the accounts "Arcadia food", "Arcadia coolie" ... and out of them (below 0)."""
        return ()
