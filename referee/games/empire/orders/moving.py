"""MOVE, TOW, and units that change how they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Self

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, one, placed
from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds import Rehearsal, Stage
from referee.games.empire.deeds.air_and_sea import do_flight, foresee_flight
from referee.games.empire.deeds.debts_and_petitions import check_debt
from referee.games.empire.deeds.moving import check_moves, do_move
from referee.games.empire.events.moving import StatusChanged, UnitBoarded, UnitLeft, WindRolled
from referee.games.empire.orders.base import Deed, SlotOrder, granted
from referee.games.empire.orders.fields import Group, OneUnit, Place, Way, beside_unit
from referee.games.empire.orders.units import carriers, group, how_many, of_seat, ranks
from referee.games.empire.position import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.budget import fuel_of_move
from referee.games.empire.reckoning.carrying import aboard, berths, check_berth, check_unit, check_use, use_key
from referee.games.empire.reckoning.movement_rates import check_stack
from referee.games.empire.reckoning.ownership import Some, flies, named, unit_of
from referee.games.empire.reckoning.routes import left_for, near_for, reach_for
from referee.games.empire.rulebook.kinds import ALLOWANCE, KINDS, in_bta
from referee.games.empire.rulebook.plans import a
from referee.kit.declared import Plain, Words
from referee.kit.fields import Said
from referee.kit.hexes import DIRECTIONS
from referee.kit.refused import Refused
from referee.kit.wording import capital

# ---------------------------------------------------------------- MOVE
# Units go where they are told, by the cheapest way or through the squares named (II.A, emp.H-11); ROLL WIND before it.
#
# TOW and CAST OFF: barges behind cargo ships, rolling stock behind locomotives, sailplanes behind planes (II.A, II.B).


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
    plain = Plain("Walk", rank=4, then=("WORK", "FOUND"))
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
    plain = Plain("Roll the wind")
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
    plain = Plain("Let the tow go")
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


# ---------------------------------------------------------------- units without moving
# DOCK, BEACH, PUT TO SEA, DIVE, SURFACE, TAKE OFF, LAND, PATROL, STORE, BRING OUT (II.A, emp.C4, emp.C5).


class Stance(Deed, frozen=True):
    """Units, by number or so many of a kind in a square, change how they stand.

    `status`: how they stand then; `did`: what is told of it. `burns`: it makes a unit owe oil; who owes it already
    may dock, land, dive and surface without. `flown`: an airport is used by who flies, or by who does not.
    """

    units: tuple[int, ...]
    some: tuple[Some, ...] = ()

    fields = (Group("who"),)
    status: ClassVar[str] = ""
    did: ClassVar[str]
    burns: ClassVar[bool] = False
    flown: ClassVar[bool | None] = None

    def may(self, empire: Empire, unit: Unit) -> None:
        """Raises Refused where a unit cannot."""
        raise NotImplementedError(type(self).__name__)

    def _changed(self, empire: Empire, seat: Seat, number: int) -> StatusChanged:
        unit = unit_of(empire, seat, number)
        self.may(empire, unit)
        counted = flies(unit) == self.flown and not unit.aboard and berths(empire, "airport", unit.at, unit.country)
        key, room = (use_key(unit, "airport"), KINDS[unit.kind].hangar) if counted else ("", 0)
        return StatusChanged(number, unit.kind, unit.country, unit.at, self.status, self.did, key, room)

    def sensible(self, empire: Empire, seat: Seat) -> bool:
        """Whether they do not all stand so already."""
        return any(empire.units[number].status != self.status for number in self.units)

    def act(self, stage: Stage, seat: Seat) -> None:
        """Every one of these units does it, one after the other."""
        for number in self.units:
            changed = self._changed(stage.state, seat, number)
            if self.burns:
                check_debt(stage.state, changed.country, changed.books(stage.state))
            stage.emit(changed)


# ---------------------------------------------------------------- ships


class _OfShips(Stance, frozen=True):
    def may(self, empire: Empire, unit: Unit) -> None:
        if KINDS[unit.kind].category != "naval" and unit.kind != "barge":
            words = f"{named(unit)} is no ship and cannot {self.words.verb.lower()}."
            raise Refused(words, "emp.C4", str(unit.number))
        if unit.aboard:
            raise Refused(f"{named(unit)} is in tow.", "emp.move.hauled", str(unit.number))


class Dock(_OfShips, frozen=True):
    """Ships lie in a dock."""

    words = Words("DOCK", "let ships lie in a dock of their square", "emp.C4", "DOCK cargo ship IN c12r7")
    says = "Let {who} dock."
    status, did = "dock", "docked"

    def may(self, empire: Empire, unit: Unit) -> None:
        super().may(empire, unit)
        check_berth(empire, unit, "dock")


class Beach(_OfShips, frozen=True):
    """Ships lie on a beach."""

    words = Words(
        "BEACH",
        "let ships lie on the beach of their square, where they can be seized",
        "emp.P13",
        "BEACH cargo ship IN c12r7",
    )
    says = "Let {who} beach."
    status, did = "beach", "beached"

    def may(self, empire: Empire, unit: Unit) -> None:
        super().may(empire, unit)
        if empire.board.squares[unit.at].water:
            raise Refused(f"There is no beach in {unit.at}.", "emp.move.beach", unit.at)


class PutToSea(_OfShips, frozen=True):
    """Ships leave dock or beach."""

    words = Words("PUT TO SEA", "let ships leave the dock or the beach", "emp.C4", "PUT TO SEA cargo ship IN c12r7")
    says = "Let {who} put to sea."
    did, burns = "put to sea", True

    def may(self, empire: Empire, unit: Unit) -> None:
        super().may(empire, unit)
        if unit.status not in ("dock", "beach"):
            raise Refused(f"{named(unit)} is at sea already.", "emp.move.beach", str(unit.number))


class Dive(Stance, frozen=True):
    """Submarines go under water."""

    words = Words("DIVE", "let submarines go under water", "emp.move.submarine", "DIVE submarine IN c12r7")
    says = "Let {who} dive."
    status, did = "submerged", "dived"

    def may(self, empire: Empire, unit: Unit) -> None:
        if empire.board.squares[unit.at].terrain not in KINDS[unit.kind].submerged:
            raise Refused(f"{named(unit)} cannot dive in {unit.at}.", "emp.move.submarine", unit.at)


class Surface(Stance, frozen=True):
    """Submarines come up."""

    words = Words("SURFACE", "let submarines come up", "emp.move.submarine", "SURFACE submarine IN c12r7")
    says = "Let {who} surface."
    did = "surfaced"

    def may(self, empire: Empire, unit: Unit) -> None:
        if unit.status != "submerged":
            raise Refused(f"{named(unit)} is not under water.", "emp.move.submarine", str(unit.number))


# ---------------------------------------------------------------- planes


class _OfPlanes(Stance, frozen=True):
    def may(self, empire: Empire, unit: Unit) -> None:
        if KINDS[unit.kind].category != "air":
            words = f"{named(unit)} is no plane and cannot {self.words.verb.lower()}."
            raise Refused(words, "emp.move.airport", str(unit.number))


def _check_airport(empire: Empire, unit: Unit) -> None:
    if not berths(empire, "airport", unit.at, unit.country):
        raise Refused(f"There is no airport in {unit.at} that {named(unit)} may use.", "emp.move.airport", unit.at)


class TakeOff(_OfPlanes, frozen=True):
    """Planes start."""

    words = Words("TAKE OFF", "let planes start from an airport", "emp.move.airport", "TAKE OFF cargo plane IN c12r7")
    says = "Let {who} take off."
    status, did, burns, flown = "air", "took off", True, False

    def may(self, empire: Empire, unit: Unit) -> None:
        super().may(empire, unit)
        if flies(unit) or unit.aboard:
            raise Refused(f"{named(unit)} is not on the ground.", "emp.move.airport", str(unit.number))
        if unit.kind == "sailplane":
            raise Refused(f"{named(unit)} must be towed into the air.", "emp.move.sailplane", str(unit.number))
        if unit.kind != "balloon":
            _check_airport(empire, unit)
            check_use(empire, unit, "airport")


class Land(_OfPlanes, frozen=True):
    """Planes land where they are: in any airport, a balloon on any land, a sailplane on open land without a city."""

    words = Words("LAND", "let planes land where they are", "emp.move.airport", "LAND cargo plane IN c12r7")
    says = "Let {who} land."
    did, flown = "landed", True

    def may(self, empire: Empire, unit: Unit) -> None:
        super().may(empire, unit)
        if not flies(unit):
            raise Refused(f"{named(unit)} is not in the air.", "emp.move.airport", str(unit.number))
        square = empire.board.squares[unit.at]
        bare = square.terrain == "plain" and empire.city_at(unit.at) is None
        if not (unit.kind == "balloon" and not square.water) and not (unit.kind == "sailplane" and bare):
            _check_airport(empire, unit)
            check_berth(empire, unit, "airport")
            check_use(empire, unit, "airport")


class Patrol(TakeOff, frozen=True):
    """Fighters stay in the air."""

    words = Words("PATROL", "let fighters stay in the air on patrol", "emp.move.aloft", "PATROL fighter IN c12r7")
    says = "Let {who} patrol."
    status, did = "patrol", "went on patrol"

    def may(self, empire: Empire, unit: Unit) -> None:
        if unit.kind != "fighter":
            raise Refused("Only fighters fly a combat air patrol.", "emp.H-31", str(unit.number))
        if not flies(unit) and not unit.aboard:
            super().may(empire, unit)


# ---------------------------------------------------------------- warehouses


class Store(Stance, frozen=True):
    """Units go into the warehouse of their city."""

    words = Words("STORE", "put units into the warehouse of their city", "emp.C5", "STORE SAC IN c12r7")
    says = "Put {who} into the warehouse."
    status, did = "warehouse", "was stored"

    def may(self, empire: Empire, unit: Unit) -> None:
        city = empire.city_at(unit.at)
        if city is None or not city.warehouses or not empire.friendly(city.country, unit.country):
            raise Refused(f"There is no warehouse in {unit.at} that {named(unit)} may use.", "emp.C5", unit.at)
        if unit.aboard or flies(unit) or KINDS[unit.kind].category == "naval":
            raise Refused(f"{named(unit)} cannot be stored now.", "emp.C5", str(unit.number))


class BringOut(Stance, frozen=True):
    """Units come out of a warehouse."""

    words = Words("BRING OUT", "take units out of a warehouse", "emp.C5", "BRING OUT SAC IN c12r7")
    says = "Bring {who} out of the warehouse."
    did = "was brought out"

    def may(self, empire: Empire, unit: Unit) -> None:
        if unit.status != "warehouse":
            raise Refused(f"{named(unit)} is in no warehouse.", "emp.C5", str(unit.number))
        if KINDS[unit.kind].category == "air":
            check_berth(empire, unit, "airport")
        check_stack(empire, unit, unit.at)


STANCES: tuple[type[Stance], ...] = (Dock, Beach, PutToSea, Dive, Surface, TakeOff, Land, Patrol, Store, BringOut)
"""All of them, in the order of the vocabulary."""
