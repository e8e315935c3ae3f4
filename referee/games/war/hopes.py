"""Orders of movement for which even all that a player owns would not be enough: no earlier line of a sheet mends them."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.core.order import Intent, Portion, Quantity
from referee.games.war.intents import AttackFleets, EmbarkUnits, LandUnits, Lot, MoveUnits, SailFleets
from referee.games.war.state import War

__all__ = ["beyond_hope"]


def beyond_hope(war: War, seat: Seat, order: Intent) -> bool:
    """Whether an order asks for more units, fleets or room aboard than a player has anywhere, or for a fleet he has not."""
    if any(number not in war.fleets for number in getattr(order, "fleets", ())):
        return True
    match order:
        case MoveUnits(lots):
            return _too_many(war, seat, lots)
        case LandUnits(lots):
            return not war.fleets_of(seat) or _too_many(war, seat, lots)
        case EmbarkUnits(lots):
            return _too_many(war, seat, lots) or _points(war, lots) > _room(war, seat)
        case SailFleets(quantity) | AttackFleets(_, _, quantity):
            return _least(quantity) > len(war.fleets_of(seat))
    return False


def _least(quantity: Quantity | None) -> int:
    """How many are meant at least."""
    return quantity.number if quantity and quantity.portion is Portion.EXACTLY else 1


def _too_many(war: War, seat: Seat, lots: Sequence[Lot]) -> bool:
    return any(_least(lot.quantity) > _owned(war, seat, lot.kind) for lot in lots)


def _owned(war: War, seat: Seat, kind: str) -> int:
    """Units of a kind on land and aboard."""
    ashore = sum(land.count(seat, kind) for land in war.lands.values())
    return ashore + sum(load.number for f in war.fleets_of(seat) for load in f.cargo if load.kind == kind)


def _points(war: War, lots: Sequence[Lot]) -> int:
    """27.move.carry.2: the portage points that are needed at least."""
    return sum(war.kinds[lot.kind].portage * _least(lot.quantity) for lot in lots)


def _room(war: War, seat: Seat) -> int:
    """27.move.carry.1: what all his fleets take when they are empty."""
    return war.kinds["fleet"].carries * len(war.fleets_of(seat))
