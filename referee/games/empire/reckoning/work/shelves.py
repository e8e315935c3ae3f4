"""The goods of a country while a turn's end is planned: what one factory takes, no other has."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.empire.position.pieces import Lot, Position
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.lots import withdrawn
from referee.games.empire.reckoning.supply.stores import short, taken_all


class Shelves:
    """What is left of the goods of a country, square by square."""

    def __init__(self, empire: Empire, country: str) -> None:
        self._left, self._country = empire, country

    def lacking(self, at: Position, needs: Mapping[str, int]) -> dict[str, int]:
        """What is missing in a square of what is needed."""
        return short(self._left, self._country, (at,), needs)

    def take(self, at: Position, needs: Mapping[str, int]) -> tuple[Lot, ...]:
        """Take all that is needed in a square, or nothing where something lacks."""
        if self.lacking(at, needs):
            return ()
        lots = taken_all(self._left, self._country, (at,), needs)
        self._left = withdrawn(self._left, lots)
        return lots
