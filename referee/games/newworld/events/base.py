"""What all events of New World share: everybody is told, and each knows how it changes the position."""

from __future__ import annotations

from typing import ClassVar

from referee.core.event import Audience, Event
from referee.games.newworld.state import World

__all__ = ["OpenEvent"]


class OpenEvent(Event, frozen=True):
    """An event on the open pages of New World: everything is public."""

    audience: ClassVar[Audience] = Audience.EVERYONE

    def change(self, world: World) -> World:
        """The position after it; the same by default."""
        return world
