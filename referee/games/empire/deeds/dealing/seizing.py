"""Seizing control of what others own, in the same square and by somebody there (emp.P13 to emp.P16)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.events.dealing import UnitSeized
from referee.games.empire.events.work.building import BuildingSeized
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.belongings import cargo_of, counts_of, own_unit
from referee.games.empire.reckoning.ownership import missing
from referee.games.empire.reckoning.war.zones import land_zone
from referee.games.empire.reckoning.work.structures import owner_of
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.refused import Refused

_BY_SHIP = ("barge", "sailboat", "life raft", "yacht", "luxury liner")
"""What a cargo ship may seize (emp.P15)."""

_FROM_WITHIN = ("cargo ship", "pirate ship")
"""Ships that somebody aboard may seize anywhere (emp.P15)."""

NO_SEIZERS = ("ambassador coolie",)
"""Persons who seize nothing (emp.H-07)."""


def check_seize(empire: Empire, seat: Seat, number: int, taker: int) -> tuple[Unit, Unit]:
    """emp.P13 to emp.P15: what is seized and by whom. Raises Refused."""
    target, by = empire.units.get(number), own_unit(empire, seat, taker, "emp.P13")
    if target is None:
        raise Refused(missing(empire, number), "emp.P13", str(number))
    if empire.countries[target.country].owner == seat:
        raise Refused(f"{target.kind} {target.number} is yours.", "emp.P13", str(target.number))
    _check(empire, target, by)
    return target, by


def takers(empire: Empire, seat: Seat, target: Unit) -> tuple[Unit, ...]:
    """The units of a seat that may seize a unit now, by number."""
    return tuple(
        unit
        for unit in empire.units_at(target.at)
        if empire.countries[unit.country].owner == seat and _allowed(empire, target, unit)
    )


def _allowed(empire: Empire, target: Unit, by: Unit) -> bool:
    try:
        _check(empire, target, by)
    except Refused:
        return False
    return True


def _check(empire: Empire, target: Unit, by: Unit) -> None:
    if target.at != by.at:
        raise Refused(
            f"{target.kind} {target.number} is in {target.at}, not in {by.at}.", "emp.P13", str(target.number)
        )
    if by.kind == "cargo ship" and target.kind in _BY_SHIP:
        # emp.P15: a cargo ship takes a small craft that is unoccupied and not under tow.
        if target.aboard:
            raise Refused(f"{target.kind} {target.number} is under tow or carried.", "emp.P15", str(target.number))
        if any(KINDS[unit.kind].person for unit in empire.units.values() if unit.aboard == target.number):
            raise Refused(f"Somebody is aboard {target.kind} {target.number}.", "emp.P15", str(target.number))
        return
    if not KINDS[by.kind].person or by.kind in NO_SEIZERS:
        raise Refused(f"A {by.kind} seizes nothing.", "emp.P14", str(by.number))
    if KINDS[target.kind].person:
        raise Refused(
            f"{target.kind} {target.number} is a person; people are taken by attack only.", "emp.P13", target.kind
        )
    if by.aboard == target.number and target.kind in _FROM_WITHIN:
        check_aboard(empire, target, by)
        return
    # emp.P13: ships and barges beached or docked, planes not in the air, nothing that is carried.
    kind, rule = KINDS[target.kind], "emp.P13"
    if by.aboard not in (0, target.number):
        raise Refused(f"{by.kind} {by.number} is aboard unit {by.aboard}; put it ashore first.", rule, str(by.number))
    if target.aboard:
        raise Refused(f"{target.kind} {target.number} is carried by unit {target.aboard}.", rule, str(target.number))
    if (kind.category == "naval" or target.kind == "barge") and target.status not in ("dock", "beach"):
        raise Refused(f"{target.kind} {target.number} is neither beached nor docked.", rule, str(target.number))
    if kind.category == "air" and target.status == "air":
        raise Refused(f"{target.kind} {target.number} is in the air.", rule, str(target.number))
    check_ground(empire, target.country, by)


def check_ground(empire: Empire, victim: str, by: Unit) -> None:
    """emp.P14: no hostile zone of control; for a coolie no hostile coolie in the square either, aboard something or not.

    Raises Refused.
    """
    if by.at in land_zone(empire, by.country):
        raise Refused(f"A hostile zone of control covers {by.at}.", "emp.P14", by.at)
    if not KINDS[by.kind].military:
        for guard in _guards(empire, victim, by, empire.units_at(by.at)):
            raise Refused(f"{guard.country}'s {guard.kind} {guard.number} guards the square.", "emp.P14", by.at)


def check_aboard(empire: Empire, target: Unit, by: Unit) -> None:
    """emp.P15: aboard a ship only hostile people aboard can prevent it; against military only military."""
    aboard = [unit for unit in empire.units.values() if unit.aboard == target.number]
    for guard in _guards(empire, target.country, by, aboard):
        if not KINDS[by.kind].military or KINDS[guard.kind].military:
            raise Refused(f"{guard.country}'s {guard.kind} {guard.number} is aboard too.", "emp.P15", str(guard.number))


def _guards(empire: Empire, victim: str, by: Unit, units: Iterable[Unit]) -> Iterator[Unit]:
    """Coolies and military of the victim, or hostile to the seizer; ambassadors and governments guard nothing."""
    for unit in units:
        kind, country = KINDS[unit.kind], empire.countries[unit.country]
        fights = unit.kind == "coolie" or (kind.person and kind.military)
        hostile = unit.country == victim or country.hostile_to(by.country, kind.military)
        if fights and hostile and not empire.same_owner(unit.country, by.country):
            yield unit


def check_building(empire: Empire, seat: Seat, what: str, taker: int) -> BuildingSeized:
    """What stands outside a city falls to who is there alone, within the limits of emp.P14 (emp.H-35). Raises Refused."""
    by = own_unit(empire, seat, taker, "emp.P13")
    if empire.city_at(by.at) is not None or all(f.kind != what for f in empire.factories.get(by.at, ())):
        raise Refused(f"No {what} stands outside a city in {by.at}.", "emp.H-35", what)
    victim = owner_of(empire, by.at)
    if victim and empire.same_owner(victim, by.country):
        raise Refused(f"The {what} in {by.at} is yours.", "emp.H-35", what)
    if not KINDS[by.kind].person or by.kind in NO_SEIZERS or by.aboard:
        raise Refused(f"{by.kind} {by.number} cannot seize it; a person on the ground can.", "emp.P14", str(by.number))
    check_ground(empire, victim, by)
    return BuildingSeized(by.country, victim, what, by.at, by.number)


def seize(table: Table[Empire], seat: Seat, number: int, taker: int) -> None:
    """A unit changes hands with all it carries, but for people. Raises Refused."""
    empire = table.state
    target, by = check_seize(empire, seat, number, taker)
    units, lots = cargo_of(empire, (target.number,), persons=False)
    counts = counts_of(empire, units, lots)
    victim = target.country
    table.emit(UnitSeized(target.number, target.kind, by.number, victim, by.country, by.at, units, lots, counts))
