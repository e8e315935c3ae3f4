"""Whose a unit is, what it is aboard of and in, and whether it can act by itself now.

What is whose: units that a seat commands, countries, and all that goes along with a unit.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import FORMATIONS, KINDS, Kind
from referee.games.empire.rulebook.plans import a
from referee.kit.refused import Refused
from referee.kit.stock import gathered, more

UNCONSUMED = "unconsumed"
"""The status of a self-mobile consumer good whose EDU is not yet consumed: it is carried like goods (II.A)."""

ALOFT = ("air", "patrol")
"""The status of a plane in the air."""


def named(unit: Unit) -> str:
    """A unit in words: `coolie 14`."""
    return f"{unit.kind} {unit.number}"


def flies(unit: Unit) -> bool:
    """Whether a unit is in the air by itself."""
    return unit.status in ALOFT


def missing(empire: Empire, number: int) -> str:
    """Why there is no such unit: it never was, or what became of it."""
    lost = empire.gone.get(number)
    if lost is None:
        return f"There is no unit {number}."
    fate = f"died {lost.died}" if lost.died else "was lost"
    return f"{lost.kind} {number} is no more: it {fate} in turn {lost.turn}."


def unit_of(empire: Empire, seat: Seat, number: int) -> Unit:
    """A unit that a seat may command."""
    unit = empire.units.get(number)
    if unit is None:
        raise Refused(missing(empire, number), "emp.P22", str(number))
    country = empire.countries.get(unit.country)
    if country is None or country.owner != seat:
        raise Refused(f"{named(unit)} is {unit.country}'s, not yours.", "emp.P12", str(number))
    return unit


def root_of(empire: Empire, unit: Unit) -> Unit:
    """What carries a unit in the end: itself when nothing does."""
    while unit.aboard and unit.aboard in empire.units:
        unit = empire.units[unit.aboard]
    return unit


def with_all_aboard(empire: Empire, unit: Unit) -> tuple[int, ...]:
    """The numbers of a unit and of everything aboard it, the loads of loads included."""
    found = [unit.number]
    for number in found:
        found.extend(other.number for other in empire.units.values() if other.aboard == number)
    return tuple(found)


def in_city(empire: Empire, thing: Unit | Lot) -> str:
    """The city that a unit or lot is in, itself or with what carries it; "" when it is not in a city.

    A land unit in a city's square is in the city; a ship must be docked, a plane on the ground, goods put inside.
    """
    city = empire.city_at(thing.at)
    if city is None:
        return ""
    if thing.aboard and thing.aboard in empire.units:
        return in_city(empire, empire.units[thing.aboard])
    if isinstance(thing, Lot):
        return city.name if thing.inside else ""
    match KINDS[thing.kind].category:
        case "naval":
            inside = thing.status in ("dock", "warehouse", "city")
        case "air":
            inside = thing.status not in ("air", "patrol")
        case _:
            inside = True
    return city.name if inside else ""


def check_square(empire: Empire, name: str) -> None:
    """Refuse what is no square of the board."""
    if name not in empire.board.squares:
        raise Refused(f"{name} is no square of this board.", "emp.board.square", name)


def kind_of(unit: Unit) -> Kind:
    """The kind of a unit."""
    return KINDS[unit.kind]


def parts_of(unit: Unit) -> tuple[str, ...]:
    """The arms of a formation one by one; those of the start list none of their own."""
    return unit.parts or (FORMATIONS[unit.kind].arms if unit.kind in FORMATIONS else ())


def busy(empire: Empire, unit: Unit) -> str:
    """What a unit does over the end of this turn where it stands, in words; empty when nothing."""
    for work in empire.works:
        if work.unit == unit.number and work.at == unit.at and work.left:
            return work.what if work.what.startswith(("scrap ", "destroy ", "appoint ")) else f"build {a(work.what)}"
    return next((f"work {w.kind}" for w in empire.worked if w.unit == unit.number and w.at == unit.at), "")


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
