"""LOAD, UNLOAD, DISEMBARK: goods and units aboard a carrier, off it, and from its deck into the next square (emp.L1, II.A).

PUMP: oil through a pipeline, 1 BTA a border (II.B).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Self

from referee.core.choices import Asking, Choice, one, placed
from referee.core.names import Seat
from referee.core.order import Quantity, Thing
from referee.games.empire.deeds.movement.loading import (
    do_load,
    do_pump,
    do_unload,
    piped,
    plan_boarding,
    plan_leaving,
    plan_loading,
    plan_pumping,
    plan_unloading,
)
from referee.games.empire.deeds.movement.moving import do_disembark, plan_disembark
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.orders.base import Deed, granted
from referee.games.empire.orders.fields import CARGO, Group, Lading, OneUnit, Place, beside_unit
from referee.games.empire.orders.units import alike, carriers, first_of, group, how_many, of_seat, quantity_of, single
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.carrying import aboard, fits, goods_aboard, seat_of
from referee.games.empire.reckoning.naming import Goods, Some, amount
from referee.games.empire.rulebook.kinds import ALLOWANCE, KINDS, in_bta, word_for
from referee.kit.declared import Words
from referee.kit.fields import Field, Said, exact
from referee.kit.refused import Refused

_Parts = tuple[tuple[Goods, ...], tuple[int, ...]]
"""Goods and units by number."""


# ---------------------------------------------------------------- what is lawful of goods and units alike


def _amount(what: str | tuple[int, ...], many: int) -> _Parts:
    """So much of a kind of goods, or so many of units alike."""
    return ((Goods(what, exact(many)),), ()) if isinstance(what, str) else ((), what[:many])


def _how_much(what: str | tuple[int, ...], lots: int, lawful: Callable[..., bool]) -> Asking[_Parts]:
    """Ask how much of it, as far as room, stock and what a turn allows reach."""
    noun, most = (what, lots) if isinstance(what, str) else ("units", len(what))
    many = yield from how_many(noun, lambda number: lawful(*_amount(what, number)), most)
    return _amount(what, many)


def _goods(empire: Empire, at: str, what: str, held: int) -> Choice[str]:
    return Choice(word_for(what), what, f"{held} in {at}", at)


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
    fields = (OneUnit("carrier", "ABOARD"), Lading("load", beside_unit("carrier"), ("FROM",), (*CARGO, "plan")))
    says = "Load {load} aboard unit {carrier}."

    @classmethod
    def read(cls, said: Said) -> Self:
        order = cls.made(said)
        if order.carrier in order.units:
            raise Refused("Nothing is loaded aboard itself.", "emp.L1", str(order.carrier))
        return order

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """A carrier, what lies or stands where it is and may go aboard, and how much of it."""
        carrier = empire.units[(yield from one("carrier", _loaders(empire, seat)))]
        held = _stocks(empire).get(carrier.at, {})
        what = yield from one("what", _to_load(empire, seat, carrier, held))
        parts = yield from _how_much(
            what, held.get(str(what), 0), lambda *parts: cls(carrier.number, *parts).lawful(empire, seat)
        )
        return cls(carrier.number, *parts)

    def act(self, stage: Stage, seat: Seat) -> None:
        do_load(stage, seat, self.carrier, self.goods, self.units)


def _loaders(empire: Empire, seat: Seat) -> Iterator[Choice[int]]:
    """Carriers that can take something; of those alike the first stands for all."""
    stocks = _stocks(empire)
    for same in alike(empire, of_seat(empire, seat)):
        if any(True for _ in _to_load(empire, seat, same[0], stocks.get(same[0].at, {}))):
            yield first_of(same)


def _to_load(
    empire: Empire, seat: Seat, carrier: Unit, stock: Mapping[str, int]
) -> Iterator[Choice[str | tuple[int, ...]]]:
    kind = KINDS[carrier.kind]
    for what, held in stock.items():
        if fits(kind, what) and granted(plan_loading, empire, seat, carrier.number, Goods(what, exact(1))):
            yield _goods(empire, carrier.at, what, held)
    there = (unit for unit in of_seat(empire, seat) if unit.at == carrier.at)
    fitting = [unit for unit in there if seat_of(kind, KINDS[unit.kind])]
    for same in alike(empire, fitting):
        if granted(plan_boarding, empire, seat, carrier.number, same[0].number):
            yield group(same)


def _stocks(empire: Empire) -> dict[str, dict[str, int]]:
    """All goods by square, whoever has them: the plan knows which of them may be taken."""
    stocks: dict[str, dict[str, int]] = {}
    for lot in empire.lots:
        held = stocks.setdefault(lot.at, {})
        held[lot.what] = held.get(lot.what, 0) + lot.number
    return stocks


# ---------------------------------------------------------------- UNLOAD


class _Into(Field[str]):
    """Into the warehouse, where that is said; a city is where goods go of themselves."""

    needed = False

    def read(self, said: Said) -> str:
        return next(("warehouse" for thing in said.after(self.under)[:1] if thing.kind == "storage"), "")

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return (Thing("storage", value),) if value else ()


class Unload(Deed, frozen=True):
    """Goods or units put off a carrier where it is; `into` "warehouse" or "". Units by kind are those aboard it."""

    carrier: int
    goods: tuple[Goods, ...] = ()
    units: tuple[int, ...] = ()
    into: str = ""
    some: tuple[Some, ...] = ()

    words = Words("UNLOAD", "put goods or units off where the carrier is", "emp.L1", "UNLOAD 2 St FROM cargo ship")
    fields = (
        OneUnit("carrier", "FROM"),
        Lading("load", beside_unit("carrier")),
        _Into("into", ("storage", "city"), "INTO"),
    )
    says = "Unload {load} from unit {carrier}."

    @property
    def quarters(self) -> int | None:
        return self.carrier

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """A carrier, what it may put off, how much, and whether into a warehouse."""
        carrier = empire.units[(yield from one("carrier", _unloaders(empire, seat)))]
        what = yield from one("what", _to_unload(empire, seat, carrier))
        held = sum(lot.number for lot in goods_aboard(empire, carrier.number) if lot.what == what)
        parts = yield from _how_much(what, held, lambda *parts: cls(carrier.number, *parts).lawful(empire, seat))
        stored = cls(carrier.number, *parts, "warehouse")
        if not stored.lawful(empire, seat):
            return cls(carrier.number, *parts)
        ways = (Choice("where it is", ""), Choice("into the warehouse", "warehouse"))
        return cls(carrier.number, *parts, (yield from one("into", ways)))

    def act(self, stage: Stage, seat: Seat) -> None:
        do_unload(stage, seat, self.carrier, self.goods, self.units, self.into)


def _unloaders(empire: Empire, seat: Seat) -> Iterator[Choice[int]]:
    laden = carriers(empire)
    for unit in of_seat(empire, seat):
        if unit.number in laden and any(True for _ in _to_unload(empire, seat, unit)):
            yield single(unit)


def _to_unload(empire: Empire, seat: Seat, carrier: Unit) -> Iterator[Choice[str | tuple[int, ...]]]:
    held: dict[str, int] = {}
    for lot in goods_aboard(empire, carrier.number):
        held[lot.what] = held.get(lot.what, 0) + lot.number
    for what, number in held.items():
        if granted(plan_unloading, empire, seat, carrier.number, Goods(what, exact(1)), ""):
            yield _goods(empire, carrier.at, what, number)
    for same in alike(empire, aboard(empire, carrier.number)):
        if granted(plan_leaving, empire, seat, carrier.number, same[0].number):
            yield group(same)


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
    fields = (Group("who", where=("FROM",)), Place("target", "TO"))
    says = "Put {who} ashore in {target}."

    @property
    def quarters(self) -> int | None:
        return None

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Units alike that somebody carries, a square beside, and how many go ashore there."""
        who = yield from one("who", _landing(empire, seat))
        target = yield from one("target", _shores(empire, seat, empire.units[who[0]]))
        many = yield from how_many("units", lambda many: cls(who[:many], target).lawful(empire, seat), len(who))
        return cls(who[:many], target)

    def act(self, stage: Stage, seat: Seat) -> None:
        do_disembark(stage, seat, self.units, self.target)


