"""Everything that can happen in Empire, by the part of the game it belongs to."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.event import Event
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.supply import PersonDied
from referee.games.empire.position.board import Gone
from referee.games.empire.position.state import Empire
from referee.kit.game import events_in

__all__ = ["EVENTS", "OpenEvent", "evolve"]

EVENTS = events_in(__name__)
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
    return _remembering(empire, after, event) if len(after.units) < len(empire.units) else after


def _remembering(before: Empire, after: Empire, event: OpenEvent) -> Empire:
    """The position that knows what the units were that are gone, so that an order to them can be told why it fails."""
    lost = {
        number: Gone(unit.kind, before.turn, f"in {event.at} {event.why}" if isinstance(event, PersonDied) else "")
        for number, unit in before.units.items()
        if number not in after.units
    }
    return replace(after, gone={**after.gone, **lost})
