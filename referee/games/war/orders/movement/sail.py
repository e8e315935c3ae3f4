"""SAIL: fleets go from sea area to sea area with what they carry (27.move.naval)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

from referee.core.choices import Asking, Choice, most_that, one, quantity
from referee.core.names import Seat
from referee.core.order import Clause, Quantity, Thing
from referee.games.war.deeds.lots import Lot, named_fleets
from referee.games.war.deeds.muster import exactly
from referee.games.war.deeds.sailing import Voyage, plan_sail
from referee.games.war.orders.base import MOVEMENT, Place
from referee.games.war.orders.movement.parts import MoveOrder, Way, force, least, ships, strange_ship
from referee.games.war.orders.naming import ALL, lots_of, ships_named
from referee.games.war.position.state import War
from referee.games.war.reckoning.paths import sea_reach
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import SHIP
from referee.kit.declared import Words
from referee.kit.fields import Field, Joint, Said
from referee.kit.refused import Refused

_RULE = "27.move.naval.1"


class _Who(Joint):
    """Fleets by their numbers, or so many of them."""

    most, joins = None, ("quantity", "fleets")

    def __init__(self) -> None:
        super().__init__(
            "who", ("unit", "any", SHIP), "", lambda value: named_fleets(value[1]) or Lot("fleet", value[0]).words()
        )

    def read(self, said: Said) -> tuple[Any, ...]:
        order = said.order
        others = [thing.name for thing in order.things if thing.kind == "unit" and thing.name != "fleets"]
        if others:
            raise Refused("Fleets sail; land units go with them once they are aboard.", "27.board.3", others[0])
        fleets = ships_named(order.things, _RULE)
        if fleets and any(thing.kind != SHIP for thing in order.things):
            raise Refused("Name fleets by their numbers, or say how many sail, not both.", _RULE, "fleets")
        return exactly("fleet", len(fleets)).quantity if fleets else _how_many(said), fleets

    def things(self, value: tuple[Any, ...], state: Any) -> tuple[Thing, ...]:
        wanted, fleets = value
        return ships(fleets) or (Thing("unit", "fleets", wanted),)


def _how_many(said: Said) -> Quantity:
    if said.order.things[0].kind == "any":
        return ALL
    lots = lots_of(said.order, _RULE)
    if len(lots) > 1:
        why = "Write a line for each: SAIL names so many fleets, or fleets by their numbers."
        raise Refused(why, _RULE, said.order.things[1].name)
    return lots[0].quantity


class _Loaded(Field[bool | None]):
    """WITH or WITHOUT cargo, which says nothing of fleets by number."""

    needed = False

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return dict.fromkeys(("WITH", "WITHOUT"), self.kinds)

    def read(self, said: Said) -> bool | None:
        if said.got["fleets"]:
            return None
        return True if said.after("WITH") else False if said.after("WITHOUT") else None

    def clauses(self, value: bool | None, state: Any) -> Iterator[Clause]:
        if value is not None:
            yield Clause("WITH" if value else "WITHOUT", (Thing("cargo", "cargo"),))


class SailFleets(MoveOrder, frozen=True):
    """Fleets that sail together to a sea area, with what they carry: those named, or so many.

    `loaded` None: of so many the fullest go first.
    """

    quantity: Quantity
    origin: str
    target: str
    via: tuple[str, ...] = ()
    loaded: bool | None = None
    fleets: tuple[int, ...] = ()

    words = Words(
        "SAIL",
        "sail fleets with what they carry; WITH cargo or WITHOUT cargo says which, or name them: SAIL fleet 2",
        _RULE,
        "SAIL 2 fleets FROM Persian Gulf TO Arabian Sea",
    )
    fields = (
        Place("origin", "FROM", (), _RULE, ("sea",)),
        Place("target", "TO", (), _RULE, ("sea",)),
        Way("sea"),
        _Who(),
        _Loaded("loaded", ("cargo",), "WITH", str),
    )
    says, phase = "Sail {who} from {origin} to {target}{via}.", MOVEMENT

    @classmethod
    def read(cls, said: Said) -> Self:
        """Fleets sail by sea alone, and somewhere."""
        origin, target = (field.read(said) for field in cls.fields[:2])
        for place in (origin, target, *(thing.name for thing in said.after("VIA"))):
            if not BOARD.is_sea(place):
                raise Refused(f"Fleets sail from sea area to sea area; {place} is land.", "27.board.3", place)
        order = cls.made(said)
        if origin == target and not order.via:
            raise Refused(f"The fleets are in {target} already.", _RULE, target)
        return order

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """From where to where, and who: fleets by number, or so many, of the loaded or the empty ones alone if that is said."""
        seas = dict.fromkeys(fleet.sea for fleet in war.fleets_of(seat))
        able = (sea for sea in seas if any(cls._targets(war, seat, sea)))
        origin = yield from one("from", (Choice(sea, sea, _lying(war, seat, sea), sea) for sea in able))
        target = yield from one("to", (Choice(sea, sea, "", sea) for sea in cls._targets(war, seat, origin)))
        here = war.fleets_of(seat, origin)
        single = exactly("fleet", 1).quantity
        named = yield from force([f for f in here if cls(single, origin, target, fleets=(f.number,)).whole(war, seat)])
        if named:
            return cls(exactly("fleet", len(named)).quantity, origin, target, fleets=named)
        loaded = yield from one("cargo", _LADEN if len({bool(fleet.cargo) for fleet in here}) > 1 else _LADEN[:1])
        some = [fleet for fleet in here if loaded in (None, bool(fleet.cargo))]

        def fits(many: int) -> bool:
            return cls(exactly("fleet", many).quantity, origin, target, (), loaded).whole(war, seat)

        return cls(
            (yield from quantity("number", "fleets", most_that(fits, len(some)), len(some))), origin, target, (), loaded
        )

    @classmethod
    def _targets(cls, war: War, seat: Seat, origin: str) -> Iterator[str]:
        """Where some fleet can sail."""
        here = war.fleets_of(seat, origin)
        left = war.kinds["fleet"].moves - min(fleet.spent for fleet in here)
        single = exactly("fleet", 1).quantity
        return (sea for sea in sea_reach(war, origin, left) if cls(single, origin, sea).whole(war, seat))

    def plan(self, war: War, seat: Seat, strict: bool) -> Voyage:
        return plan_sail(war, seat, self, strict)

    def beyond_hope(self, war: War, seat: Seat) -> bool:
        return strange_ship(war, self.fleets) or least(self.quantity) > len(war.fleets_of(seat))


_LADEN = (
    Choice("any", None, "the fullest first"),
    Choice("loaded", True, "those with cargo alone"),
    Choice("empty", False, "those without cargo alone"),
)


def _lying(war: War, seat: Seat, sea: str) -> str:
    return Lot("fleet", exactly("fleet", len(war.fleets_of(seat, sea))).quantity).words()