def _landing(empire: Empire, seat: Seat) -> Iterator[Choice[tuple[int, ...]]]:
    for same in alike(empire, (unit for unit in of_seat(empire, seat) if unit.aboard)):
        if any(True for _ in _shores(empire, seat, same[0])):
            yield group(same)


def _shores(empire: Empire, seat: Seat, unit: Unit) -> Iterator[Choice[str]]:
    for _, at in empire.board.grid.around(unit.at):
        if granted(plan_disembark, empire, seat, unit.number, at) and Disembark((unit.number,), at).lawful(
            empire, seat
        ):
            yield placed(at)


class _Oil(Field[Quantity]):
    def read(self, said: Said) -> Quantity:
        (thing,) = said.order.things
        if thing.name != "O":
            raise Refused(f"Pipelines carry oil, not {thing.name}.", "emp.move.pipeline", thing.name)
        return quantity_of(thing)

    def things(self, value: Quantity, state: Empire) -> tuple[Thing, ...]:
        return (Thing("goods", "O", value),)


class PumpOil(Deed, frozen=True):
    """Oil through a pipeline from one square to another."""

    start: str
    target: str
    quantity: Quantity

    words = Words(
        "PUMP", "send oil through a pipeline, 1 BTA a border", "emp.move.pipeline", "PUMP 2 O FROM c3r4 TO c5r4"
    )
    fields = (_Oil("quantity", ("goods",), "", amount), Place("start", "FROM"), Place("target", "TO"))
    says = "Pump {quantity} O from {start} to {target}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """A square with oil, one that pipelines lead to from there, and how much goes."""
        start = yield from one("start", _springs(empire, seat))
        target = yield from one("target", _ends(empire, seat, start))
        held = sum(lot.number for lot in empire.lots if (lot.what, lot.at) == ("O", start))
        many = yield from how_many("O", lambda many: cls(start, target, exact(many)).lawful(empire, seat), held)
        return cls(start, target, exact(many))

    def act(self, stage: Stage, seat: Seat) -> None:
        do_pump(stage, seat, self.start, self.target, self.quantity)


def _springs(empire: Empire, seat: Seat) -> Iterator[Choice[str]]:
    if any("pipeline" in kinds for kinds in empire.lines.values()):
        for at in dict.fromkeys(lot.at for lot in empire.lots if lot.what == "O" and not lot.aboard):
            if any(True for _ in _ends(empire, seat, at)):
                yield placed(at)


def _ends(empire: Empire, seat: Seat, start: str) -> Iterator[Choice[str]]:
    for at, cost in piped(empire, start, ALLOWANCE).items():
        if at != start and granted(plan_pumping, empire, seat, start, at, exact(1)):
            yield placed(at, f"{in_bta(cost)} BTA")
