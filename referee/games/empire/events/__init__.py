"""Everything that can happen in Empire, by the part of the game it belongs to."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.event import Event
from referee.games.empire.events import (
    air,
    arming,
    building,
    course,
    dealing,
    doubts,
    economy,
    moving,
    opening,
    petitions,
    producing,
    razing,
    sea,
    supply,
    war,
)
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.state import Empire

__all__ = ["EVENTS", "OpenEvent", "evolve"]

EVENTS: tuple[type[Event], ...] = (
    *opening.EVENTS,
    *course.EVENTS,
    *dealing.EVENTS,
    *petitions.EVENTS,
    *doubts.EVENTS,
    *supply.EVENTS,
    *moving.EVENTS,
    *building.EVENTS,
    *razing.EVENTS,
    *economy.EVENTS,
    *producing.EVENTS,
    *arming.EVENTS,
    *war.EVENTS,
    *air.EVENTS,
    *sea.EVENTS,
)
"""Every event class of the game."""


def evolve(empire: Empire, event: Event) -> Empire:
    """The position after an event and its bookings; core events change nothing."""
    if not isinstance(event, OpenEvent):
        return empire
    after = event.change(empire)
    for name, booking in event.books(empire):
        country = after.countries.get(name)
        if country is not None:
            after = after.with_country(replace(country, booked=country.booked + booking))
    return after
