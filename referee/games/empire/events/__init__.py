"""Everything that can happen in Empire, by the part of the game it belongs to."""

from __future__ import annotations

from referee.core.event import Event
from referee.games.empire.events import affairs, building, course, moving, razing, supply
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.state import Empire

__all__ = ["EVENTS", "OpenEvent", "evolve"]

EVENTS: tuple[type[Event], ...] = (
    *course.EVENTS,
    *affairs.EVENTS,
    *supply.EVENTS,
    *moving.EVENTS,
    *building.EVENTS,
    *razing.EVENTS,
)
"""Every event class of the game."""


def evolve(empire: Empire, event: Event) -> Empire:
    """The position after an event; core events change nothing."""
    return event.change(empire) if isinstance(event, OpenEvent) else empire
