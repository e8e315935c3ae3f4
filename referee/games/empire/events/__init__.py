"""Everything that can happen in Empire, by the part of the game it belongs to; and what all events share: everybody is told."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.event import Audience, Event
from referee.games.empire.position import Gone, Lot
from referee.games.empire.position.state import Booking, Empire
from referee.games.empire.reckoning.ownership import flows_of, withdrawn
from referee.kit.game import Change
from referee.kit.stock import Flow


class OpenEvent(Change, frozen=True):
    """An event of Empire, a game of open information."""

    audience = Audience.EVERYONE

    def books(self, empire: Empire) -> tuple[tuple[str, Booking], ...]:
        """The bookings of countries for it, by name; `empire` is the position before it. Nothing by default."""
        return ()

    def flows(self) -> tuple[Flow, ...]:
        """Its entries in the accounts "Arcadia food", "Arcadia coolie" ... and out of them (below 0)."""
        return ()

    def end(self) -> str:
        """Where and of what those came to their end that are gone with it, where it says so."""
        return ""


class Spending:
    """An event that uses goods up. It has no field of its own, so that those of the events, which are stored, keep their order."""

    __slots__ = ()
    lots: tuple[Lot, ...]

    def change(self, empire: Empire) -> Empire:
        return withdrawn(empire, self.lots)

    def flows(self) -> tuple[Flow, ...]:
        return flows_of(self.lots, -1)


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
        number: Gone(unit.kind, before.turn, event.end())
        for number, unit in before.units.items()
        if number not in after.units
    }
    return replace(after, gone={**after.gone, **lost})
