"""What an event books in the economic record: cost, EDU, investment, foreign exchange; new bookings are added here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.building import LineLaid, WorkFinished
from referee.games.empire.events.razing import BuildingGone
from referee.games.empire.events.supply import SquareInvested

__all__ = ["Booking", "booked", "bookings"]


class Booking(NamedTuple):
    """Points of one turn; foreign exchange given is below 0, received above (H-17)."""

    cost: int = 0
    edu: int = 0
    investment: int = 0
    exchange: int = 0


def booked(event: OpenEvent, country: str) -> Booking:
    """What one event books for a country."""
    match event:
        case WorkFinished() | LineLaid() | BuildingGone() if event.country == country:
            return Booking(event.cost, event.edu)
        case SquareInvested() if event.country == country:
            return Booking(0, event.edu, event.points)
        case _:
            return Booking()


def bookings(events: Iterable[OpenEvent], country: str) -> Booking:
    """What some events book for a country together."""
    total = [0] * len(Booking._fields)
    for event in events:
        total = [so_far + points for so_far, points in zip(total, booked(event, country), strict=True)]
    return Booking(*total)
