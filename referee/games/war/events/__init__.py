"""Everything that can happen in War!, by the part of the game it belongs to."""

from __future__ import annotations

from referee.core.event import Event
from referee.games.war.events import (
    alliances,
    auction,
    cards,
    combat,
    consent,
    course,
    economy,
    forces,
    historical,
    markers,
    moving,
    natives,
    opening,
    revolts,
    scorched,
    setup,
)
from referee.games.war.events.base import OpenEvent, WarEvent
from referee.games.war.state import War

__all__ = ["EVENTS", "OpenEvent", "WarEvent", "evolve"]

EVENTS: tuple[type[Event], ...] = (
    *setup.EVENTS,
    *opening.EVENTS,
    *cards.EVENTS,
    *course.EVENTS,
    *auction.EVENTS,
    *consent.EVENTS,
    *historical.EVENTS,
    *economy.EVENTS,
    *markers.EVENTS,
    *natives.EVENTS,
    *revolts.EVENTS,
    *forces.EVENTS,
    *moving.EVENTS,
    *combat.EVENTS,
    *scorched.EVENTS,
    *alliances.EVENTS,
)
"""Every event class of the game."""


def evolve(war: War, event: Event) -> War:
    """The position after an event; core events change nothing."""
    return event.change(war) if isinstance(event, WarEvent) else war
