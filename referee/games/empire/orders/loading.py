"""LOAD, UNLOAD, DISEMBARK: goods and units aboard a carrier, off it, and from its deck into the next square (emp.L1, II.A).

PUMP: oil through a pipeline, 1 BTA a border (II.B).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, placed
from referee.core.names import Seat
from referee.core.order import Quantity, Thing
from referee.games.empire.deeds import Stage
from referee.games.empire.deeds.debts_and_petitions import check_debt
from referee.games.empire.deeds.moving import status_after
from referee.games.empire.events.moving import GoodsLoaded, GoodsUnloaded, OilPumped, UnitBoarded, UnitLeft, UnitMoved
from referee.games.empire.orders.base import Deed
from referee.games.empire.orders.fields import CARGO, Group, Lading, OneUnit, Place, beside_unit
from referee.games.empire.orders.units import how_many, quantity_of
from referee.games.empire.position import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.budget import fuel_of_move
from referee.games.empire.reckoning.carrying import (
    berths,
    check_goods,
    check_unit,
    counts_for,
    goods_aboard,
    load_of,
    seat_of,
    site_of,
)
from referee.games.empire.reckoning.distance import spread, ways_of
from referee.games.empire.reckoning.movement_rates import check_canal, check_stack, fare
from referee.games.empire.reckoning.ownership import Goods, Some, amount, check_square, flies, named, root_of, unit_of
from referee.games.empire.reckoning.routes import Left, left_for, too_dear
from referee.games.empire.rulebook.kinds import ALLOWANCE, BTA, GOODS, KINDS, in_bta
from referee.kit.declared import Plain, Words
from referee.kit.fields import Field, Leads, Said, exact
from referee.kit.refused import Refused

_DOCK_ONLY = ("yacht", "sailboat", "luxury liner")
_AIRPORT_ONLY = ("cargo plane", "C-5A Galaxy")

# ---------------------------------------------------------------- where goods and units go aboard or off


def _check_site(empire: Empire, carrier: Unit, site: str, other: Unit | None = None) -> None:
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


def _check_land(empire: Empire, carrier: Unit, what: str) -> None:
    if empire.board.squares[carrier.at].water:
        raise Refused(f"There is no land in {carrier.at} to put {what} on.", "emp.L1", carrier.at)


def _runs(empire: Empire, seat: Seat, country: str) -> bool:
    found = empire.countries.get(country)
    return found is not None and found.owner == seat


def _first(lots: list[Lot], count: int) -> Iterator[Lot]:
    for lot in lots:
        part = min(count, lot.number)
        if part:
            yield replace(lot, number=part)
        count -= part


# ---------------------------------------------------------------- LOAD


class Load(Deed, frozen=True):
    """Goods or units taken aboard a carrier in the same square."""

    carrier: int
    goods: tuple[Goods, ...] = ()
    units: tuple[int, ...] = ()
    some: tuple[Some, ...] = ()

    words = Words(
        "LOAD",
        "take goods or units of the same square aboard",
        "emp.L1",
        "LOAD 2 St, 5 food ABOARD cargo ship",
        ("EMBARK",),
    )
    plain = Plain("Take aboard", rank=6, most=True)
    fields = (OneUnit("carrier", "ABOARD"), Lading("load", beside_unit("carrier"), ("FROM",), (*CARGO, "plan")))
    says = "Load {load} aboard unit {carrier}."

    @classmethod
    def read(cls, said: Said) -> Self:
        order = cls.made(said)
        if order.carrier in order.units:
            raise Refused("Nothing is loaded aboard itself.", "emp.L1", str(order.carrier))
        return order

    def act(self, stage: Stage, seat: Seat) -> None:
        """Goods first, then units, each in the order named."""
        for goods in self.goods:
            for loaded in self._loaded(stage.state, unit_of(stage.state, seat, self.carrier), seat, goods):
                stage.emit(loaded)
        for number in self.units:
            ship, unit = unit_of(stage.state, seat, self.carrier), unit_of(stage.state, seat, number)
            stage.emit(self._boards(stage.state, ship, unit))

    def _loaded(self, empire: Empire, carrier: Unit, seat: Seat, goods: Goods) -> Iterator[GoodsLoaded]:
        """Goods of the square (at sea: of other ships there), those with most of their 12 BTA left first."""
        if goods.what not in GOODS:
            raise Refused(f"{goods.what} is no kind of goods.", "emp.L1", goods.what)
        site = site_of(empire, carrier)
        here = [lot for lot in empire.lots if lot.what == goods.what and lot.at == carrier.at]
        mine = [lot for lot in here if lot.aboard != carrier.number and _runs(empire, seat, lot.country)]
        free = [lot for lot in mine if (_on_ship(empire, lot, carrier) if site == "sea" else not lot.aboard)]
        lots = sorted(free, key=lambda lot: lot.spent)
        held = sum(lot.number for lot in lots)
        count = goods.quantity.of(held)
        if count > held or held == 0:
            instead = (f"LOAD {held} {goods.what} ABOARD {named(carrier)}",) if held else ()
            raise Refused(f"{carrier.at} has {held or 'no'} {goods.what} to load.", "emp.P22", goods.what, instead)
        if count <= 0:
            raise Refused(f"{count} {goods.what} is nothing to load.", "emp.L1", goods.what)
        _check_site(empire, carrier, site, empire.units.get(lots[0].aboard))
        _check_enemies(empire, carrier, site)
        check_goods(empire, carrier, goods.what, count)
        counts = counts_for(empire, carrier, site, "loaded", count, GOODS[goods.what] * count)
        for lot in _first(lots, count):
            yield GoodsLoaded(carrier.number, carrier.kind, lot, counts)
            counts = ()

    def _boards(self, empire: Empire, ship: Unit, unit: Unit) -> UnitBoarded:
        """A unit of the same square; one aboard something goes over only where both are ships at sea."""
        if unit.at != ship.at:
            there = (f"MOVE {named(ship)} TO {unit.at}",)
            raise Refused(
                f"{named(unit)} is in {unit.at}, {named(ship)} in {ship.at}.", "emp.L1", str(unit.number), there
            )
        if unit.number in (ship.number, root_of(empire, ship).number):
            raise Refused(f"{named(unit)} cannot go aboard itself.", "emp.L1", str(unit.number))
        site = site_of(empire, ship)
        check_canal(empire, unit)
        if unit.aboard == ship.number:
            raise Refused(f"{named(unit)} is aboard {named(ship)} already.", "emp.L1", str(unit.number))
        if unit.aboard and site != "sea":
            other = empire.units[unit.aboard]
            raise Refused(f"{named(unit)} is aboard {named(other)}.", "emp.move.carried", str(unit.number))
        landing = seat_of(KINDS[ship.kind], KINDS[unit.kind]) == "deck"
        if not landing:
            _check_site(empire, ship, site, empire.units.get(unit.aboard))
            _check_enemies(empire, ship, site)
        if flies(unit) and not landing:
            raise Refused(f"{named(unit)} is in the air.", "emp.L1", str(unit.number))
        taken = check_unit(empire, ship, unit)
        pieces, room = (0, 0) if taken in ("deck", "tow") else load_of(empire, unit)
        counts = counts_for(empire, ship, site, "loaded", pieces, room)
        return UnitBoarded(unit.number, unit.kind, unit.country, ship.number, ship.kind, taken == "tow", counts)


def _on_ship(empire: Empire, lot: Lot, carrier: Unit) -> bool:
    other = empire.units.get(lot.aboard)
    return other is not None and root_of(empire, other).number != carrier.number


# ---------------------------------------------------------------- UNLOAD


class _Into(Field[str]):
    """Into the warehouse, where that is said; a city is where goods go of themselves."""

    needed = False

    def read(self, said: Said) -> str:
        return next(("warehouse" for thing in said.after(self.under)[:1] if thing.kind == "storage"), "")

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return (Thing("storage", value),) if value else ()


_WAYS = (Choice("where it is", ""), Choice("into the warehouse", "warehouse"))


class Unload(Deed, frozen=True):
    """Goods or units put off a carrier where it is; `into` "warehouse" or "". Units by kind are those aboard it."""

    carrier: int
    goods: tuple[Goods, ...] = ()
    units: tuple[int, ...] = ()
    into: str = ""
    some: tuple[Some, ...] = ()

    words = Words("UNLOAD", "put goods or units off where the carrier is", "emp.L1", "UNLOAD 2 St FROM cargo ship")
    plain = Plain(rank=7, most=True)
    fields = (
        OneUnit("carrier", "FROM"),
        Lading("load", beside_unit("carrier"), aboard="carrier"),
        _Into("into", ("storage", "city"), "INTO", among=lambda *_: _WAYS),
    )
    says = "Unload {load} from unit {carrier}."

    @property
    def quarters(self) -> int | None:
        return self.carrier

    def act(self, stage: Stage, seat: Seat) -> None:
        """Units first, then goods, each in the order named."""
        for number in self.units:
            ship, unit = unit_of(stage.state, seat, self.carrier), unit_of(stage.state, seat, number)
            stage.emit(self._leaves(stage.state, ship, unit))
        for goods in self.goods:
            for unloaded in self._unloaded(stage.state, unit_of(stage.state, seat, self.carrier), seat, goods):
                stage.emit(unloaded)

    def _leaves(self, empire: Empire, ship: Unit, unit: Unit) -> UnitLeft:
        if unit.aboard != ship.number:
            raise Refused(f"{named(unit)} is not aboard {named(ship)}.", "emp.L1", str(unit.number))
        site, kind = site_of(empire, ship), KINDS[unit.kind]
        _check_site(empire, ship, site)
        if kind.category != "hauled" or unit.kind != "barge":
            _check_land(empire, ship, named(unit))
        inside = self._inside(empire, ship)
        status = "warehouse" if inside == "warehouse" else "city" if inside and kind.category == "land" else ""
        towed = unit.kind in KINDS[ship.kind].hauls or unit.kind in KINDS[ship.kind].tows
        pieces, room = (0, 0) if towed else load_of(empire, unit)
        counts = counts_for(empire, ship, site, "unloaded", pieces, room)
        if status != "warehouse":
            check_stack(empire, unit, ship.at)
        return UnitLeft(unit.number, unit.kind, unit.country, ship.number, ship.kind, ship.at, status, counts)

    def _unloaded(self, empire: Empire, carrier: Unit, seat: Seat, goods: Goods) -> Iterator[GoodsUnloaded]:
        site = site_of(empire, carrier)
        _check_site(empire, carrier, site)
        _check_land(empire, carrier, goods.what)
        inside = self._inside(empire, carrier)
        laden = [lot for lot in goods_aboard(empire, carrier.number) if lot.what == goods.what]
        lots = [lot for lot in laden if _runs(empire, seat, lot.country)]
        held = sum(lot.number for lot in lots)
        count = goods.quantity.of(held)
        if not 0 < count <= held:
            raise Refused(f"{named(carrier)} carries {held or 'no'} {goods.what}.", "emp.P22", goods.what)
        counts = counts_for(empire, carrier, site, "unloaded", count, GOODS[goods.what] * count)
        for lot in _first(lots, count):
            yield GoodsUnloaded(carrier.number, carrier.kind, lot, inside, counts)
            counts = ()

    def _inside(self, empire: Empire, carrier: Unit) -> str:
        """Where it goes: the city of the square by its name, its warehouse, or the open square."""
        city = empire.city_at(carrier.at)
        mine = city is not None and empire.friendly(city.country, carrier.country)
        if self.into and (city is None or not mine or (self.into == "warehouse" and not city.warehouses)):
            raise Refused(f"There is no {self.into} of yours in {carrier.at}.", "emp.C5", self.into)
        if self.into == "warehouse":
            return self.into
        return city.name if city is not None and mine else ""


# ---------------------------------------------------------------- DISEMBARK


class Disembark(Deed, frozen=True):
    """Carried units go ashore by themselves into a neighbouring square. Units by kind are those aboard something."""

    units: tuple[int, ...]
    target: str
    some: tuple[Some, ...] = ()

    words = Words(
        "DISEMBARK",
        "let carried units step ashore into a square next to the carrier",
        "emp.move.carried",
        "DISEMBARK {who} TO c12r7",
    )
    plain = Plain("Step ashore", rank=5, most=True)
    fields = (Group("who", where=("FROM",), aboard=True), Place("target", "TO"))
    says = "Put {who} ashore in {target}."

    @property
    def quarters(self) -> int | None:
        return None

    def act(self, stage: Stage, seat: Seat) -> None:
        """One after the other, at their own rate; what they bring off a ship counts as unloaded (emp.L1)."""
        for number in self.units:
            unit = unit_of(stage.state, seat, number)
            cost = self._cost(stage.state, unit)
            carrier = stage.state.units[unit.aboard]
            site = site_of(stage.state, carrier)
            load = load_of(stage.state, unit)
            counts = counts_for(stage.state, carrier, "shore" if site == "sea" else site, "unloaded", *load)
            if counts:
                at = (carrier.number, carrier.kind, carrier.at)
                stage.emit(UnitLeft(number, unit.kind, unit.country, *at, counts=counts))
            check_debt(stage.state, unit.country, fuel_of_move(stage.state, number, cost))
            status = status_after(stage.state, unit, self.target)
            stage.emit(UnitMoved(number, unit.kind, unit.country, unit.at, (self.target,), cost, status))

    def _cost(self, empire: Empire, unit: Unit) -> int:
        """The cost for a carried land unit to go ashore there."""
        check_square(empire, self.target)
        if not unit.aboard:
            raise Refused(f"{named(unit)} is not aboard anything.", "emp.move.carried", str(unit.number))
        way = empire.board.grid.direction(unit.at, self.target)
        if way is None:
            raise Refused(f"{self.target} is not next to {unit.at}.", "emp.move.bta", self.target)
        carrier = empire.units[unit.aboard]
        if KINDS[unit.kind].category != "land" or KINDS[carrier.kind].category == "air":
            raise Refused(f"{named(unit)} cannot go ashore from {named(carrier)}.", "emp.L1", str(unit.number))
        if carrier.kind in (*_DOCK_ONLY, "life raft") and carrier.status != "dock":
            raise Refused(f"A {carrier.kind} unloads only in a dock.", "emp.L1", carrier.kind)
        border, left = fare(empire, unit, unit.at, way), left_for(empire, unit)
        if border is None:
            raise Refused(f"{named(unit)} cannot go ashore in {self.target}.", "emp.move.barrier", self.target)
        if border.cost > left.bta:
            raise too_dear(left, f"the {border.over}", border.cost, self.target)
        check_stack(empire, unit, self.target)
        return border.cost


# ---------------------------------------------------------------- PUMP


class _Oil(Field[Quantity]):
    def read(self, said: Said) -> Quantity:
        (thing,) = said.order.things
        if thing.name != "O":
            raise Refused(f"Pipelines carry oil, not {thing.name}.", "emp.move.pipeline", thing.name)
        return quantity_of(thing)

    def asked(self, state: Empire, seat: Seat, got: Mapping[str, Any], leads: Leads[Quantity]) -> Asking[Quantity]:
        held = sum(lot.number for lot in state.lots if (lot.what, lot.at) == ("O", got["start"]))
        return exact((yield from how_many("O", lambda many: leads(exact(many)), held)))

    def things(self, value: Quantity, state: Empire) -> tuple[Thing, ...]:
        return (Thing("goods", "O", value),)


def _wells(empire: Empire, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    if any("pipeline" in kinds for kinds in empire.lines.values()):
        yield from map(placed, dict.fromkeys(lot.at for lot in empire.lots if lot.what == "O"))


def _ends(empire: Empire, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    for at, cost in _piped(empire, got["start"], ALLOWANCE).items():
        yield placed(at, f"{in_bta(cost)} BTA")


def _piped(empire: Empire, start: str, limit: int, goal: str = "") -> Mapping[str, int]:
    """The squares that pipelines join with one, and what it costs to get there."""
    ways = ways_of(empire)

    def step(here: str) -> list[tuple[str, int]]:
        return [(there, BTA) for way, there in ways.grid.around(here) if "pipeline" in ways.on(here, way)]

    return spread(step, {start: 0}, limit, goal=goal)[0]


class PumpOil(Deed, frozen=True):
    """Oil through a pipeline from one square to another."""

    start: str
    target: str
    quantity: Quantity

    words = Words(
        "PUMP", "send oil through a pipeline, 1 BTA a border", "emp.move.pipeline", "PUMP 2 O FROM c3r4 TO c5r4"
    )
    plain = Plain("Pump oil")
    fields = (
        Place("start", "FROM", among=_wells),
        Place("target", "TO", among=_ends),
        _Oil("quantity", ("goods",), "", amount, lambda *_: (Choice("1", exact(1)),)),
    )
    says = "Pump {quantity} O from {start} to {target}."

    def act(self, stage: Stage, seat: Seat) -> None:
        """The lots of it, those with most of their 12 BTA left first."""
        empire = stage.state
        for name in (self.start, self.target):
            check_square(empire, name)
        mine = [country.name for country in empire.owned(seat)]
        here = [lot for lot in empire.lots if lot.what == "O" and lot.at == self.start and not lot.aboard]
        lots = sorted((lot for lot in here if lot.country in mine), key=lambda lot: lot.spent)
        held = sum(lot.number for lot in lots)
        count = self.quantity.of(held)
        if not 0 < count <= held:
            rest = (f"PUMP {held} O FROM {self.start} TO {self.target}",) if held else ()
            raise Refused(f"You have {held or 'no'} O lying in {self.start}.", "emp.P22", "O", rest)
        cost = _piped(empire, self.start, 10 * ALLOWANCE, self.target).get(self.target)
        if not cost:
            raise Refused(f"No pipeline leads from {self.start} to {self.target}.", "emp.move.pipeline", self.target)
        city = empire.city_at(self.target)
        for lot in _first(lots, count):
            if lot.spent + cost > ALLOWANCE:
                raise too_dear(Left(ALLOWANCE - lot.spent, f"{lot.number} O"), "the pipeline", cost, "O")
            inside = city.name if city is not None and empire.friendly(city.country, lot.country) else ""
            stage.emit(OilPumped(lot, replace(lot, at=self.target, inside=inside, spent=lot.spent + cost)))
