"""What is whose: units that a seat commands, countries, and all that goes along with a unit."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import missing
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.refused import Refused
from referee.kit.stock import gathered, more


def own_unit(empire: Empire, seat: Seat, number: int, rule: str) -> Unit:
    """A unit that a seat may command. Raises Refused."""
    unit = empire.units.get(number)
    if unit is None:
        raise Refused(missing(empire, number), rule, str(number))
    if empire.countries[unit.country].owner != seat:
        raise Refused(f"{unit.kind} {number} is {unit.country}'s.", rule, str(number))
    return unit


def living_country(empire: Empire, name: str, rule: str) -> Country:
    """A country by name that is not dissolved. Raises Refused."""
    country = empire.countries.get(name)
    if country is None or country.dead:
        raise Refused(f"There is no country {name}.", rule, name, tuple(c for c in empire.countries)[:3])
    return country


def cargo_of(empire: Empire, numbers: Sequence[int], persons: bool = True) -> tuple[tuple[int, ...], tuple[Lot, ...]]:
    """Units with everything aboard them that is of the same country: their numbers, and the goods.

    Without `persons`, people aboard stay whose they are, with what they carry.
    """
    found = list(dict.fromkeys(numbers))
    for number in found:  # grows while it is walked: what is aboard may carry things itself
        carrier = empire.units[number]
        aboard = (u for u in empire.units.values() if u.aboard == number and u.country == carrier.country)
        aboard = (u for u in aboard if persons or not KINDS[u.kind].person)
        found += [unit.number for unit in aboard if unit.number not in found]
    countries = {number: empire.units[number].country for number in found}
    lots = tuple(lot for lot in empire.lots if lot.aboard and countries.get(lot.aboard) == lot.country)
    return tuple(found), lots


def counts_of(empire: Empire, numbers: Sequence[int], lots: Sequence[Lot]) -> tuple[tuple[str, int], ...]:
    """How many of every kind of unit and goods."""
    counts = gathered(empire.units[number].kind for number in numbers)
    for lot in lots:
        counts = more(counts, {lot.what: lot.number})
    return tuple(counts.items())
