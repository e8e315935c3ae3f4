"""Positions and orders for tests of movement: fleets at sea, cargo aboard, wars ready to be fought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Intent, Portion, Quantity
from referee.core.question import Question
from referee.games.war.deeds import Lot
from referee.games.war.orders.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.move import MoveUnits, SailFleets
from referee.games.war.orders.movement_base import MoveOrder
from referee.games.war.phases.movement import movement_orders
from referee.games.war.position import Feud, Fleet, Load
from referee.games.war.position.state import War
from tests.games.war27.driving import BLUE, RED, play, table

ALL = Quantity(Portion.ALL)


def exactly(number: int) -> Quantity:
    """Just so many."""
    return Quantity(Portion.EXACTLY, number)


def lots(**kinds: int) -> tuple[Lot, ...]:
    """`lots(infantry=3, general=1)`."""
    return tuple(Lot(kind, exactly(number)) for kind, number in kinds.items())


def march(origin: str, target: str, *via: str, **kinds: int) -> MoveUnits:
    """`march("Egypt", "Palestine", infantry=3)`."""
    return MoveUnits(lots(**kinds), origin, target, via)


def embark(origin: str, sea: str, **kinds: int) -> EmbarkUnits:
    """Units that board in a sea area."""
    return EmbarkUnits(lots(**kinds), origin, sea)


def land(sea: str, target: str, **kinds: int) -> LandUnits:
    """Units put ashore."""
    return LandUnits(lots(**kinds), sea, target)


def sail(origin: str, target: str, number: int = 1, *via: str) -> SailFleets:
    """So many fleets to another sea area."""
    return SailFleets(exactly(number), origin, target, via)


def fleet(war: War, owner: Seat, sea: str, **cargo: int) -> War:
    """One more fleet at sea, with units aboard that boarded in an earlier phase."""
    loads = tuple(Load(owner, kind, number) for kind, number in cargo.items())
    return replace(war.with_fleet(Fleet(war.next_fleet, owner, sea, 0, loads)), next_fleet=war.next_fleet + 1)


def at_war(war: War, one: Seat = RED, other: Seat = BLUE) -> War:
    """War between two players, both ready to attack."""
    return replace(war, feuds=(*war.feuds, Feud(one, other, (one, other))))


def check(war: War, seat: Seat, order: Intent) -> None:
    """Raises Refused unless an order of movement can be done in this very position."""
    assert isinstance(order, MoveOrder)
    order.permit(war, seat)


def moved(
    war: War,
    *sheet: Intent,
    dice: Sequence[int] = (),
    answers: Mapping[str, Any] | None = None,
    orders: Mapping[Seat, Sequence[Intent]] | None = None,
    asked: list[Question[Any]] | None = None,
    seat: Seat = RED,
) -> tuple[War, list[Event]]:
    """The position after a sheet of movement, and all that happened; markers are drawn by a key once `dice` are out."""
    made, events = table(war, *dice, chance=Keyed(b"movement" * 4, 0))
    play(movement_orders(made, seat, sheet), answers, orders, asked)
    return made.state, events
