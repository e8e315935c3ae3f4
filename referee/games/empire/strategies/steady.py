"""Steady growth: a few new squares, a work or two and some goods every turn, so that no turn is without new EDU."""

from __future__ import annotations

from referee.games.empire.strategies.carting import cart, haul
from referee.games.empire.strategies.estate import Estate
from referee.games.empire.strategies.workshop import Workshop

ABOUT = (
    "Feeds everybody, opens two resource squares and begins a work each turn, founds a colony every third, makes goods."
)

_WORKS = {
    1: ("power station", "beer distillery"),
    2: ("motor works",),
    3: ("steel mill",),
    4: ("building materials factory",),
    5: ("cargo shipyard",),
    6: ("beer distillery",),
}
"""The works of the capital, by the turn from which each is wanted."""


def plan(estate: Estate) -> None:
    """One turn."""
    shop = Workshop(estate)
    estate.pick("truck", "truck")
    estate.consume()
    estate.prune()
    haul(estate)
    cart(estate)
    estate.feed(more=6 if estate.turn > 1 else 0)
    if estate.turn % 3 == 2:
        estate.colony()
    wanted = [name for turn, works in _WORKS.items() if turn <= estate.turn for name in works]
    estate.build(*estate.lacking(*wanted))
    shop.goods(most=2)
    shop.steel(keep=2)
    shop.machines()
    estate.open_up(3 if estate.turn == 1 else 2, estate.scarce("C", "Fe", "O", "Rr", "Cu"))
