"""What orders and standing orders of War! are made of."""

from __future__ import annotations

from referee.games.war.deeds.lots import Lot, lots_in_words, named_fleets

__all__ = [
    "Lot",
    "lots_in_words",
    "named_fleets",
]
