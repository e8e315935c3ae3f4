"""What a good player would do with a country now: orders of steady growth, without those that would not be done."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.empire.bots.estate import Estate
from referee.games.empire.events.supply import PersonDied
from referee.games.empire.orders.movement.move import MoveUnits
from referee.games.empire.position.state import Empire
from referee.games.empire.telling.forecast import Forecast, forecast

_RESERVE, _OPENED = 6, 2
"""Food a turn that is grown beyond what is eaten, and resources that are newly worked in a turn."""

_TRIES = 6
"""So often what would be refused is left out: an order may hang on another."""


def advised(empire: Empire, seat: Seat) -> tuple[Intent, ...]:
    """Fields first, then works, goods and the next resources; picks are proposed beside it. Nothing outside of the seat's slot."""
    if empire.active != seat:
        return ()
    sheet = tuple(order for country in empire.owned(seat) for order in _planned(empire, country.name))
    for _ in range(_TRIES):
        seen = forecast(empire, seat, sheet)
        refused, dead = [trouble.intent for trouble in seen.refused], _dead(seen)
        kept = tuple(order for order in sheet if order not in refused and not dead.intersection(_named(order)))
        if kept == sheet:
            return sheet
        sheet = kept
    return ()


def _planned(empire: Empire, country: str) -> tuple[Intent, ...]:
    """Who is hungry far from home comes home; everybody's food is sown; then a resource or two."""
    if not any(city.country == country for city in empire.cities.values()):
        return ()
    estate = Estate(empire, country)
    home = [
        MoveUnits((number,), estate.home)
        for number in sorted(_dead(forecast(empire, empire.countries[country].owner, ())))
    ]
    estate.feed(more=_RESERVE)
    estate.open_up(_OPENED)
    return (*home, *estate.sheet)


def loses_nobody(empire: Empire, seat: Seat, sheet: Sequence[Intent]) -> bool:
    """Whether nobody would die, at the end of the turn or at the beginning of the next, after these orders."""
    return not _dead(forecast(empire, seat, sheet))


def _dead(seen: Forecast) -> set[int]:
    return {event.number for event in (*seen.end, *seen.starts) if isinstance(event, PersonDied)}


def _named(order: Intent) -> tuple[int, ...]:
    """Whom an order sends somewhere or sets to work: who would die of it stays."""
    return (*getattr(order, "units", ()), getattr(order, "unit", 0))
