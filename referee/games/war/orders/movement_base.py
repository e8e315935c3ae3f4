"""The common ground of the orders of a movement phase: units and fleets as they are written, and when a line is refused at
once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from referee.core.choices import ALL, Asking, Choice, most_that, placed, quantity, several
from referee.core.names import Seat
from referee.core.order import Clause, Order, Portion, Quantity, Thing
from referee.games.war.deeds import (
    Lot,
    NotYet,
    Plan,
    empties,
    exactly,
    granted,
    kinds_of,
    leaves_none,
    line_of,
    lots_in_words,
)
from referee.games.war.deeds.marching import ceded, cession_of
from referee.games.war.orders.base import Lots, after, ships_named, units
from referee.games.war.position import Fleet
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD, BRIGADES, LAND_UNITS, SHIP
from referee.kit.declared import Declared
from referee.kit.fields import Among, Field, Joint, Leads, Row, Said, exact
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
        """The deeds to be done of it: all that is written, or with `strict` off as much as can be done. Raises Refused."""
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

    def lawful(self, war: War, seat: Seat) -> bool:
        """Whether it can be done wholly, and leaves a brigade where one must stay (R27-01)."""
        try:
            left = self.plan(war, seat, True).left
        except Refused:
            return False
        return not (self.leaves_one and empties(war, seat, *left))

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
        """Whether it would be lawful once all that is offered to this player is his."""
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


def keeps_none(war: War, seat: Seat, region: str, lots: Sequence[Lot]) -> bool:
    """R27-01, seen at once: whether the only brigade of an own region is among those who go."""
    return any(lot.kind in BRIGADES for lot in lots) and leaves_none(war, seat, region, 1)


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


class LandUnitsNamed(Lots):
    """Land units, so many of each kind; a bare `all` means all that are in the place read before as `where`."""

    def __init__(self, where: str, rule: str, *more: str) -> None:
        super().__init__("lots", ("unit", "any", *more), "", lots_in_words)
        self.where, self.rule = where, rule

    def read(self, said: Said) -> tuple[Lot, ...]:
        return units(said.order, units_at(said.state, said.seat, said.got[self.where], (said.seat,)), self.rule)

    def there(self, war: War, seat: Seat, got: Mapping[str, Any]) -> Mapping[str, int]:
        return units_at(war, seat, got[self.where], war.seats)


def units_at(war: War, seat: Seat, place: str, owners: Collection[Seat]) -> dict[str, int]:
    """A player's units in a region, by kind; in a sea area those of these owners aboard his fleets."""
    if BOARD.is_sea(place):
        aboard = [load for fleet in war.fleets_of(seat, place) for load in fleet.cargo if load.owner in owners]
        return {kind: sum(load.number for load in aboard if load.kind == kind) for kind in kinds_of(aboard)}
    return {kind: number for kind in LAND_UNITS if (number := war.lands[place].count(seat, kind))}


class Way(Field[tuple[str, ...]]):
    """The regions on the way, in the order passed; chosen only where one that must be named leads on, for a detour is of no
    use."""

    needed, most = False, None

    def __init__(self, *kinds: str, among: Among[tuple[str, ...]] = lambda *_: (Choice("any", ()),)) -> None:
        super().__init__("via", kinds, "VIA", lambda via: f" through {', '.join(via)}" if via else "", among)

    def read(self, said: Said) -> tuple[str, ...]:
        return tuple(thing.name for thing in said.after("VIA"))

    def things(self, value: tuple[str, ...], state: Any) -> tuple[Thing, ...]:
        return tuple(Thing("sea" if BOARD.is_sea(place) else "region", place) for place in value)


class Ships(Row[int]):
    """Fleets by their numbers, under ABOARD, where there are several; a number under one of `also`, too, is one."""

    needed = False

    def __init__(
        self, say: Callable[[tuple[int, ...]], str], rule: str, *also: str, there: Callable[..., Sequence[Fleet]]
    ) -> None:
        super().__init__("fleets", (SHIP,), "ABOARD", taken=int, say=say)
        self.rule, self.also, self.there = rule, also, there

    def read(self, said: Said) -> tuple[int, ...]:
        return ships_named((*said.after("ABOARD"), *after(said.order, *self.also)), self.rule)

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[tuple[int, ...]]]:
        yield Choice("any", ())
        yield from by_number(self.there(state, seat, got))

    def asked(
        self, state: War, seat: Seat, got: Mapping[str, Any], leads: Leads[tuple[int, ...]]
    ) -> Asking[tuple[int, ...]]:
        return (yield from named_alone(self.there(state, seat, got), leads))

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


# ---------------------------------------------------------------- fleets, some by their numbers or so many


class Fleets(Joint):
    """So many fleets of the sea area read as `where`, or some by their numbers."""

    most, joins = None, ("quantity", "fleets")

    def __init__(self, name: str, under: str, where: str, say: Callable[[tuple[Any, ...]], str]) -> None:
        super().__init__(name, ("unit", "any", SHIP), under, say)
        self.where = where

    def counted(self, many: int) -> Quantity | None:
        """How many are said to go where they are named."""
        return exact(many)

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[tuple[Any, ...]]]:
        yield Choice("1", (exact(1), ()))

    def asked(
        self, state: War, seat: Seat, got: Mapping[str, Any], leads: Leads[tuple[Any, ...]]
    ) -> Asking[tuple[Any, ...]]:
        """Some by number, or how many."""
        here = state.fleets_of(seat, got[self.where])
        named = yield from named_alone(here, lambda numbers: leads((self.counted(len(numbers)), numbers)))
        if named:
            return self.counted(len(named)), named
        most = most_that(lambda many: leads((exact(many), ())), len(here))
        return (yield from quantity("number", "fleets", most, most if leads((ALL.value, ())) else 0)), ()


def named_alone(there: Sequence[Fleet], leads: Leads[tuple[int, ...]]) -> Asking[tuple[int, ...]]:
    """Ask which of several fleets by their numbers, or none in particular."""
    able = [choice for choice in by_number(there) if leads(choice.value)] if len(there) > 1 else []
    picked = (yield from several("fleets", able, 0)) if able else ()
    return tuple(number for (number,) in picked)


def by_number(fleets: Sequence[Fleet]) -> Iterator[Choice[tuple[int, ...]]]:
    """Each of these fleets by its number, and what is aboard."""
    return (Choice(_ship(fleet.number), (fleet.number,), _laden(fleet), fleet.sea) for fleet in fleets)


def _laden(fleet: Fleet) -> str:
    """`2 infantry aboard`, or that it is empty."""
    lots = tuple(exactly(load.kind, load.number) for load in fleet.cargo)
    return f"{lots_in_words(lots)} aboard" if lots else "empty"


def region_of(war: War, seat: Seat, name: str) -> Choice[str]:
    """A region to choose: `yours`, `native`, or its owner's."""
    owner = war.lands[name].owner
    return placed(name, "yours" if owner == seat else owner or "native")


def regions_with_units(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """Where a player has land units, in the order of the map."""
    return (region_of(war, seat, land.name) for land in war.lands.values() if land.count(seat, *LAND_UNITS))


def seas_with_fleets(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """Where a player has fleets."""
    return map(placed, dict.fromkeys(fleet.sea for fleet in war.fleets_of(seat)))
