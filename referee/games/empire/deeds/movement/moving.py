"""Moving: units go where they are told, by the cheapest way through the squares named (II.A, emp.H-11).

Towing: barges behind cargo ships, rolling stock behind locomotives, sailplanes behind planes (II.A, II.B).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.debts import check_debt
from referee.games.empire.deeds.rehearsal import Stage, whole
from referee.games.empire.events.cargo import UnitBoarded, UnitLeft
from referee.games.empire.events.moving import DropTankUsed, StatusChanged, UnitMoved, WindRolled
from referee.games.empire.position.pieces import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.fuel import fuel_of_move
from referee.games.empire.reckoning.movement.carrying import (
    aboard,
    berths,
    check_unit,
    check_use,
    counts_for,
    goods_aboard,
    load_of,
    open_berth,
    site_of,
    use_key,
)
from referee.games.empire.reckoning.movement.rates import DROP_TANK, canals_on, fare, keeps, takes_tank
from referee.games.empire.reckoning.movement.routes import Left, Route, left_for, route_for
from referee.games.empire.reckoning.ownership import UNCONSUMED, check_square, flies, named, unit_of
from referee.games.empire.reckoning.war.zones import check_stack
from referee.games.empire.rulebook.kinds import KINDS, Kind, in_bta
from referee.games.empire.rulebook.plans import a
from referee.kit.hexes import DIRECTIONS
from referee.kit.refused import Refused
from referee.kit.wording import capital


class March(Protocol):
    """A move as it is ordered: who goes where, through which squares."""

    @property
    def units(self) -> tuple[int, ...]: ...

    @property
    def target(self) -> str: ...

    @property
    def via(self) -> tuple[str, ...]: ...

    def only(self, units: tuple[int, ...]) -> March:
        """The same by these units alone."""
        ...


class Plan(msgspec.Struct, frozen=True):
    """A move that can be made: the unit, its way, and the drop tank it hangs on for it."""

    unit: Unit
    route: Route
    tank: Lot | None = None


# ---------------------------------------------------------------- checks


def plan_move(empire: Empire, seat: Seat, number: int, target: str, via: tuple[str, ...] = ()) -> Plan:
    """The move of one unit, or a refusal."""
    unit = unit_of(empire, seat, number)
    check_moves(empire, unit)
    left, tank = left_for(empire, unit), _tank(empire, unit)
    burning = DROP_TANK in unit.parts
    if tank is None or burning:
        route = route_for(empire, unit, target, via, left, burning)
        tank = None
    else:
        route, tank = _with_tank(empire, unit, target, via, left, tank)
    check_stack(empire, unit, target)
    return Plan(unit, route, tank)


def _with_tank(
    empire: Empire, unit: Unit, target: str, via: tuple[str, ...], left: Left, tank: Lot
) -> tuple[Route, Lot | None]:
    """The way without the tank where that reaches, else with it."""
    try:
        return route_for(empire, unit, target, via, left), None
    except Refused:
        return route_for(empire, unit, target, via, left, tanked=True), tank


def _tank(empire: Empire, unit: Unit) -> Lot | None:
    if not takes_tank(KINDS[unit.kind]):
        return None
    return next((lot for lot in goods_aboard(empire, unit.number) if lot.what == DROP_TANK), None)


def check_moves(empire: Empire, unit: Unit) -> None:
    """Refuse what does not move by itself now."""
    kind = KINDS[unit.kind]
    if not kind.self_mobile:
        puller = "a locomotive" if kind.name == "rolling stock" else "a cargo ship"
        raise Refused(f"{named(unit)} is moved only by {puller}.", "emp.move.hauled", str(unit.number))
    if unit.status == UNCONSUMED:
        raise Refused(f"{named(unit)} moves only after its EDU is consumed.", "emp.move.consumer", str(unit.number))
    if keeps(empire, unit):
        raise Refused(f"{named(unit)} mans the canal in {unit.at} this turn.", "emp.terrain.canal", str(unit.number))
    if unit.aboard and unit.kind not in KINDS[empire.units[unit.aboard].kind].wings:
        carrier = empire.units[unit.aboard]
        raise Refused(
            f"{named(unit)} is aboard {named(carrier)}.",
            "emp.move.carried",
            str(unit.number),
            (f"UNLOAD {named(unit)} FROM {named(carrier)}",),
        )
    if kind.wind and not empire.wind:
        raise Refused(f"The wind must be rolled before {named(unit)} moves.", "emp.move.wind", "", ("ROLL WIND",))
    if kind.name == "spruce goose" and not any(lot.what == "beer" for lot in goods_aboard(empire, unit.number)):
        raise Refused(f"{named(unit)} flies only with a beer aboard.", "emp.H-22", str(unit.number))
    if kind.category == "air":
        _check_start(empire, unit, kind)


def _check_start(empire: Empire, unit: Unit, kind: Kind) -> None:
    """Refuse a plane that cannot take off, or that has a sailplane in tow (it is released where it started)."""
    towed = next(
        (other for other in empire.units.values() if other.aboard == unit.number and other.kind in kind.tows), None
    )
    if towed is not None:
        raise Refused(
            f"{named(unit)} must let {named(towed)} go in the square of the airport.", "emp.move.sailplane", unit.at
        )
    if flies(unit) or unit.aboard or kind.name == "balloon":
        return
    if kind.name == "sailplane":
        raise Refused(f"{named(unit)} must be towed into the air first.", "emp.move.sailplane", str(unit.number))
    if not berths(empire, "airport", unit.at, unit.country):
        raise Refused(f"{named(unit)} takes off only from an airport; {unit.at} has none.", "emp.move.airport", unit.at)
    check_use(empire, unit, "airport")


# ---------------------------------------------------------------- deeds


def do_move(table: Stage, seat: Seat, intent: March) -> None:
    """Every unit of the order goes, one after the other."""
    for number in intent.units:
        plan = plan_move(table.state, seat, number, intent.target, intent.via)
        unit, kind = plan.unit, KINDS[plan.unit.kind]
        check_debt(table.state, unit.country, fuel_of_move(table.state, unit.number, plan.route.cost))
        if kind.category == "air" and not flies(unit):
            table.emit(_changed(table.state, unit, "air", "took off"))
        if plan.tank is not None:
            table.emit(DropTankUsed(unit.number, unit.kind, replace(plan.tank, number=1)))
        way, cost = plan.route.way, plan.route.cost
        status = _status_after(table.state, unit, kind, way[-1])
        hands = canals_on(table.state, unit, way)
        table.emit(UnitMoved(unit.number, unit.kind, unit.country, unit.at, way, cost, status, hands))
        there = table.state.units[unit.number]
        if kind.category == "air" and open_berth(table.state, there, "airport"):
            table.emit(_changed(table.state, there, "", "landed"))


def go(table: Table[Empire], seat: Seat, intent: March) -> None:
    """The whole of a move, or nothing. Raises Refused."""
    whole(table, lambda stage: do_move(stage, seat, intent))


def _status_after(empire: Empire, unit: Unit, kind: Kind, target: str) -> str:
    """In the air, in dock where a dock is free, in the city of a friend, or under water as before."""
    if kind.category == "air":
        return "air"
    if empire.board.squares[target].water:
        return "submerged" if unit.status == "submerged" else ""
    if kind.category == "naval":
        return "dock" if open_berth(empire, replace(unit, at=target, status=""), "dock") else ""
    city = empire.city_at(target)
    return "city" if city is not None and empire.friendly(city.country, unit.country) else ""


def _changed(empire: Empire, unit: Unit, status: str, did: str) -> StatusChanged:
    """A start or a landing; an airport that is used counts it."""
    kind = KINDS[unit.kind]
    used = berths(empire, "airport", unit.at, unit.country) and not unit.aboard
    key = use_key(unit, "airport") if used else ""
    return StatusChanged(unit.number, unit.kind, unit.country, unit.at, status, did, key, kind.hangar if used else 0)


def plan_disembark(empire: Empire, seat: Seat, number: int, target: str) -> tuple[Unit, int]:
    """A carried land unit that goes ashore into a neighbouring square at its own rate, and what that costs."""
    unit = unit_of(empire, seat, number)
    check_square(empire, target)
    if not unit.aboard:
        raise Refused(f"{named(unit)} is not aboard anything.", "emp.move.carried", str(number))
    way = empire.board.grid.direction(unit.at, target)
    if way is None:
        raise Refused(f"{target} is not next to {unit.at}.", "emp.move.bta", target)
    carrier = empire.units[unit.aboard]
    if KINDS[unit.kind].category != "land" or KINDS[carrier.kind].category == "air":
        raise Refused(f"{named(unit)} cannot go ashore from {named(carrier)}.", "emp.L1", str(unit.number))
    if carrier.kind in ("yacht", "sailboat", "luxury liner", "life raft") and carrier.status != "dock":
        raise Refused(f"A {carrier.kind} unloads only in a dock.", "emp.L1", carrier.kind)
    border, left = fare(empire, unit, unit.at, way), left_for(empire, unit)
    if border is None:
        raise Refused(f"{named(unit)} cannot go ashore in {target}.", "emp.move.barrier", target)
    if border.cost > left.bta:
        words = f"{left.who} has {in_bta(left.bta)} BTA left; the {border.over} costs {in_bta(border.cost)}."
        raise Refused(words, "emp.move.bta", target)
    check_stack(empire, unit, target)
    return unit, border.cost


def do_disembark(table: Stage, seat: Seat, units: Iterable[int], target: str) -> None:
    """Carried units step ashore, one after the other; what they bring off a ship counts as unloaded (emp.L1)."""
    for number in units:
        unit, cost = plan_disembark(table.state, seat, number, target)
        carrier = table.state.units[unit.aboard]
        empire = table.state
        site = site_of(empire, carrier)
        counts = counts_for(empire, carrier, "shore" if site == "sea" else site, "unloaded", *load_of(empire, unit))
        if counts:
            at = (carrier.number, carrier.kind, carrier.at)
            table.emit(UnitLeft(number, unit.kind, unit.country, *at, counts=counts))
        check_debt(table.state, unit.country, fuel_of_move(table.state, number, cost))
        status = _status_after(table.state, unit, KINDS[unit.kind], target)
        table.emit(UnitMoved(number, unit.kind, unit.country, unit.at, (target,), cost, status))


def check_calm(empire: Empire) -> None:
    """Refuse a second wind in a slot."""
    if empire.wind:
        raise Refused(f"The wind is rolled already: it blows towards {empire.wind}.", "emp.move.wind")


def do_wind(table: Table[Empire]) -> None:
    """The die of the wind: 1 to 6 are N, E, Q, S, W, P. Once a slot."""
    check_calm(table.state)
    (face,) = table.roll(1, 6, "The wind", "emp.move.wind")
    table.emit(WindRolled(DIRECTIONS[face - 1]))


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
