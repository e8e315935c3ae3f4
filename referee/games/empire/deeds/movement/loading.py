"""Loading and unloading: who may where, and how much in a turn (emp.L1); oil through pipelines, 1 BTA a border (II.B)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Quantity
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.events.cargo import GoodsLoaded, GoodsUnloaded, UnitBoarded, UnitLeft
from referee.games.empire.events.moving import OilPumped
from referee.games.empire.position.pieces import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.carrying import (
    berths,
    check_goods,
    check_unit,
    counts_for,
    goods_aboard,
    load_of,
    seat_of,
    site_of,
)
from referee.games.empire.reckoning.movement.distance import spread, ways_of
from referee.games.empire.reckoning.movement.rates import keeps
from referee.games.empire.reckoning.naming import Goods
from referee.games.empire.reckoning.ownership import check_square, flies, named, root_of, unit_of
from referee.games.empire.reckoning.war.zones import check_stack
from referee.games.empire.rulebook.kinds import ALLOWANCE, BTA, GOODS, KINDS, in_bta
from referee.kit.refused import Refused

_DOCK_ONLY = ("yacht", "sailboat", "luxury liner")
_AIRPORT_ONLY = ("cargo plane", "C-5A Galaxy")


class _Shift(msgspec.Struct, frozen=True):
    """Goods that can be loaded or unloaded: the lots, and what is counted for it this turn."""

    lots: tuple[Lot, ...]
    counts: tuple[tuple[str, int], ...] = ()


# ---------------------------------------------------------------- where


def _check_site(empire: Empire, carrier: Unit, site: str, other: Unit | None) -> None:
    """Refuse a carrier that cannot load or unload where it is; `other` is a ship it takes from or gives to."""
    if flies(carrier):
        raise Refused(f"{named(carrier)} is in the air.", "emp.move.airport", str(carrier.number))
    if carrier.status == "submerged":
        raise Refused(f"{named(carrier)} is under water; it must surface first.", "emp.L1", str(carrier.number))
    field = berths(empire, "airport", carrier.at, carrier.country)
    if carrier.kind in _AIRPORT_ONLY and not field:
        raise Refused(f"{named(carrier)} loads and unloads only in an airport.", "emp.move.airport", carrier.at)
    if site != "port" and carrier.kind in _DOCK_ONLY:
        raise Refused(f"A {carrier.kind} loads and unloads only in a dock.", "emp.L1", carrier.kind)
    if site != "port" and carrier.kind == "life raft" and (other is None or other.kind != "cargo ship"):
        raise Refused("A life raft loads and unloads only in a dock or at a cargo ship.", "emp.L1", "life raft")


def _check_enemies(empire: Empire, carrier: Unit, site: str) -> None:
    """Refuse a cargo ship that would pick up among enemy land military."""
    if site in ("port", "shore") and carrier.kind == "cargo ship":
        enemy = next((unit for unit in empire.units_at(carrier.at) if _is_enemy(empire, unit, carrier)), None)
        if enemy is not None:
            words = f"{named(carrier)} cannot pick up in {carrier.at}: {enemy.country}'s {named(enemy)} is there."
            raise Refused(words, "emp.L1", carrier.at)


def _is_enemy(empire: Empire, unit: Unit, ship: Unit) -> bool:
    kind, country = KINDS[unit.kind], empire.countries.get(unit.country)
    armed = kind.military and kind.category == "land" and not unit.aboard and unit.status != "warehouse"
    foreign = armed and not empire.same_owner(unit.country, ship.country)
    return foreign and country is not None and country.hostile_to(ship.country, military=True)


# ---------------------------------------------------------------- goods


def plan_loading(empire: Empire, seat: Seat, number: int, goods: Goods) -> _Shift:
    """Goods of the square (at sea: of other ships there) that a carrier takes aboard, or a refusal."""
    carrier = unit_of(empire, seat, number)
    if goods.what not in GOODS:
        raise Refused(f"{goods.what} is no kind of goods.", "emp.L1", goods.what)
    site = site_of(empire, carrier)
    lots = _sources(empire, seat, carrier, site, goods.what)
    count = _wanted(carrier, goods, sum(lot.number for lot in lots))
    _check_site(empire, carrier, site, empire.units.get(lots[0].aboard))
    _check_enemies(empire, carrier, site)
    check_goods(empire, carrier, goods.what, count)
    room = GOODS[goods.what] * count
    return _Shift(_first(lots, count), counts_for(empire, carrier, site, "loaded", count, room))


def _sources(empire: Empire, seat: Seat, carrier: Unit, site: str, what: str) -> list[Lot]:
    """The seat's goods within reach, those with most of their 12 BTA left first."""
    here = [lot for lot in empire.lots if lot.what == what and lot.at == carrier.at and lot.aboard != carrier.number]
    mine = [lot for lot in here if _runs(empire, seat, lot.country)]
    free = [lot for lot in mine if (_on_ship(empire, lot, carrier) if site == "sea" else not lot.aboard)]
    return sorted(free, key=lambda lot: lot.spent)


