"""What the orders of a movement phase share: units and fleets as they are written, and when a line is refused at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from referee.core.choices import Asking, Choice, most_that, one, quantity, several
from referee.core.names import Seat
from referee.core.order import Clause, Order, Portion, Quantity, Thing
from referee.games.war.deeds.entry import ceded, cession_of
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.lots import Lot, lots_in_words
from referee.games.war.deeds.muster import empties, exactly
from referee.games.war.deeds.plan import Plan
from referee.games.war.deeds.refused import NotYet, granted
from referee.games.war.orders.naming import after, ships_named, units
from referee.games.war.position.places import Fleet
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import LAND_UNITS, SHIP, plural
from referee.kit.declared import Declared
from referee.kit.fields import Field, Said
from referee.kit.refused import Refused

# ---------------------------------------------------------------- when it is refused


class MoveOrder(Declared[War], frozen=True):
    """An order that is planned in the position which the lines before it leave."""

    of_the_map: ClassVar[Collection[str]] = frozenset(
        {"27.board.3", "27.board.6", "27.board.7", "27.move.carry.3", "27.move.carry.4"}
    )
    """Refusals under these rules rest on the map and the kinds of unit, whatever the position will be."""
    leaves_one: ClassVar[bool] = True
    """Whether no last brigade goes out of an own region (R27-01)."""

    def plan(self, war: War, seat: Seat, strict: bool) -> Plan:
        """What is done of it: all that is written, or with `strict` off as much as can be done. Raises Refused."""
        raise NotImplementedError(type(self).__name__)

    def line_for(self, lots: Sequence[Lot]) -> str:
        """The same line for other units."""
        return line_of(self.but(lots=tuple(lots)))

    def line_if_done(self, war: War, seat: Seat) -> tuple[str, ...]:
        """Its line, where it can be done now: nothing else is worth offering instead of another."""
        return (line_of(self),) if granted(self.plan, war, seat, True) else ()

    def permit(self, war: War, seat: Seat) -> None:
        """Raises Refused unless it can be done now, wholly and if nobody hinders it."""
        self.plan(war, seat, True)

    def whole(self, war: War, seat: Seat) -> bool:
        """Whether it can be done wholly, and leaves a brigade where one must stay (R27-01)."""
        try:
            plan = self.plan(war, seat, True)
        except Refused:
            return False
        return not (self.leaves_one and empties(war, seat, *plan.left))

    def beyond_hope(self, war: War, seat: Seat) -> bool:
        """Whether even all that a player owns would not be enough, so that no earlier line of a sheet mends it."""
        return False

    def check(self, war: War, seat: Seat) -> None:
        """Refuse what no earlier line of the sheet can mend; in another's share only what the map forbids."""
        now = war.stage == "movement" and war.active == seat
        try:
            self.permit(war, seat)
        except NotYet:
            if now and self.beyond_hope(war, seat):
                raise
        except Refused as refused:
            if refused.illegal.rule in self.of_the_map or (now and not self._mended_by_cession(war, seat)):
                raise

    def _mended_by_cession(self, war: War, seat: Seat) -> bool:
        """27.move.cede.2: whether it would be lawful once all that is offered to this player is his."""
        offered = [o.region for o in war.offers if o.kind == "cede" and cession_of(war, seat, o.region) == o]
        for region in offered:
            war = war if war.lands[region].revolt else ceded(war, seat, region)
        try:
            self.permit(war, seat)
        except NotYet:
            return bool(offered)
        except Refused:
            return False
        return bool(offered)


def least(wanted: Quantity | None) -> int:
    """How many are meant at least."""
    return wanted.number if wanted and wanted.portion is Portion.EXACTLY else 1


def too_many(war: War, seat: Seat, lots: Sequence[Lot]) -> bool:
    """Whether more units of a kind are meant than a player has on land and aboard."""
    return any(least(lot.quantity) > _owned(war, seat, lot.kind) for lot in lots)


def _owned(war: War, seat: Seat, kind: str) -> int:
    ashore = sum(land.count(seat, kind) for land in war.lands.values())
    return ashore + sum(load.number for f in war.fleets_of(seat) for load in f.cargo if load.kind == kind)


def strange_ship(war: War, fleets: Sequence[int]) -> bool:
    """Whether a fleet is named that is nowhere."""
    return any(number not in war.fleets for number in fleets)


# ---------------------------------------------------------------- read and written


class LandUnitsNamed(Field[tuple[Lot, ...]]):
    """Land units, so many of each kind; a bare `all` means all that are in the place read before as `where`."""

    most = None

    def __init__(self, where: str, rule: str, *more: str) -> None:
        super().__init__("lots", ("unit", "any", *more), "", lots_in_words)
        self.where, self.rule = where, rule

    def read(self, said: Said) -> tuple[Lot, ...]:
        return units(said.order, _held(said.state, said.seat, said.got[self.where]), self.rule)

    def things(self, value: tuple[Lot, ...], state: Any) -> tuple[Thing, ...]:
        return tuple(Thing("unit", plural(lot.kind), lot.quantity) for lot in value)


