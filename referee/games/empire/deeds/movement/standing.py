"""Units without moving: dock, beach, put to sea, dive, surface, take off, land, patrol, be stored (II.A, emp.C4, emp.C5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.debts import check_debt
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.events.moving import AircraftCrashed, StatusChanged
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.carrying import berths, check_berth, check_use, goods_aboard, use_key
from referee.games.empire.reckoning.ownership import flies, named, unit_of, with_all_aboard
from referee.games.empire.reckoning.war.zones import check_stack
from referee.games.empire.rulebook.kinds import KINDS, Kind
from referee.kit.refused import Refused

_Check = Callable[[Empire, Unit, Kind], None]


def _ship(unit: Unit, kind: Kind, how: str) -> None:
    if kind.category != "naval" and unit.kind != "barge":
        raise Refused(f"{named(unit)} is no ship and cannot {how}.", "emp.C4", str(unit.number))
    if unit.aboard:
        raise Refused(f"{named(unit)} is in tow.", "emp.move.hauled", str(unit.number))


def _plane(unit: Unit, kind: Kind, how: str) -> None:
    if kind.category != "air":
        raise Refused(f"{named(unit)} is no plane and cannot {how}.", "emp.move.airport", str(unit.number))


def _dock(empire: Empire, unit: Unit, kind: Kind) -> None:
    _ship(unit, kind, "dock")
    check_berth(empire, unit, "dock")


def _beach(empire: Empire, unit: Unit, kind: Kind) -> None:
    _ship(unit, kind, "beach")
    if empire.board.squares[unit.at].water:
        raise Refused(f"There is no beach in {unit.at}.", "emp.move.beach", unit.at)


def _to_sea(empire: Empire, unit: Unit, kind: Kind) -> None:
    _ship(unit, kind, "put to sea")
    if unit.status not in ("dock", "beach"):
        raise Refused(f"{named(unit)} is at sea already.", "emp.move.beach", str(unit.number))


def _dive(empire: Empire, unit: Unit, kind: Kind) -> None:
    medium = empire.board.squares[unit.at].terrain
    if medium not in kind.submerged:
        raise Refused(f"{named(unit)} cannot dive in {unit.at}.", "emp.move.submarine", unit.at)


def _surface(empire: Empire, unit: Unit, kind: Kind) -> None:
    if unit.status != "submerged":
        raise Refused(f"{named(unit)} is not under water.", "emp.move.submarine", str(unit.number))


def _start(empire: Empire, unit: Unit, kind: Kind) -> None:
    _plane(unit, kind, "take off")
    if flies(unit) or unit.aboard:
        raise Refused(f"{named(unit)} is not on the ground.", "emp.move.airport", str(unit.number))
    if unit.kind == "sailplane":
        raise Refused(f"{named(unit)} must be towed into the air.", "emp.move.sailplane", str(unit.number))
    if unit.kind != "balloon":
        _airport(empire, unit)
        check_use(empire, unit, "airport")


def _airport(empire: Empire, unit: Unit) -> None:
    if not berths(empire, "airport", unit.at, unit.country):
        raise Refused(f"There is no airport in {unit.at} that {named(unit)} may use.", "emp.move.airport", unit.at)


def _land(empire: Empire, unit: Unit, kind: Kind) -> None:
    """Airports take every plane; a balloon lands on any land, a sailplane on open land without a city."""
    _plane(unit, kind, "land")
    if not flies(unit):
        raise Refused(f"{named(unit)} is not in the air.", "emp.move.airport", str(unit.number))
    square = empire.board.squares[unit.at]
    bare = square.terrain == "plain" and empire.city_at(unit.at) is None
    if (unit.kind == "balloon" and not square.water) or (unit.kind == "sailplane" and bare):
        return
    _airport(empire, unit)
    check_berth(empire, unit, "airport")
    check_use(empire, unit, "airport")


def _patrol(empire: Empire, unit: Unit, kind: Kind) -> None:
    if unit.kind != "fighter":
        raise Refused("Only fighters fly a combat air patrol.", "emp.H-31", str(unit.number))
    if not flies(unit) and not unit.aboard:
        _start(empire, unit, kind)


def _store(empire: Empire, unit: Unit, kind: Kind) -> None:
    city = empire.city_at(unit.at)
    if city is None or not city.warehouses or not empire.friendly(city.country, unit.country):
        raise Refused(f"There is no warehouse in {unit.at} that {named(unit)} may use.", "emp.C5", unit.at)
    if unit.aboard or flies(unit) or kind.category == "naval":
        raise Refused(f"{named(unit)} cannot be stored now.", "emp.C5", str(unit.number))


def _bring_out(empire: Empire, unit: Unit, kind: Kind) -> None:
    if unit.status != "warehouse":
        raise Refused(f"{named(unit)} is in no warehouse.", "emp.C5", str(unit.number))
    if kind.category == "air":
        check_berth(empire, unit, "airport")
    check_stack(empire, unit, unit.at)


_HOW: Mapping[str, tuple[_Check, str, str]] = {
    "dock": (_dock, "dock", "docked"),
    "beach": (_beach, "beach", "beached"),
    "put to sea": (_to_sea, "", "put to sea"),
    "dive": (_dive, "submerged", "dived"),
    "surface": (_surface, "", "surfaced"),
    "start": (_start, "air", "took off"),
    "land": (_land, "", "landed"),
    "patrol": (_patrol, "patrol", "went on patrol"),
    "store": (_store, "warehouse", "was stored"),
    "bring out": (_bring_out, "", "was brought out"),
}
"""What a unit can be told to do: the check, its status after, and the fact in words."""


_BURNING = ("put to sea", "start", "patrol")
"""What makes a unit owe oil (emp.H-18); whoever owes it already may dock, land, dive and surface without."""


def plan_standing(empire: Empire, seat: Seat, number: int, how: str) -> StatusChanged:
    """What becomes of a unit that is told so, or a refusal."""
    unit = unit_of(empire, seat, number)
    check, status, did = _HOW[how]
    kind = KINDS[unit.kind]
    check(empire, unit, kind)
    counted = how in ("start", "land", "patrol") and not unit.aboard and not (how == "patrol" and flies(unit))
    counted = counted and bool(berths(empire, "airport", unit.at, unit.country))
    key, room = (use_key(unit, "airport"), kind.hangar) if counted else ("", 0)
    return StatusChanged(number, unit.kind, unit.country, unit.at, status, did, key, room)


def do_stand(table: Stage, seat: Seat, units: Iterable[int], how: str) -> None:
    """Every one of these units does it, one after the other."""
    for number in units:
        changed = plan_standing(table.state, seat, number, how)
        if how in _BURNING:
            check_debt(table.state, changed.country, changed.books(table.state))
        table.emit(changed)


# ---------------------------------------------------------------- the end of a turn


def crash_the_stranded(table: Table[Empire], country: str) -> None:
    """Planes of a country that had to land and did not are lost with all aboard (house rule emp.move.aloft)."""
    for unit in table.state.units_of(country):
        # II.A: fighters on patrol stay in the air over the end of a turn.
        if flies(unit) and not (KINDS[unit.kind].aloft or unit.status == "patrol"):
            table.emit(_crash(table.state, unit))


def _crash(empire: Empire, unit: Unit) -> AircraftCrashed:
    group = with_all_aboard(empire, unit)
    lost = tuple((n, empire.units[n].kind, empire.units[n].country) for n in group)
    goods = tuple(lot for number in group for lot in goods_aboard(empire, number))
    return AircraftCrashed(unit.number, unit.kind, unit.country, unit.at, lost, goods)
