"""Towing: barges behind cargo ships, rolling stock behind locomotives, sailplanes behind planes (II.A, II.B)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.names import Seat
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.events.cargo import UnitBoarded, UnitLeft
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.berths import berths
from referee.games.empire.reckoning.movement.carrying import aboard, check_unit
from referee.games.empire.reckoning.ownership import flies, named, unit_of
from referee.games.empire.rulebook.kinds import KINDS
from referee.games.empire.rulebook.plans import a
from referee.kit.refused import Refused
from referee.kit.wording import capital


def pulled(unit: Unit) -> tuple[str, ...]:
    """The kinds of unit that it takes in tow."""
    return (*KINDS[unit.kind].tows, *KINDS[unit.kind].hauls)


def plan_towing(empire: Empire, seat: Seat, number: int, other: int) -> UnitBoarded:
    """A unit of the same square taken in tow, or a refusal."""
    carrier, unit = unit_of(empire, seat, number), unit_of(empire, seat, other)
    if unit.kind not in pulled(carrier):
        raise Refused(f"{capital(a(carrier.kind))} does not tow {a(unit.kind)}.", "emp.move.tow", unit.kind)
    if unit.at != carrier.at:
        raise Refused(f"{named(unit)} is in {unit.at}, {named(carrier)} in {carrier.at}.", "emp.move.tow", unit.at)
    if unit.aboard:
        raise Refused(f"{named(unit)} is aboard {named(empire.units[unit.aboard])}.", "emp.move.tow", str(other))
    if unit.kind == "sailplane":
        _check_airport(empire, carrier, unit)
    check_unit(empire, carrier, unit)
    return UnitBoarded(other, unit.kind, unit.country, number, carrier.kind, tow=True)


def _check_airport(empire: Empire, plane: Unit, sailplane: Unit) -> None:
    """A sailplane is towed up from an airport by a plane on its ground."""
    if flies(plane) or flies(sailplane) or not berths(empire, "airport", plane.at, plane.country):
        words = f"{named(plane)} takes {named(sailplane)} in tow only on the ground of an airport."
        raise Refused(words, "emp.move.sailplane", plane.at)


def plan_untowing(empire: Empire, seat: Seat, number: int) -> tuple[UnitLeft, ...]:
    """All that a unit has in tow let go; a sailplane then flies by itself."""
    carrier = unit_of(empire, seat, number)
    towed = [unit for unit in aboard(empire, number) if unit.kind in pulled(carrier)]
    if not towed:
        raise Refused(f"{named(carrier)} has nothing in tow.", "emp.move.tow", str(number))
    return tuple(_let_go(carrier, unit) for unit in towed)


def _let_go(carrier: Unit, unit: Unit) -> UnitLeft:
    status = "air" if flies(carrier) else carrier.status if unit.kind == "barge" else ""
    return UnitLeft(unit.number, unit.kind, unit.country, carrier.number, carrier.kind, carrier.at, status)


def do_tow(table: Stage, seat: Seat, carrier: int, units: Iterable[int]) -> None:
    """Units taken in tow one after the other."""
    for number in units:
        table.emit(plan_towing(table.state, seat, carrier, number))


def do_cast_off(table: Stage, seat: Seat, carrier: int) -> None:
    """All in tow let go."""
    for event in plan_untowing(table.state, seat, carrier):
        table.emit(event)
