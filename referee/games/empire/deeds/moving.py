"""Units on their way, and what is picked when several would do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Protocol

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds import Stage, whole
from referee.games.empire.deeds.debts_and_petitions import check_debt
from referee.games.empire.events.course import PicksAppeared, PicksLapsed, WaysWalked
from referee.games.empire.events.moving import DropTankUsed, StatusChanged, UnitMoved
from referee.games.empire.position import Board, Lot, Unit, edge
from referee.games.empire.position.state import Doubtful, Empire
from referee.games.empire.reckoning.budget import fuel_of_move
from referee.games.empire.reckoning.carrying import berths, check_use, goods_aboard, open_berth, use_key
from referee.games.empire.reckoning.movement_rates import DROP_TANK, canals_on, check_canal, check_stack, takes_tank
from referee.games.empire.reckoning.ownership import UNCONSUMED, flies, named, unit_of
from referee.games.empire.reckoning.routes import Left, Route, left_for, route_for
from referee.games.empire.rulebook.kinds import KINDS, Kind
from referee.kit.refused import ForGood, Refused

# ---------------------------------------------------------------- moving
# Units go where they are told, by the cheapest way through the squares named (II.A, emp.H-11).


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
        raise ForGood(f"{named(unit)} is moved only by {puller}.", "emp.move.hauled", str(unit.number))
    if unit.status == UNCONSUMED:
        raise Refused(f"{named(unit)} moves only after its EDU is consumed.", "emp.move.consumer", str(unit.number))
    check_canal(empire, unit)
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
        status = status_after(table.state, unit, way[-1])
        hands = canals_on(table.state, unit, way)
        table.emit(UnitMoved(unit.number, unit.kind, unit.country, unit.at, way, cost, status, hands))
        there = table.state.units[unit.number]
        if kind.category == "air" and open_berth(table.state, there, "airport"):
            table.emit(_changed(table.state, there, "", "landed"))


def go(table: Table[Empire], seat: Seat, intent: March) -> None:
    """The whole of a move, or nothing. Raises Refused."""
    whole(table, lambda stage: do_move(stage, seat, intent))


def status_after(empire: Empire, unit: Unit, target: str) -> str:
    """How a unit stands where it went: in the air, in a free dock, in the city of a friend, or under water as before."""
    kind = KINDS[unit.kind]
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


# ---------------------------------------------------------------- the two picks of the start
# Chosen on turn 1 or 2, there at the start of turn 2 or as soon as named in it (emp.P5).


PICKS: Mapping[str, tuple[str, ...]] = {
    "cargo ship": ("cargo ship",),
    "cargo plane": ("cargo plane",),
    "oil tankers": ("oil tanker",) * 3,
    "truck": ("truck",),
    "locomotive": ("locomotive",),
    "rolling stock": ("rolling stock",) * 2,
}
"""Picks that are units, and which units they are."""

LINES: Mapping[str, tuple[str, int]] = {
    "road": ("road", 6),
    "railroad": ("rail", 6),
    "power line": ("power line", 6),
    "canal": ("canal", 1),
}
"""Picks that lie still: the kind of line and for how many borders (canal: squares)."""

TAKEN = ("taken",)


def how_many(empire: Empire) -> int:
    """Two picks; three where the Head's fiat says so."""
    return 3 if empire.options.get("fiat") == "third_pick" else 2


def show_picks(stage: Stage, country: str) -> None:
    """The picks chosen appear, from turn 2 on."""
    empire = stage.state
    chosen = empire.picks.get(country, ())
    if not chosen or chosen == TAKEN or empire.turn != 2:
        return
    capital = next((city.at for city in empire.cities.values() if city.country == country and city.capital), "")
    units = tuple(unit for pick in chosen if capital for unit in PICKS.get(pick, ()))
    wanted = [LINES[pick] for pick in chosen if pick in LINES]
    lines = tuple(_lines(empire, country, wanted))
    stage.emit(PicksAppeared(country, capital, units, lines, tuple(_nowhere(wanted, lines))))


