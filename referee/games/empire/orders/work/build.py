"""BUILD: with a construction machine and a coolie, in their square, or a line ALONG squares (IV B, emp.H-21).

SCRAP, DESTROY and BURN: buildings and cities taken down, units that end, goods destroyed (IV C).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self

from referee.core.choices import Asking, Choice, one, placed
from referee.core.names import Seat
from referee.core.order import Clause, Portion, Quantity, Thing
from referee.core.table import Table
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.deeds.work.cities import new, new_name, standing
from referee.games.empire.deeds.work.lines import can_draw, check_way, draw, trail
from referee.games.empire.deeds.work.scrapping import can_burn, can_destroy, can_scrap, end, ending_unit
from referee.games.empire.deeds.work.works import build, can_build
from referee.games.empire.orders.base import Deed, SlotOrder, granted
from referee.games.empire.orders.fields import PLACE, UNITS, Hand, Name, OneOf, Place, Planned, Way, lots
from referee.games.empire.orders.units import (
    able_hands,
    alike,
    cargo,
    first_of,
    how_many,
    of_seat,
    one_unit,
    place,
    single,
)
from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Goods, Some, who
from referee.games.empire.reckoning.naming import cargo as in_words
from referee.games.empire.reckoning.work import idle, machine_free
from referee.games.empire.rulebook.kinds import GOODS_WORDS, word_for
from referee.games.empire.rulebook.plans import PLANS, Plan, a
from referee.kit.declared import Declared, Words
from referee.kit.fields import Field, Joint, Said, exact
from referee.kit.refused import Refused
from referee.kit.wording import stock_in_words

# ---------------------------------------------------------------- lines


class DrawLine(SlotOrder, frozen=True):
    """Road, railroad, power line, pipeline, canal, bridge, mountain road, along a path."""

    unit: int
    what: str
    path: tuple[str, ...]
    some: tuple[Some, ...] = ()

    words = Words("BUILD", "", "emp.board.lines", "")
    fields = (Planned("what", ("plan",)), Way("path", "ALONG", ", ".join, needed=False), Hand("hand"))
    says = "Build {what} along {path} with {hand}."

    def do(self, table: Table[Empire], seat: Seat) -> None:
        draw(table, seat, self)


def _ways(empire: Empire, seat: Seat, unit: Unit, plan: Plan) -> Iterator[Choice[Position]]:
    """Squares that a line can begin in: those it can go on from, or that it needs alone."""
    came = trail(empire, unit)
    near = dict.fromkeys(there for at in came for _, there in empire.board.grid.around(at))
    for at in dict.fromkeys((*came, *near)):
        if _drawn(empire, seat, unit, plan, (at,)) or any(_further(empire, seat, unit, plan, (at,))):
            yield placed(at)


def _further(
    empire: Empire, seat: Seat, unit: Unit, plan: Plan, path: tuple[Position, ...]
) -> Iterator[Choice[Position]]:
    """The next squares of a line."""
    for _, there in empire.board.grid.around(path[-1]):
        if _drawn(empire, seat, unit, plan, (*path, there)):
            yield placed(there)


def _drawn(empire: Empire, seat: Seat, unit: Unit, plan: Plan, path: tuple[Position, ...]) -> bool:
    on_way = granted(check_way, empire, unit, plan, path)
    return on_way and granted(can_draw, empire, seat, DrawLine(unit.number, plan.name, path))


_THERE = Choice("no further", "", "the line ends there")


def _along(empire: Empire, seat: Seat, unit: Unit, plan: Plan) -> Asking[tuple[Position, ...]]:
    """Ask for a way, square by square, as far as a line can go."""
    path: tuple[Position, ...] = ((yield from one("along", _ways(empire, seat, unit, plan))),)
    while further := tuple(_further(empire, seat, unit, plan, path)):
        ends = (_THERE,) if _drawn(empire, seat, unit, plan, path) else ()
        there = yield from one("and then", (*further, *ends))
        if not there:
            break
        path = (*path, there)
    return path


# ---------------------------------------------------------------- what stands in a square


class Build(SlotOrder, frozen=True):
    """A construction machine with a coolie builds in its square: a factory, dock, airport, warehouse, installation.

    `detail` is the name of a city that is built. In a new city docks, airports and warehouses need no machine (emp.C1).
    """

    unit: int
    what: str
    detail: str = ""
    some: tuple[Some, ...] = ()

    words = Words(
        "BUILD",
        "build with a construction machine and a coolie in their square; lines go ALONG squares",
        "emp.board.construction",
        "BUILD steel mill WITH {who}",
        ("LAY", "DRAW", "CONSTRUCT"),
    )
    fields = (Planned("what", ("plan",), say=a), Hand("hand"), Name("detail", "NAMED"))
    says = "Build {what} with {hand}."
    shapes: ClassVar[tuple[type[Declared[Empire]], ...]] = (DrawLine,)

    @classmethod
    def read(cls, said: Said) -> SlotOrder:
        plan = PLANS[said.order.things[0].name]
        path, name = said.after("ALONG"), said.after("NAMED")
        if plan.sort == "line" and not path:
            raise Refused(f"Say where the {plan.name} goes: ALONG squares.", "emp.board.lines", plan.name)
        if plan.sort != "line" and path:
            words = f"A {plan.name} stands in one square; only lines go ALONG."
            raise Refused(words, "emp.board.construction", plan.name)
        if plan.sort == "city" and not name:
            raise Refused("The city needs a name.", "emp.C1", plan.name, (f"NAMED New {said.seat}",))
        return DrawLine.made(said) if path else cls.made(said)

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[SlotOrder]:
        """Who builds, what, and the name of a city or the way of a line."""
        number = yield from one("who", map(single, _builders(empire, seat)))
        unit = empire.units[number]
        plan = yield from one("what", [_priced(plan) for plan in _plans(empire, seat, unit)])
        if plan.sort == "line":
            return DrawLine(number, plan.name, (yield from _along(empire, seat, unit, plan)))
        if plan.sort != "city":
            return cls(number, plan.name)
        name = new_name(empire, seat)
        return cls(number, plan.name, (yield from one("name", [Choice(name, name, "or any other name")])))

    def do(self, table: Table[Empire], seat: Seat) -> None:
        build(table, seat, self)


def _priced(plan: Plan) -> Choice[Plan]:
    return Choice(plan.name, plan, f"takes {stock_in_words(plan.materials)}")


def _builders(empire: Empire, seat: Seat) -> Iterator[Unit]:
    """Coolies that can build something; those alike are looked at once."""
    seen: dict[tuple[object, ...], bool] = {}
    for unit in of_seat(empire, seat):
        if unit.kind == "coolie" and granted(idle, empire, unit):
            like = (unit.country, unit.at, unit.aboard, empire.trails.get(unit.number, ()))
            if like not in seen:
                seen[like] = any(True for _ in _plans(empire, seat, unit))
            if seen[like]:
                yield unit


def _plans(empire: Empire, seat: Seat, unit: Unit) -> Iterator[Plan]:
    """What a coolie can build where he is, or draw from there."""
    machine = granted(machine_free, empire, unit)
    for plan in PLANS.values() if machine or _by_hand(empire, unit) else ():
        if plan.sort == "line":
            if machine and any(True for _ in _ways(empire, seat, unit, plan)):
                yield plan
        elif granted(can_build, empire, seat, Build(unit.number, plan.name, _name_for(empire, seat, plan))):
            yield plan


def _by_hand(empire: Empire, unit: Unit) -> bool:
    """Whether something may go on where a coolie has no machine: a new city is filled, or a work waits for its hand."""
    city = empire.city_at(unit.at)
    return (city is not None and new(empire, city)) or any(work.at == unit.at for work in empire.works)


def _name_for(empire: Empire, seat: Seat, plan: Plan) -> str:
    return new_name(empire, seat) if plan.sort == "city" else ""


ITSELF = "itself"
"""What a unit destroys that dies, crashes or is scuttled."""


# ---------------------------------------------------------------- SCRAP


class Scrap(Deed, frozen=True):
    """A factory or other building scrapped over turn end, with a construction machine (IV C)."""

    unit: int
    what: str
    some: tuple[Some, ...] = ()

    words = Words(
        "SCRAP",
        "scrap a building over the end of the turn with a construction machine; half of what went in returns",
        "emp.board.scrapping",
        "SCRAP steel mill WITH {who}",
    )
    fields = (Planned("what", ("plan",)), Hand("hand"))
    says = "Scrap {what} with {hand}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Who does it, and which building of his square goes."""
        who = able_hands(empire, seat, lambda unit: any(True for _ in _to_scrap(empire, seat, unit)))
        unit = yield from one("who", who)
        return cls(unit, (yield from one("what", _to_scrap(empire, seat, empire.units[unit]))))

    def act(self, stage: Stage, seat: Seat) -> None:
        stage.emit(can_scrap(stage.state, seat, self.unit, self.what))


