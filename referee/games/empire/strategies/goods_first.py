"""Consumer goods first: the works that make them on turn 1, and goods consumed in every turn from the third on."""

from __future__ import annotations

from referee.games.empire.strategies.carting import cart, haul
from referee.games.empire.strategies.estate import Estate
from referee.games.empire.strategies.workshop import Workshop

ABOUT = "Builds motor works, shipyard and distilleries on turn 1, opens what they need, and makes and consumes goods every turn."

_WORKS = ("power station", "motor works", "beer distillery", "cargo shipyard", "steel mill", "beer distillery")


def plan(estate: Estate) -> None:
    """One turn."""
    shop = Workshop(estate)
    estate.pick("truck", "truck")
    estate.consume()
    estate.prune()
    haul(estate)
    cart(estate)
    estate.feed(more=6)
    estate.build(*estate.lacking(*_WORKS))
    shop.goods()
    shop.steel(keep=1)
    if estate.turn % 4 == 3:
        estate.colony()
    estate.open_up(3 if estate.turn == 1 else 1, estate.scarce("Rr", "O", "Fe", "C", "Cu"))
