"""MOVE: units go where they are told, by the cheapest way or through the squares named (II.A, emp.H-11); ROLL WIND before it.

TOW and CAST OFF: barges behind cargo ships, rolling stock behind locomotives, sailplanes behind planes (II.A, II.B).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Self

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, alone, one, placed
from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.debts import check_debt
from referee.games.empire.deeds.movement.moving import (
    check_calm,
    check_moves,
    do_cast_off,
    do_move,
    do_tow,
    do_wind,
)
from referee.games.empire.deeds.rehearsal import Rehearsal, Stage
from referee.games.empire.deeds.war.air import do_flight
from referee.games.empire.deeds.war.foreseeing import foresee_move
from referee.games.empire.orders.base import Deed, SlotOrder, granted
from referee.games.empire.orders.fields import Group, OneUnit, Place, Way, beside_unit
from referee.games.empire.orders.units import alike, carriers, group, how_many, of_seat
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.fuel import fuel_of_move
from referee.games.empire.reckoning.movement.routes import left_for, near_for, reach_for
from referee.games.empire.reckoning.naming import Some
from referee.games.empire.reckoning.war.zones import check_stack
from referee.games.empire.rulebook.kinds import ALLOWANCE, KINDS, in_bta
from referee.kit.declared import Words
from referee.kit.fields import Said


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
        target = yield from one("target", _targets(empire, unit, reach_for(empire, unit, left_for(empire, unit).bta)))
        many = yield from how_many("units", lambda many: _go_there(empire, seat, who[:many], target), len(who))
        return cls(who[:many], target)

    def only(self, units: tuple[int, ...]) -> Self:
        """The same by these units alone."""
        return replace(self, units=units)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        do_flight(table, seat, self)

    def foresee(self, table: Table[Empire], seat: Seat) -> tuple[str, ...]:
        return foresee_move(table, seat, self)


class RollWind(SlotOrder, frozen=True):
    """The die of the wind, before sailboats and sailplanes move."""

    words = Words(
        "ROLL WIND",
        "roll the die of the wind before sailboats, sailplanes and balloons move",
        "emp.move.wind",
        "ROLL WIND",
        ("WIND", "ROLL FOR WIND", "ROLL THE WIND"),
    )
    fields = ()
    says = "Roll for the wind."

    @classmethod
    def read(cls, said: Said) -> Self:
        if said.state.active == said.seat:
            check_calm(said.state)
        return cls()

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Once a slot."""
        return alone(cls(), granted(check_calm, empire))

    @classmethod
    def proposed(cls, empire: Empire, seat: Seat) -> Iterable[Self]:
        return (cls() for _ in ("once",) if not empire.wind and any(KINDS[u.kind].wind for u in of_seat(empire, seat)))

    def do(self, table: Table[Empire], seat: Seat) -> None:
        do_wind(table)

    def foresee(self, table: Table[Empire], seat: Seat) -> tuple[str, ...]:
        """Nobody knows where it will blow."""
        return ()


# ---------------------------------------------------------------- what is lawful now


def _movers(empire: Empire, seat: Seat) -> Iterator[Choice[tuple[int, ...]]]:
    """Units alike that can go somewhere, as one choice."""
    laden = carriers(empire)
    for same in alike(empire, of_seat(empire, seat)):
        unit = same[0]
        if granted(check_moves, empire, unit):
            left = left_for(empire, unit).bta if unit.number in laden else ALLOWANCE - unit.spent
            if _goes_anywhere(empire, unit, left):
                yield group(same, f", {in_bta(left)} BTA left")


def _goes_anywhere(empire: Empire, unit: Unit, left: int) -> bool:
    return any(True for squares in (near_for, reach_for) for _ in _targets(empire, unit, squares(empire, unit, left)))


def _targets(empire: Empire, unit: Unit, squares: Mapping[str, int]) -> Iterator[Choice[str]]:
    """Those of the squares within what it has left that it may go to, with what the way costs."""
    for at, cost in squares.items():
        fuel = fuel_of_move(empire, unit.number, cost)
        if at != unit.at and granted(check_stack, empire, unit, at) and granted(check_debt, empire, unit.country, fuel):
            yield placed(at, f"{in_bta(cost)} BTA")


def _go_there(empire: Empire, seat: Seat, who: tuple[int, ...], target: str) -> bool:
    return granted(do_move, Rehearsal(empire), seat, MoveUnits(who, target))


class Tow(Deed, frozen=True):
    """Barges, rolling stock or a sailplane taken in tow; of a kind those that are where the carrier is."""

    carrier: int
    units: tuple[int, ...] = ()
    some: tuple[Some, ...] = ()

    words = Words(
        "TOW", "take barges, rolling stock or a sailplane in tow", "emp.move.hauled", "TOW 1 barge BEHIND cargo ship"
    )
    fields = (OneUnit("carrier", "BEHIND", "WITH"), Group("tail", where=(), at=beside_unit("carrier")))
    says = "Unit {carrier} tows {tail}."

    def act(self, stage: Stage, seat: Seat) -> None:
        do_tow(stage, seat, self.carrier, self.units)


class CastOff(Deed, frozen=True):
    """All that a unit has in tow let go."""

    carrier: int

    words = Words("CAST OFF", "let everything in tow go", "emp.move.hauled", "CAST OFF cargo ship")
    fields = (OneUnit("carrier"),)
    says = "Unit {carrier} tows nothing."

    def act(self, stage: Stage, seat: Seat) -> None:
        do_cast_off(stage, seat, self.carrier)