def _runs(empire: Empire, seat: Seat, country: str) -> bool:
    found = empire.countries.get(country)
    return found is not None and found.owner == seat


def _on_ship(empire: Empire, lot: Lot, carrier: Unit) -> bool:
    other = empire.units.get(lot.aboard)
    return other is not None and root_of(empire, other).number != carrier.number


def _wanted(carrier: Unit, goods: Goods, held: int) -> int:
    count = goods.quantity.of(held)
    if count > held or held == 0:
        instead = (f"LOAD {held} {goods.what} ABOARD {named(carrier)}",) if held else ()
        raise Refused(f"{carrier.at} has {held or 'no'} {goods.what} to load.", "emp.P22", goods.what, instead)
    if count <= 0:
        raise Refused(f"{count} {goods.what} is nothing to load.", "emp.L1", goods.what)
    return count


def _first(lots: list[Lot], count: int) -> tuple[Lot, ...]:
    found = []
    for lot in lots:
        part = min(count, lot.number)
        if part:
            found.append(replace(lot, number=part))
        count -= part
    return tuple(found)


def plan_unloading(empire: Empire, seat: Seat, number: int, goods: Goods, into: str) -> _Shift:
    """Goods that a carrier puts off where it is, or a refusal."""
    carrier = unit_of(empire, seat, number)
    site = site_of(empire, carrier)
    _check_site(empire, carrier, site, None)
    _check_land(empire, carrier, goods.what)
    _inside(empire, carrier, into)
    lots = [lot for lot in goods_aboard(empire, number) if lot.what == goods.what and _runs(empire, seat, lot.country)]
    held = sum(lot.number for lot in lots)
    count = goods.quantity.of(held)
    if not 0 < count <= held:
        raise Refused(f"{named(carrier)} carries {held or 'no'} {goods.what}.", "emp.P22", goods.what)
    room = GOODS[goods.what] * count
    return _Shift(_first(lots, count), counts_for(empire, carrier, site, "unloaded", count, room))


def _check_land(empire: Empire, carrier: Unit, what: str) -> None:
    if empire.board.squares[carrier.at].water:
        raise Refused(f"There is no land in {carrier.at} to put {what} on.", "emp.L1", carrier.at)


def _inside(empire: Empire, carrier: Unit, into: str) -> str:
    """Where goods go: the city of the square by its name, its warehouse, or the open square."""
    city = empire.city_at(carrier.at)
    mine = city is not None and empire.friendly(city.country, carrier.country)
    if into and (city is None or not mine or (into == "warehouse" and not city.warehouses)):
        raise Refused(f"There is no {into} of yours in {carrier.at}.", "emp.C5", into)
    if into == "warehouse":
        return into
    return city.name if city is not None and mine else ""


# ---------------------------------------------------------------- units


def plan_boarding(empire: Empire, seat: Seat, carrier: int, number: int) -> UnitBoarded:
    """A unit of the same square that goes aboard, or a refusal."""
    ship, unit = unit_of(empire, seat, carrier), unit_of(empire, seat, number)
    if unit.at != ship.at:
        raise Refused(
            f"{named(unit)} is in {unit.at}, {named(ship)} in {ship.at}.",
            "emp.L1",
            str(number),
            (f"MOVE {named(ship)} TO {unit.at}",),
        )
    if unit.number in (carrier, root_of(empire, ship).number):
        raise Refused(f"{named(unit)} cannot go aboard itself.", "emp.L1", str(number))
    site = site_of(empire, ship)
    # A unit that is aboard something goes over only where both are ships at sea.
    if keeps(empire, unit):
        raise Refused(f"{named(unit)} mans the canal in {unit.at} this turn.", "emp.terrain.canal", str(unit.number))
    if unit.aboard == ship.number:
        raise Refused(f"{named(unit)} is aboard {named(ship)} already.", "emp.L1", str(unit.number))
    if unit.aboard and site != "sea":
        other = empire.units[unit.aboard]
        raise Refused(f"{named(unit)} is aboard {named(other)}.", "emp.move.carried", str(unit.number))
    kind = KINDS[unit.kind]
    landing = seat_of(KINDS[ship.kind], kind) == "deck"
    if not landing:
        _check_site(empire, ship, site, empire.units.get(unit.aboard))
        _check_enemies(empire, ship, site)
    if flies(unit) and not landing:
        raise Refused(f"{named(unit)} is in the air.", "emp.L1", str(number))
    seat_taken = check_unit(empire, ship, unit)
    pieces, room = (0, 0) if seat_taken in ("deck", "tow") else load_of(empire, unit)
    counts = counts_for(empire, ship, site, "loaded", pieces, room)
    return UnitBoarded(number, unit.kind, unit.country, carrier, ship.kind, seat_taken == "tow", counts)


