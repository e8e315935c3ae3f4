"""MOVE: units go where they are told, by the cheapest way or through the squares named (II.A, emp.H-11); ROLL WIND before it.

TOW and CAST OFF: barges behind cargo ships, rolling stock behind locomotives, sailplanes behind planes (II.A, II.B).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Self

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, one, placed
from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.debts import check_debt
from referee.games.empire.deeds.movement.moving import check_moves, do_move
from referee.games.empire.deeds.rehearsal import Rehearsal, Stage
from referee.games.empire.deeds.war.air import do_flight, foresee_flight
from referee.games.empire.events.cargo import UnitBoarded, UnitLeft
from referee.games.empire.events.moving import WindRolled
from referee.games.empire.orders.base import Deed, SlotOrder, granted
from referee.games.empire.orders.fields import Group, OneUnit, Place, Way, beside_unit
from referee.games.empire.orders.units import carriers, group, how_many, of_seat, ranks
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.fuel import fuel_of_move
from referee.games.empire.reckoning.movement.carrying import aboard, berths, check_unit
from referee.games.empire.reckoning.movement.routes import left_for, near_for, reach_for
from referee.games.empire.reckoning.naming import Some
from referee.games.empire.reckoning.ownership import flies, named, unit_of
from referee.games.empire.reckoning.war.zones import check_stack
from referee.games.empire.rulebook.kinds import ALLOWANCE, KINDS, in_bta
from referee.games.empire.rulebook.plans import a
from referee.kit.declared import Words
from referee.kit.fields import Said
from referee.kit.hexes import DIRECTIONS
from referee.kit.refused import Refused
from referee.kit.wording import capital


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
        """Units alike, a square that they reach, and how many of them go.

        Written by hand, for one search finds all squares; the deed would seek the way to each.
        """
        who = yield from one("who", _movers(empire, seat))
        unit = empire.units[who[0]]
        target = yield from one("target", _targets(empire, unit, reach_for(empire, unit, left_for(empire, unit).bta)))
        many = yield from how_many("units", lambda many: cls(who[:many], target).lawful(empire, seat), len(who))
        return cls(who[:many], target)

    def lawful(self, empire: Empire, seat: Seat) -> bool:
        return granted(do_move, Rehearsal(empire), seat, self)

    def only(self, units: tuple[int, ...]) -> Self:
        """The same by these units alone."""
        return replace(self, units=units)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        do_flight(table, seat, self)

    def foresee(self, table: Table[Empire], seat: Seat) -> tuple[str, ...]:
        return foresee_flight(table, seat, self)


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
        order = cls()
        if said.state.active == said.seat:
            order.check_calm(said.state)
        return order

    def lawful(self, empire: Empire, seat: Seat) -> bool:
        return granted(self.check_calm, empire)

    def check_calm(self, empire: Empire) -> None:
        """Refuse a second wind in a slot."""
        if empire.wind:
            raise Refused(f"The wind is rolled already: it blows towards {empire.wind}.", "emp.move.wind")

    @classmethod
    def proposed(cls, empire: Empire, seat: Seat) -> Iterable[Self]:
        wanted = any(KINDS[unit.kind].wind for unit in of_seat(empire, seat))
        return (cls(),) if wanted and cls().lawful(empire, seat) else ()

    def do(self, table: Table[Empire], seat: Seat) -> None:
        """1 to 6 are N, E, Q, S, W, P."""
        self.check_calm(table.state)
        (face,) = table.roll(1, 6, "The wind", "emp.move.wind")
        table.emit(WindRolled(DIRECTIONS[face - 1]))

    def foresee(self, table: Table[Empire], seat: Seat) -> tuple[str, ...]:
        """Nobody knows where it will blow."""
        return ()


# ---------------------------------------------------------------- what is lawful now


def _movers(empire: Empire, seat: Seat) -> Iterator[Choice[tuple[int, ...]]]:
    """Units alike that can go somewhere, as one choice."""
    laden = carriers(empire)
    for same in ranks(empire, seat):
        unit = same[0]
        if granted(check_moves, empire, unit):
            left = left_for(empire, unit).bta if unit.number in laden else ALLOWANCE - unit.spent
            near = (squares(empire, unit, left) for squares in (near_for, reach_for))
            if any(True for squares in near for _ in _targets(empire, unit, squares)):
                yield group(same, f", {in_bta(left)} BTA left")


def _targets(empire: Empire, unit: Unit, squares: Mapping[str, int]) -> Iterator[Choice[str]]:
    """Those of the squares within what it has left that it may go to, with what the way costs."""
    for at, cost in squares.items():
        fuel = fuel_of_move(empire, unit.number, cost)
        if at != unit.at and granted(check_stack, empire, unit, at) and granted(check_debt, empire, unit.country, fuel):
            yield placed(at, f"{in_bta(cost)} BTA")


def pulled(unit: Unit) -> tuple[str, ...]:
    """The kinds of unit that it takes in tow."""
    return (*KINDS[unit.kind].tows, *KINDS[unit.kind].hauls)


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
        """One after the other; a sailplane is towed up from an airport by a plane on its ground."""
        for number in self.units:
            empire, rule = stage.state, "emp.move.tow"
            carrier, unit = unit_of(empire, seat, self.carrier), unit_of(empire, seat, number)
            if unit.kind not in pulled(carrier):
                raise Refused(f"{capital(a(carrier.kind))} does not tow {a(unit.kind)}.", rule, unit.kind)
            if unit.at != carrier.at:
                raise Refused(f"{named(unit)} is in {unit.at}, {named(carrier)} in {carrier.at}.", rule, unit.at)
            if unit.aboard:
                raise Refused(f"{named(unit)} is aboard {named(empire.units[unit.aboard])}.", rule, str(number))
            field = berths(empire, "airport", carrier.at, carrier.country)
            if unit.kind == "sailplane" and (flies(carrier) or flies(unit) or not field):
                words = f"{named(carrier)} takes {named(unit)} in tow only on the ground of an airport."
                raise Refused(words, "emp.move.sailplane", carrier.at)
            check_unit(empire, carrier, unit)
            stage.emit(UnitBoarded(number, unit.kind, unit.country, carrier.number, carrier.kind, tow=True))


class CastOff(Deed, frozen=True):
    """All that a unit has in tow let go; a sailplane then flies by itself."""

    carrier: int

    words = Words("CAST OFF", "let everything in tow go", "emp.move.hauled", "CAST OFF cargo ship")
    fields = (OneUnit("carrier"),)
    says = "Unit {carrier} tows nothing."

    def act(self, stage: Stage, seat: Seat) -> None:
        carrier = unit_of(stage.state, seat, self.carrier)
        towed = [unit for unit in aboard(stage.state, carrier.number) if unit.kind in pulled(carrier)]
        if not towed:
            raise Refused(f"{named(carrier)} has nothing in tow.", "emp.move.tow", str(carrier.number))
        for unit in towed:
            status = "air" if flies(carrier) else carrier.status if unit.kind == "barge" else ""
            at = (carrier.number, carrier.kind, carrier.at)
            stage.emit(UnitLeft(unit.number, unit.kind, unit.country, *at, status))
