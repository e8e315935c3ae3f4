"""Foreign exchange: points a strong country sends to another (emp.H-16, emp.H-17, emp.H-06)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Quantity
from referee.games.empire.events.economy import ExchangeSent
from referee.games.empire.position.countries import Country
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import in_force
from referee.games.empire.rulebook.houses import STANDARD
from referee.kit.refused import Refused
from referee.kit.wording import counted


def may_send(empire: Empire, country: Country) -> int:
    """How many points a country may still send this turn: as many as its confidence stands above 10 (emp.H-16)."""
    return max(0, country.confidence - in_force.figure(empire, "exchange", "above") - country.booked.sent)


def can_exchange(empire: Empire, seat: Seat, wanted: int | Quantity, name: str) -> ExchangeSent:
    """What a lawful order does: the country of the seat that may send most sends. Raises Refused."""
    to = empire.countries.get(name)
    if to is None or to.dead:
        raise Refused(f"There is no country {name}.", "emp.H-17", name)
    if to.owner == seat:
        raise Refused(f"{to.name} is yours too; between your own countries there is no exchange.", "emp.H-06", to.name)
    sender = max(empire.owned(seat), key=lambda country: may_send(empire, country))
    most = may_send(empire, sender)
    points = wanted if isinstance(wanted, int) else wanted.of(most)
    if not 0 < points <= most:
        raise _too_much(empire, sender, to.name, points, most)
    return ExchangeSent(sender.name, to.name, points)


def _too_much(empire: Empire, sender: Country, to: str, points: int, most: int) -> Refused:
    if in_force.chosen(empire, "exchange") != STANDARD:
        return Refused("In this match nobody sends foreign exchange.", "emp.H-17", str(points))
    sent = f" and has sent {sender.booked.sent}" if sender.booked.sent else ""
    why = f"{sender.name} has confidence {sender.confidence}{sent}: it may send {counted(most, 'points')} this turn, not {points}."
    return Refused(why, "emp.H-16", str(points), (f"EXCHANGE {most} TO {to}",) if most else ())
