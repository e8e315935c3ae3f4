"""All at once: everybody and every machine to work on the first turn; what grows after that grows by what this brings."""

from __future__ import annotations

from referee.games.empire.strategies.carting import cart, haul
from referee.games.empire.strategies.estate import Estate
from referee.games.empire.strategies.workshop import Workshop

ABOUT = "Opens every square within reach and uses every machine on turn 1, founds all colonies on turns 2 and 3, then makes goods."

_WORKS = (
    "power station",
    "steel mill",
    "motor works",
    "building materials factory",
    "tool and die works",
    "beer distillery",
)
"""Six works for the six machines of the start."""


def plan(estate: Estate) -> None:
    """One turn."""
    shop = Workshop(estate)
    estate.pick("truck", "truck")
    estate.consume()
    estate.prune()
    haul(estate)
    cart(estate)
    estate.feed()
    if estate.turn in (2, 3):
        estate.colony()
        estate.colony()
    estate.build(*estate.lacking(*_WORKS))
    shop.steel(keep=2)
    shop.machines()
    shop.goods()
    estate.open_up(99)
