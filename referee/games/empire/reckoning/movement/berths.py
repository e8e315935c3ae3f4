"""Docks and airports: who may use them, what they hold and what they handle in a turn (emp.C4)."""

from __future__ import annotations

from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import flies, named
from referee.games.empire.rulebook.kinds import KINDS, OBJECT, in_objects
from referee.kit.refused import Refused

SPACE = 12 * OBJECT
"""Sea units of a dock and air units of an airport, in sixtieths (III.B)."""


def berths(empire: Empire, what: str, at: str, country: str) -> int:
    """The room of all docks or airports of a square that a country may use, in sixtieths of a sea or air unit."""
    city = empire.city_at(at)
    mine = city is not None and empire.friendly(city.country, country)
    inside = (city.docks if what == "dock" else city.airports) if city is not None and mine else 0
    outside = sum(factory.kind == what for factory in empire.factories.get(at, ()))
    return (inside + outside) * SPACE


def _size(unit: Unit, what: str) -> int:
    kind = KINDS[unit.kind]
    return kind.berth if what == "dock" else kind.hangar


def _there(empire: Empire, unit: Unit, what: str) -> int:
    """The room taken by other ships in dock, or by other planes on the ground."""
    others = [other for other in empire.units_at(unit.at) if other.number != unit.number]
    return sum(_size(other, what) for other in others if _occupies(other, what))


def _occupies(unit: Unit, what: str) -> bool:
    if what == "dock":
        return unit.status == "dock"
    grounded = not flies(unit) and not unit.aboard and unit.status != "warehouse"
    return KINDS[unit.kind].category == "air" and grounded


def use_key(unit: Unit, what: str) -> str:
    """The count that tells that a unit used a dock or airport this turn."""
    return f"{what} {unit.at}/{unit.number}"


def check_berth(empire: Empire, unit: Unit, what: str) -> None:
    """Refuse a berth where there is none for this country, or none free."""
    space = berths(empire, what, unit.at, unit.country)
    if not space:
        raise Refused(f"There is no {what} in {unit.at} that {named(unit)} may use.", "emp.C4", unit.at)
    free, needs = space - _there(empire, unit, what), _size(unit, what)
    if needs > free:
        measure = "sea" if what == "dock" else "air"
        raise Refused(
            f"The {what} in {unit.at} has {in_objects(max(0, free))} {measure} units free; "
            f"{named(unit)} takes {in_objects(needs)}.",
            "emp.C4",
            unit.at,
        )


def check_use(empire: Empire, unit: Unit, what: str) -> None:
    """Refuse when a dock or airport has handled its twelve units this turn; who used it already may go on."""
    key, space = use_key(unit, what), berths(empire, what, unit.at, unit.country)
    if key in empire.handled:
        return
    used = sum(room for other, room in empire.handled.items() if other.startswith(f"{what} {unit.at}/"))
    if used + _size(unit, what) > space:
        raise Refused(
            f"The {what} in {unit.at} has handled {in_objects(used)} of {in_objects(space)} units this turn; "
            f"{named(unit)} takes {in_objects(_size(unit, what))}.",
            "emp.C4",
            unit.at,
        )


def open_berth(empire: Empire, unit: Unit, what: str) -> bool:
    """Whether a unit finds a free berth where it is, and may still use it this turn."""
    try:
        check_berth(empire, unit, what)
        if what == "airport":
            check_use(empire, unit, what)
    except Refused:
        return False
    return True
