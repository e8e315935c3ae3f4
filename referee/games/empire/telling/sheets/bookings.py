"""What the events of a turn booked in the economic record: cost, EDU, investment, foreign exchange, losses."""

from __future__ import annotations

from referee.games.empire.events.economy import BudgetClosed
from referee.games.empire.position.booking import NOTHING, Booking
from referee.games.empire.telling.sheets.slots import Slot


def bookings(slot: Slot, country: str) -> Booking:
    """What a country booked for its turn: as its budget was closed, or so far."""
    for event in slot.events:
        if isinstance(event, BudgetClosed) and event.country == country:
            return event.booked
    own = slot.after.countries.get(country)
    return own.booked if own else NOTHING