def wholly(empire: Empire, country: str, picks: Sequence[str], path: tuple[str, ...] = ()) -> bool:
    """Whether every line of these picks finds a place; before turn 2 nobody knows."""
    wanted = [LINES[pick] for pick in picks if pick in LINES]
    named = replace(empire, pick_paths={**empire.pick_paths, country: path})
    return empire.turn < 2 or not any(_nowhere(wanted, tuple(_lines(named, country, wanted))))


def _nowhere(wanted: Sequence[tuple[str, int]], lines: Sequence[tuple[str, str]]) -> Iterator[tuple[str, int]]:
    """Of what was picked as much as found no place along the ways that were walked."""
    for what in dict.fromkeys(what for what, _ in wanted):
        missing = sum(count for kind, count in wanted if kind == what) - sum(kind == what for _, kind in lines)
        if missing > 0:
            yield what, missing


def end_of_picks(table: Table[Empire], country: str) -> None:
    """At the end of a slot: the ways walked on turn 1 are noted, picks not named by the end of turn 2 are lost."""
    empire = table.state
    if empire.turn == 1:
        ways = [empire.trails.get(unit.number, ()) for unit in empire.units_of(country, "coolie")]
        table.emit(WaysWalked(country, tuple(square for way in ways for square in way)))
    elif empire.turn == 2 and empire.countries[country].origin == "starting" and not empire.picks.get(country):
        table.emit(PicksLapsed(country))


# ---------------------------------------------------------------- where lines lie


def lines_lie_ahead(empire: Empire, country: str) -> bool:
    """Whether it still matters which squares a country's coolies walk: it may yet pick what lies still (emp.P5)."""
    starting = empire.countries[country].origin == "starting"
    return empire.turn == 1 and starting and (not empire.picks.get(country) or _lines_picked(empire, country))


def doubts_that_matter(empire: Empire) -> tuple[Doubtful, ...]:
    """Orders worth putting before others: which way somebody went only matters where a line picked lies along it."""
    return tuple(d for d in empire.doubtful if not d.ways or d.by is not None or _lines_picked(empire, str(d.seat)))


def _lines_picked(empire: Empire, country: str) -> bool:
    return any(pick in LINES for pick in empire.picks.get(country, ()))


def longest_walk(empire: Empire, country: str) -> tuple[str, ...]:
    """The longest unbroken way over land that a coolie of a country went on turn 1."""
    walks: list[list[str]] = [[]]
    for square in empire.walked.get(country, ()):
        last = walks[-1][-1] if walks[-1] else ""
        if last and empire.board.grid.direction(last, square) is None:
            walks.append([])
        if not walks[-1] or last != square:
            walks[-1].append(square)
    longest: list[str] = max(walks, key=len)
    return tuple(longest)


def _lines(empire: Empire, country: str, wanted: Sequence[tuple[str, int]]) -> Iterator[tuple[str, str]]:
    """Where the lines lie: along the path named, as far as it was walked, else along the longest walk; none twice."""
    walked = empire.walked.get(country, ())
    named = tuple(square for square in empire.pick_paths.get(country, ()) if square in walked)
    path = named or longest_walk(empire, country)
    lying = {place: list(kinds) for place, kinds in empire.lines.items()}
    for what, count in wanted:
        coast = filter(empire.board.coastal, path)  # a canal touches natural water
        places = coast if what == "canal" else _borders(empire.board, path)
        free = [place for place in dict.fromkeys(places) if what not in lying.get(place, [])]
        for place in free[:count]:
            lying.setdefault(place, []).append(what)
            yield place, what


def _borders(board: Board, path: Sequence[str]) -> Iterator[str]:
    for here, there in pairwise(path):
        way = board.grid.direction(here, there)
        if way is not None and not board.squares[here].water and not board.squares[there].water:
            yield edge(board.grid, here, way)
