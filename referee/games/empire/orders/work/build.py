"""BUILD: with a construction machine and a coolie, in their square, or a line ALONG squares (IV B, emp.H-21).

SCRAP, DESTROY and BURN: buildings and cities taken down, units that end, goods destroyed (IV C).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from referee.core.choices import Asking, Choice, one, placed
from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.work.cities import new, new_name
from referee.games.empire.deeds.work.lines import can_draw, check_way, draw, trail
from referee.games.empire.deeds.work.works import build, can_build
from referee.games.empire.orders.base import SlotOrder, granted
from referee.games.empire.orders.fields import Hand, Name, Planned, Way
from referee.games.empire.orders.units import (
    of_seat,
    single,
)
from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Some
from referee.games.empire.reckoning.work import idle, machine_free
from referee.games.empire.rulebook.plans import PLANS, Plan, a
from referee.kit.declared import Declared, Words
from referee.kit.fields import Said
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