def _to_scrap(empire: Empire, seat: Seat, unit: Unit) -> Iterator[Choice[str]]:
    for what in dict.fromkeys(standing(empire, unit.at)):
        if granted(can_scrap, empire, seat, unit.number, what):
            yield Choice(what, what, "", unit.at)


# ---------------------------------------------------------------- DESTROY


class _Doom(Joint):
    """A building or city and the coolie who destroys it, or a unit that ends itself."""

    joins = ("what", "unit", "some")
    by, self_named = Hand("hand"), OneOf("unit")

    def __init__(self) -> None:
        super().__init__("doom", ("plan", *UNITS), "", _said)

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {"WITH": UNITS, "IN": PLACE, "AT": PLACE}

    def read(self, said: Said) -> tuple[Any, ...]:
        (thing,) = said.order.things
        if thing.kind == "plan":
            return (thing.name, *self.by.read(said))
        at = place(said.state, said.order, "IN", "AT")
        if thing.kind == "unit" and at:
            return ITSELF, 0, cargo(said.state, said.seat, said.order.things, at).some
        return ITSELF, one_unit(said.state, said.seat, said.order.things, said.order.verb), ()

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        what, unit, some = value
        if what == ITSELF:
            yield from self.self_named.clauses((unit, some), state)
        else:
            yield Clause("", (Thing("plan", what),))
            yield from self.by.clauses((unit, some), state)


