"""MOVE: units go where they are told, by the cheapest way or through the squares named (II.A, H-11); planes may be met."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Self

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, number, one
from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.fuel import fuel_of_move
from referee.games.empire.kinds import in_bta, so_many
from referee.games.empire.orders.base import SlotOrder, granted
from referee.games.empire.orders.fields import Group, Place, Way
from referee.games.empire.orders.forces import of_seat
from referee.games.empire.ownership import named
from referee.games.empire.pieces import Unit
from referee.games.empire.portions import Some
from referee.games.empire.routes import left_for, near_for, reach_for
from referee.games.empire.state import Empire
from referee.games.empire.steps.air import do_flight
from referee.games.empire.steps.debts import check_debt
from referee.games.empire.steps.foreseeing import foresee_move
from referee.games.empire.steps.moving import check_moves, do_move
from referee.games.empire.steps.rehearsal import Rehearsal
from referee.games.empire.steps.stacking import check_stack
from referee.kit.declared import Words

__all__ = ["MoveUnits"]


def _through(via: tuple[str, ...]) -> str:
    return f" through {', '.join(via)}" if via else ""


class MoveUnits(SlotOrder, frozen=True):
    """Units, by number or so many of a kind in a square, go to a square, through `via` where named."""

    units: tuple[int, ...]
    target: str
    via: tuple[str, ...] = ()
    some: tuple[Some, ...] = ()

    words = Words(
        "MOVE",
        "move units, by number or so many of a kind in a square, by the cheapest way or through the squares of VIA",
        "emp.move.bta",
        "MOVE {who} TO c12r7",
        ("SAIL", "FLY", "MARCH"),
    )
    fields = (Group("who", where=("FROM",)), Place("target", "TO"), Way("via", "VIA", _through, needed=False))
    says = "Move {who} to {target}{via}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Units alike, a square that they reach, and how many of them go."""
        who = yield from one("who", _movers(empire, seat))
        unit = empire.units[who[0]]
        target = yield from one("target", _targets(empire, unit, reach_for(empire, unit)))
        most = _most_that(lambda many: _go_there(empire, seat, who[:many], target), len(who))
        return cls(who[: (yield from number("how many", "units", 1, most))], target)

    def only(self, units: tuple[int, ...]) -> Self:
        """The same by these units alone."""
        return replace(self, units=units)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        do_flight(table, seat, self)

    def foresee(self, table: Table[Empire], seat: Seat) -> tuple[str, ...]:
        return foresee_move(table, seat, self)


# ---------------------------------------------------------------- what is lawful now


def _movers(empire: Empire, seat: Seat) -> Iterator[Choice[tuple[int, ...]]]:
    """Units alike that can go somewhere, as one choice."""
    for alike in _alike(empire, seat):
        unit = alike[0]
        if granted(check_moves, empire, unit) and _goes_anywhere(empire, unit):
            left = f"{so_many(len(alike), unit.kind)} in {unit.at}, {in_bta(left_for(empire, unit).bta)} BTA left"
            yield Choice(named(unit), tuple(other.number for other in alike), left, unit.at)


def _goes_anywhere(empire: Empire, unit: Unit) -> bool:
    return any(True for squares in (near_for, reach_for) for _ in _targets(empire, unit, squares(empire, unit)))


def _alike(empire: Empire, seat: Seat) -> list[list[Unit]]:
    """Units that differ in nothing but their number; who carries something is alike to nobody."""
    laden = {unit.aboard for unit in empire.units.values()} | {lot.aboard for lot in empire.lots}
    same: dict[object, list[Unit]] = {}
    for unit in of_seat(empire, seat):
        own = unit.number if unit.number in laden else 0
        like = (unit.kind, unit.country, unit.at, unit.aboard, unit.status, unit.spent, unit.parts, own)
        same.setdefault(like, []).append(unit)
    return list(same.values())


def _targets(empire: Empire, unit: Unit, squares: Mapping[str, int]) -> Iterator[Choice[str]]:
    """Those of the squares within what it has left that it may go to, with what the way costs."""
    for at, cost in squares.items():
        fuel = fuel_of_move(empire, unit.number, cost)
        if at != unit.at and granted(check_stack, empire, unit, at) and granted(check_debt, empire, unit.country, fuel):
            yield Choice(at, at, f"{in_bta(cost)} BTA", at)


def _go_there(empire: Empire, seat: Seat, who: tuple[int, ...], target: str) -> bool:
    return granted(do_move, Rehearsal(empire), seat, MoveUnits(who, target))


def _most_that(fits: Callable[[int], bool], most: int) -> int:
    """The greatest number up to `most` that fits, where whatever is less fits too; 0 when 1 does not."""
    if fits(most):
        return most
    least, beyond = 0, most
    while beyond - least > 1:
        middle = (least + beyond) // 2
        least, beyond = (middle, beyond) if fits(middle) else (least, middle)
    return least