def plan_leaving(empire: Empire, seat: Seat, carrier: int, number: int, into: str = "") -> UnitLeft:
    """A unit that leaves its carrier in the same land square, or a refusal."""
    ship, unit = unit_of(empire, seat, carrier), unit_of(empire, seat, number)
    if unit.aboard != carrier:
        raise Refused(f"{named(unit)} is not aboard {named(ship)}.", "emp.L1", str(number))
    site = site_of(empire, ship)
    _check_site(empire, ship, site, None)
    kind = KINDS[unit.kind]
    if kind.category != "hauled" or unit.kind != "barge":
        _check_land(empire, ship, named(unit))
    inside = _inside(empire, ship, into)
    status = "warehouse" if into == "warehouse" else "city" if inside and kind.category == "land" else ""
    towed = unit.kind in KINDS[ship.kind].hauls or unit.kind in KINDS[ship.kind].tows
    pieces, room = (0, 0) if towed else load_of(empire, unit)
    counts = counts_for(empire, ship, site, "unloaded", pieces, room)
    if status != "warehouse":
        check_stack(empire, unit, ship.at)
    return UnitLeft(number, unit.kind, unit.country, carrier, ship.kind, ship.at, status, counts)


# ---------------------------------------------------------------- deeds


def do_load(table: Stage, seat: Seat, number: int, goods: Iterable[Goods], units: Iterable[int]) -> None:
    """Goods first, then units, each in the order named."""
    for what in goods:
        shift = plan_loading(table.state, seat, number, what)
        kind = table.state.units[number].kind
        for i, lot in enumerate(shift.lots):
            table.emit(GoodsLoaded(number, kind, lot, shift.counts if i == 0 else ()))
    for unit in units:
        table.emit(plan_boarding(table.state, seat, number, unit))


def do_unload(
    table: Stage, seat: Seat, number: int, goods: Iterable[Goods], units: Iterable[int], into: str = ""
) -> None:
    """Units first, then goods, each in the order named."""
    for unit in units:
        table.emit(plan_leaving(table.state, seat, number, unit, into))
    for what in goods:
        shift = plan_unloading(table.state, seat, number, what, into)
        carrier = table.state.units[number]
        inside = _inside(table.state, carrier, into)
        for i, lot in enumerate(shift.lots):
            counts = shift.counts if i == 0 else ()
            table.emit(GoodsUnloaded(number, carrier.kind, lot, inside, counts))


def plan_pumping(empire: Empire, seat: Seat, start: str, target: str, quantity: Quantity) -> tuple[OilPumped, ...]:
    """The lots of oil that go through the pipeline, those with most of their 12 BTA left first; or a refusal."""
    for name in (start, target):
        check_square(empire, name)
    mine = [country.name for country in empire.owned(seat)]
    here = [lot for lot in empire.lots if lot.what == "O" and lot.at == start and not lot.aboard]
    lots = sorted((lot for lot in here if lot.country in mine), key=lambda lot: lot.spent)
    held = sum(lot.number for lot in lots)
    count = quantity.of(held)
    if not 0 < count <= held:
        rest = (f"PUMP {held} O FROM {start} TO {target}",) if held else ()
        raise Refused(f"You have {held or 'no'} O lying in {start}.", "emp.P22", "O", rest)
    return _pumped(empire, lots, count, target, _cost(empire, start, target))


def piped(empire: Empire, start: str, limit: int, goal: str = "") -> Mapping[str, int]:
    """The squares that pipelines join with one, and what it costs to get there."""
    ways = ways_of(empire)

    def step(here: str) -> list[tuple[str, int]]:
        return [(there, BTA) for way, there in ways.grid.around(here) if "pipeline" in ways.on(here, way)]

    return spread(step, {start: 0}, limit, goal=goal)[0]


def _cost(empire: Empire, start: str, target: str) -> int:
    found = piped(empire, start, 10 * ALLOWANCE, target).get(target)
    if not found:
        raise Refused(f"No pipeline leads from {start} to {target}.", "emp.move.pipeline", target)
    return found


def _pumped(empire: Empire, lots: list[Lot], count: int, target: str, cost: int) -> tuple[OilPumped, ...]:
    city = empire.city_at(target)
    found = []
    for lot in lots:
        part = min(count, lot.number)
        if part and lot.spent + cost > ALLOWANCE:
            left = in_bta(ALLOWANCE - lot.spent)
            raise Refused(f"{part} O has {left} BTA left; the pipeline costs {in_bta(cost)}.", "emp.move.bta", "O")
        if part:
            inside = city.name if city is not None and empire.friendly(city.country, lot.country) else ""
            going = replace(lot, number=part)
            found.append(OilPumped(going, replace(going, at=target, inside=inside, spent=lot.spent + cost)))
        count -= part
    return tuple(found)


def do_pump(table: Stage, seat: Seat, start: str, target: str, quantity: Quantity) -> None:
    """Every lot of it."""
    for event in plan_pumping(table.state, seat, start, target, quantity):
        table.emit(event)
