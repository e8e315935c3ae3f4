"""What is a transfer of control, willing or not: units and goods that an event takes from one country to another."""

from __future__ import annotations

from typing import NamedTuple

from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.dealing import ControlPassed, CountryPassed, CountrySplit, GoodsTaken, UnitSeized
from referee.games.empire.events.economy import ExchangeSent
from referee.games.empire.events.war.land import CityFell, CooliesCaptured
from referee.games.empire.events.war.sea import ShipPlundered


class Trade(NamedTuple):
    """Units and goods that went from one country to another, counted by kind."""

    giver: str
    to: str
    at: str
    counts: tuple[tuple[str, int], ...]
    how: str


def trade_of(event: OpenEvent) -> Trade | None:
    """What an event takes from one country and gives to another; None for one that is no transfer of control."""
    match event:
        case ControlPassed():
            return Trade(event.giver, event.to, event.at, event.counts, "given and accepted")
        case CountryPassed():
            how = f"the whole country, from {event.giver} to {event.seat}"
            return Trade(event.country, event.country, "", (), how)
        case UnitSeized():
            return Trade(event.giver, event.to, event.at, event.counts, f"seized by unit {event.by}")
        case GoodsTaken():
            return Trade(event.giver, event.to, event.at, event.counts, f"taken by force by unit {event.by}")
        case CooliesCaptured():
            return Trade(event.giver, event.to, event.at, event.counts, "captured in an attack")
        case CityFell():
            return Trade(event.giver, event.to, event.at, event.counts, f"taken with the city {event.city}")
        case ShipPlundered() if event.taken:
            how = f"plundered by pirate ship {event.by}"
            return Trade(event.giver, event.to, event.at, event.counts, how)
        case CountrySplit():
            return Trade(event.parent, event.country.name, "", event.counts, "Balkanization")
        case ExchangeSent():
            aid = (("foreign exchange", event.points),)
            return Trade(event.country, event.to, "", aid, "foreign aid")
        case _:
            return None