def _held(war: War, seat: Seat, place: str) -> tuple[str, ...]:
    """Kinds of land unit that a player has in a region, or aboard in a sea area."""
    if BOARD.is_sea(place):
        return tuple(load.kind for fleet in war.fleets_of(seat, place) for load in fleet.cargo if load.owner == seat)
    return tuple(stack.kind for stack in war.lands[place].stacks if stack.owner == seat)


class Way(Field[tuple[str, ...]]):
    """What lies on the way, in the order passed."""

    needed, most = False, None

    def __init__(self, *kinds: str) -> None:
        super().__init__("via", kinds, "VIA", lambda via: f" through {', '.join(via)}" if via else "")

    def read(self, said: Said) -> tuple[str, ...]:
        return tuple(thing.name for thing in said.after("VIA"))

    def things(self, value: tuple[str, ...], state: Any) -> tuple[Thing, ...]:
        return tuple(Thing("sea" if BOARD.is_sea(place) else "region", place) for place in value)


class Ships(Field[tuple[int, ...]]):
    """Fleets by their numbers, under ABOARD; a number under one of `also`, too, is one."""

    needed, most = False, None

    def __init__(self, say: Callable[[tuple[int, ...]], str], rule: str, *also: str) -> None:
        super().__init__("fleets", (SHIP,), "ABOARD", say)
        self.rule, self.also = rule, also

    def read(self, said: Said) -> tuple[int, ...]:
        return ships_named((*said.after("ABOARD"), *after(said.order, *self.also)), self.rule)

    def clauses(self, value: tuple[int, ...], state: Any) -> Iterator[Clause]:
        if value:
            yield Clause("ABOARD", ships(value))


def ships(numbers: Sequence[int]) -> tuple[Thing, ...]:
    """`fleet 1, fleet 3`."""
    return tuple(Thing(SHIP, _ship(number)) for number in numbers)


def _ship(number: int) -> str:
    """`fleet 2`."""
    return f"fleet {number}"


def one_place(order: Order, rule: str, things: Sequence[Thing]) -> str:
    """The only sea area among things that may be fleets as well, "" for none. Raises Refused when there are several."""
    places = [thing.name for thing in things if thing.kind != SHIP]
    if len(places) > 1:
        raise Refused(f"{order.verb} takes one sea area.", rule, places[1])
    return places[0] if places else ""


# ---------------------------------------------------------------- asked


def together(held: Mapping[str, int], fits: Callable[[tuple[Lot, ...]], bool]) -> Asking[tuple[Lot, ...]]:
    """Ask which units go together: a kind and how many, then another kind, as long as one can go with them."""
    lots = tuple[Lot, ...]()
    while True:
        able = [kind for kind in held if kind not in [lot.kind for lot in lots] and fits((*lots, exactly(kind, 1)))]
        kinds = [Choice(plural(kind), kind, f"{held[kind]} there") for kind in able]
        if lots and not able:
            return lots
        more = (yield from several("and", kinds, 0, 1)) if lots else ((yield from one("unit", kinds)),)
        if not more:
            return lots
        most = _most(fits, lots, more[0], held[more[0]])
        lots = (*lots, Lot(more[0], (yield from quantity("number", plural(more[0]), most, of=held[more[0]]))))


def _most(fits: Callable[[tuple[Lot, ...]], bool], lots: tuple[Lot, ...], kind: str, held: int) -> int:
    return most_that(lambda many: fits((*lots, exactly(kind, many))), held)


def single_ship(fleets: Sequence[Fleet], fits: Callable[[tuple[int, ...]], bool]) -> Asking[tuple[int, ...]]:
    """Ask for one of several fleets, or none in particular."""
    able = [fleet.number for fleet in fleets if fits((fleet.number,))] if len(fleets) > 1 else []
    offered = [Choice(_ship(number), number, "this one alone") for number in able]
    return (yield from several("fleets", offered, 0, 1)) if offered else ()


def force(fleets: Sequence[Fleet]) -> Asking[tuple[int, ...]]:
    """Ask which of several fleets by their numbers, or none in particular."""
    offered = [Choice(_ship(fleet.number), fleet.number, _laden(fleet), fleet.sea) for fleet in fleets]
    return (yield from several("fleets", offered, 0)) if len(offered) > 1 else ()


def _laden(fleet: Fleet) -> str:
    """`2 infantry aboard`, or that it is empty."""
    lots = tuple(exactly(load.kind, load.number) for load in fleet.cargo)
    return f"{lots_in_words(lots)} aboard" if lots else "empty"


def land_units(war: War, seat: Seat, region: str) -> dict[str, int]:
    """A player's units in a region, by kind."""
    numbers = {kind: war.lands[region].count(seat, kind) for kind in LAND_UNITS}
    return {kind: number for kind, number in numbers.items() if number}


def whose(war: War, seat: Seat, region: str) -> str:
    """`yours`, `native`, or its owner."""
    owner = war.lands[region].owner
    return "yours" if owner == seat else owner or "native"
