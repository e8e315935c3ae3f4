"""What every attack needs: a band that allows it, chemicals, one attack a turn (emp.H-16, emp.H-18, emp.H-29)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.empire.deeds.bands import check_band
from referee.games.empire.deeds.debts import check_debt
from referee.games.empire.events.war.land import PER_ATTACK, attacked_key
from referee.games.empire.position.booking import Booking
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.fuel import fuel_of_attack
from referee.games.empire.reckoning.ownership import named
from referee.kit.refused import Refused
from referee.kit.stock import gathered


def check_means(empire: Empire, units: Sequence[Unit]) -> None:
    """Raises Refused in collapse, and where there are no chemicals for so many attackers or no oil for their ships."""
    oil = fuel_of_attack(empire, (unit.number for unit in units))
    for country, number in gathered(unit.country for unit in units).items():
        check_band(empire, country, "attack")
        check_debt(empire, country, ((country, Booking(chemicals=PER_ATTACK * number)), *oil))


def check_fresh(empire: Empire, unit: Unit, rule: str) -> None:
    """Raises Refused for who has attacked this turn."""
    if attacked_key(unit.number) in empire.handled:
        raise Refused(f"{named(unit)} has attacked this turn.", rule, str(unit.number))
