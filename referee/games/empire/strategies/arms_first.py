"""Arms first: squares for steel and chemicals, small arms works, and everybody under arms for whom there are any; no goods."""

from __future__ import annotations

from referee.games.empire.strategies.carting import cart, haul
from referee.games.empire.strategies.estate import Estate
from referee.games.empire.strategies.troops import arm, quarter
from referee.games.empire.strategies.workshop import Workshop

ABOUT = "Opens what steel and chemicals need, builds small arms works from turn 1, arms all it can; makes no goods."

_WORKS = ("small arms works", "power station", "steel mill", "small arms works")
"""In the order of their beginning."""


def plan(estate: Estate) -> None:
    """One turn."""
    shop = Workshop(estate)
    estate.pick("truck", "truck")
    quarter(estate)
    arm(estate)
    estate.prune()
    haul(estate)
    cart(estate)
    estate.feed()
    estate.build(*estate.lacking(*_WORKS))
    if estate.turn % 3 == 2:
        estate.colony()
    shop.arms()
    shop.steel(keep=2)
    estate.only(4 if estate.turn == 1 else 1, estate.scarce("X", "Fe", "C"))
