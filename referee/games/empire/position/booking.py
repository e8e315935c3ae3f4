"""What an event books for a country until it rolls out: cost, EDU, investment, exchange, debts, losses (emp.H-12 to emp.H-18)."""

from __future__ import annotations

import msgspec


class Booking(msgspec.Struct, frozen=True):
    """Points and losses of a turn. `oil` and `chemicals` fell due, in parts of a unit (kinds.DEBT).

    `paid`: land units that are gone and must be paid all the same; `fuelled`: ships and planes whose oil of this turn is
    booked already. `sent` and `received` are foreign exchange.
    """

    cost: int = 0
    edu: int = 0
    investment: int = 0
    sent: int = 0
    received: int = 0
    oil: int = 0
    chemicals: int = 0
    paid: int = 0
    starved: int = 0
    cities_lost: int = 0
    capital_lost: bool = False
    fuelled: tuple[int, ...] = ()

    def __add__(self, other: Booking) -> Booking:
        return Booking(
            **{name: getattr(self, name) + getattr(other, name) for name in _COUNTED},
            capital_lost=self.capital_lost or other.capital_lost,
        )

    @property
    def exchange(self) -> int:
        """Foreign exchange received less what was sent (I.I d)."""
        return self.received - self.sent


_COUNTED = tuple(name for name in Booking.__struct_fields__ if name != "capital_lost")

NOTHING = Booking()
"""The bookings of a turn that has just begun."""


def together(bookings: tuple[tuple[str, Booking], ...], country: str) -> Booking:
    """What several bookings come to for a country."""
    total = NOTHING
    for name, booking in bookings:
        total = total + booking if name == country else total
    return total
