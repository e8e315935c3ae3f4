"""Oil that military planes, ships and transport use: booked when they move, exact (I.I d)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from referee.games.empire.position.countries import Booking
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import parts_of
from referee.games.empire.rulebook.kinds import BTA, DEBT, KINDS

FLIGHT = DEBT // 50
"""Oil of a military plane for a turn in which it flies, however often it stops."""

AT_SEA: Mapping[str, int] = {
    "battleship": DEBT // 10,
    "carrier": DEBT // 10,
    "cruiser": DEBT // 20,
    "destroyer": DEBT // 40,
    "submarine": DEBT // 40,
}
"""Oil of a warship for a turn in which it was at sea at any time, or is at its end."""

PER_BTA = DEBT // 10
"""Oil of each armed transport and supply for a BTA it moves by itself."""

_IN_PORT = ("dock", "beach", "warehouse")
_FLYING = ("air", "patrol")

_Books = tuple[tuple[str, Booking], ...]


def at_sea(unit: Unit) -> bool:
    """Whether a ship is at sea: not in a dock, on a beach or aboard."""
    return KINDS[unit.kind].category == "naval" and unit.status not in _IN_PORT and not unit.aboard


def _of_the_turn(empire: Empire, unit: Unit) -> int:
    """What a plane or ship uses for the turn, if that is not booked yet."""
    country = empire.countries.get(unit.country)
    if country is None or unit.number in country.booked.fuelled:
        return 0
    kind = KINDS[unit.kind]
    return FLIGHT if kind.military and kind.category == "air" else AT_SEA.get(unit.kind, 0)


def _booked(unit: Unit, oil: int, once: bool) -> _Books:
    return ((unit.country, Booking(oil=oil, fuelled=(unit.number,) if once else ())),) if oil else ()


def fuel_of_move(empire: Empire, number: int, cost: int) -> _Books:
    """Oil for a unit that moves by itself, at a cost in thirtieths of a BTA."""
    unit = empire.units.get(number)
    if unit is None:
        return ()
    turn = _of_the_turn(empire, unit)
    supplied = parts_of(unit).count("T&S") * cost * PER_BTA // BTA
    return _booked(unit, turn + supplied, turn > 0)


def fuel_of_stance(empire: Empire, number: int, status: str) -> _Books:
    """Oil for a plane that takes off, and for a ship that was at sea until now or puts to sea."""
    unit = empire.units.get(number)
    if unit is None or not (status in _FLYING or at_sea(unit) or at_sea(replace(unit, status=status))):
        return ()
    return _booked(unit, _of_the_turn(empire, unit), True)


def fuel_of_attack(empire: Empire, numbers: Iterable[int]) -> _Books:
    """Oil of the ships at sea that attack, with their guns or by themselves."""
    ships = (unit for number in numbers if (unit := empire.units.get(number)) is not None and at_sea(unit))
    return tuple(entry for unit in ships for entry in _booked(unit, _of_the_turn(empire, unit), True))


def unfuelled(empire: Empire, country: str) -> tuple[tuple[int, int], ...]:
    """Warships at sea and patrols in the air at the end of a turn whose oil is not booked yet: their numbers, and oil."""
    found = [unit for unit in empire.units_of(country) if at_sea(unit) or unit.status == "patrol"]
    due = [(unit.number, _of_the_turn(empire, unit)) for unit in found]
    return tuple((number, oil) for number, oil in due if oil)
