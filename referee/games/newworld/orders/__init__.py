"""The orders of New World, in the order of the phases that carry them out."""

from __future__ import annotations

from collections.abc import Hashable

from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Order
from referee.games.newworld.orders.attack import AttackRegion
from referee.games.newworld.orders.base import eliminated
from referee.games.newworld.orders.buy import BuyResources
from referee.games.newworld.orders.colonize import ColonizeCards
from referee.games.newworld.orders.losses import DiscardUnits, LoseUnits
from referee.games.newworld.orders.move import MoveArmies
from referee.games.newworld.orders.offers import OFFERS
from referee.games.newworld.orders.purchases import PURCHASES
from referee.games.newworld.orders.research import ResearchTechnologies
from referee.games.newworld.orders.rob import RobSeats
from referee.games.newworld.position.state import World
from referee.kit.declared import Book

_SINGULARS = {
    ("unit", "armies"): "army",
    ("unit", "fleets"): "fleet",
    ("resource", "workers"): "worker",
    ("resource", "horses"): "horse",
}

BOOK: Book[World] = Book(
    (
        ResearchTechnologies,
        BuyResources,
        *PURCHASES,
        ColonizeCards,
        MoveArmies,
        AttackRegion,
        DiscardUnits,
        LoseUnits,
        RobSeats,
        *OFFERS,
    ),
    _SINGULARS,
)

FIRST_HALF = BOOK.verbs_of("Trade", "Research", "Worker", "Ship Building", "Raise Armies")
SECOND_HALF = BOOK.verbs_of("Colonization", "Transport", "War", "")
"""Verbs of the sheet: those before Exploration and those after it or for any time of the turn."""


def bind(world: World, seat: Seat, order: Order) -> Intent | Illegal:
    """What an order means for this seat now, or why it is not allowed."""
    if world.powers[seat].out:
        return eliminated(seat, "gives no more orders", order.verb).illegal
    return BOOK.bind(world, seat, order)


def bound_by(world: World, seat: Seat) -> Hashable:
    """All that `bind` looks at besides the order: who gives it, what he has, who is out of the game, the offers on the table."""
    out = tuple(power.out for power in world.powers.values())
    offers = tuple((o.number, o.maker, o.to, o.accepted, bool(o.asks)) for o in world.offers)
    return seat, tuple(world.powers[seat].stock.values()), tuple(world.powers), out, offers