def _said(value: tuple[Any, ...]) -> str:
    what, unit, some = value
    return f"Kill, crash or scuttle {who(unit, some)}" if what == ITSELF else f"Destroy {what} with {who(unit, some)}"


class Destroy(Deed, frozen=True):
    """A building or city destroyed by a coolie, one a turn; with `what` "itself" the unit dies, crashes or scuttles."""

    what: str
    unit: int = 0
    some: tuple[Some, ...] = ()

    words = Words(
        "DESTROY",
        "destroy a building or city with a coolie, or let a unit die, crash or sink",
        "emp.board.destruction",
        "DESTROY steel mill WITH {who}",
        ("KILL", "SCUTTLE", "CRASH"),
    )
    fields = (_Doom(),)
    says = "{doom}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Who, and a building of his square, or himself."""
        unit = yield from one("who", _destroyers(empire, seat))
        what = yield from one("what", _to_destroy(empire, seat, empire.units[unit]))
        return cls(what, unit)

    def act(self, stage: Stage, seat: Seat) -> None:
        if self.what == ITSELF:
            end(stage, seat, self.unit)
        else:
            stage.emit(can_destroy(stage.state, seat, self.unit, self.what))


def _destroyers(empire: Empire, seat: Seat) -> Iterator[Choice[int]]:
    yield from able_hands(empire, seat, lambda unit: any(True for _ in _to_destroy(empire, seat, unit)))
    for same in alike(empire, (unit for unit in of_seat(empire, seat) if unit.kind != "coolie")):
        if granted(ending_unit, empire, seat, same[0].number):
            yield first_of(same)


def _to_destroy(empire: Empire, seat: Seat, unit: Unit) -> Iterator[Choice[str]]:
    there: Iterable[str] = dict.fromkeys((*standing(empire, unit.at), "city")) if unit.kind == "coolie" else ()
    for what in there:
        if granted(can_destroy, empire, seat, unit.number, what):
            yield Choice(what, what, "", unit.at)
    if granted(ending_unit, empire, seat, unit.number):
        yield Choice(ITSELF, ITSELF, "it dies, crashes or is scuttled", unit.at)


# ---------------------------------------------------------------- BURN


class _Goods(Field[tuple[Goods, ...]]):
    """So much of kinds of goods; all of it where no number is said."""

    most = None

    def read(self, said: Said) -> tuple[Goods, ...]:
        every = Quantity(Portion.ALL)
        return tuple(Goods(GOODS_WORDS[thing.name], thing.quantity or every) for thing in said.order.things)

    def things(self, value: tuple[Goods, ...], state: Empire) -> tuple[Thing, ...]:
        return lots(value)


class Burn(Deed, frozen=True):
    """Goods burnt, consumed or thrown into water."""

    goods: tuple[Goods, ...]
    at: str

    words = Words(
        "BURN",
        "burn, use up or throw into water goods that lie in a square",
        "emp.board.destruction",
        "BURN 2 X IN c12r7",
        ("DUMP", "THROW AWAY"),
    )
    fields = (_Goods("goods", ("goods",), "", lambda goods: in_words(goods, ())), Place("at", "IN", "AT", needed=False))
    says = "Burn, use up or throw away {goods} in {at}."

    @classmethod
    def read(cls, said: Said) -> Self:
        order = cls.made(said)
        if not order.at:
            raise Refused("Say where: BURN ... IN c12r7.", "emp.board.destruction", said.order.things[0].name)
        return order

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """A square with somebody to do it, what lies there, and how much of it."""
        at = yield from one("where", _pyres(empire, seat))
        what = yield from one("what", _to_burn(empire, seat, at))
        held = sum(lot.number for lot in empire.lots if (lot.what, lot.at) == (what, at))
        many = yield from how_many(what, lambda number: _burns(empire, seat, what, number, at), held)
        return cls((Goods(what, exact(many)),), at)

    def act(self, stage: Stage, seat: Seat) -> None:
        for goods in self.goods:
            stage.emit(can_burn(stage.state, seat, goods, self.at))


def _pyres(empire: Empire, seat: Seat) -> Iterator[Choice[Position]]:
    for at in dict.fromkeys(unit.at for unit in of_seat(empire, seat) if unit.kind in ("coolie", "SAC")):
        if any(True for _ in _to_burn(empire, seat, at)):
            yield placed(at)


def _to_burn(empire: Empire, seat: Seat, at: Position) -> Iterator[Choice[str]]:
    for what in dict.fromkeys(lot.what for lot in empire.lots if lot.at == at):
        if _burns(empire, seat, what, 1, at):
            yield Choice(word_for(what), what, "", at)


def _burns(empire: Empire, seat: Seat, what: str, number: int, at: Position) -> bool:
    return granted(can_burn, empire, seat, Goods(what, exact(number)), at)
