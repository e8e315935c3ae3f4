"""Lines of supply: which squares food can reach within 12 BTA, over what, and what cuts it (emp.F2, emp.H-10); and water."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from referee.games.empire.position.pieces import Position
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.distance import reach, spread, supply_steps, ways_of
from referee.games.empire.reckoning.movement.passage import Ways
from referee.games.empire.reckoning.war.zones import blocked_by_coolies, land_zone, naval_zone
from referee.kit.hexes import DIRECTIONS


class Tracing:
    """The supply lines of one country in one position. `looked` counts the squares whose borders were examined."""

    def __init__(self, empire: Empire, country: str) -> None:
        self.looked = 0
        self._board = empire.board
        self.cut = land_zone(empire, country)
        self._ends = self.cut | blocked_by_coolies(empire, country)
        self._ways = ways = ways_of(empire)
        ferries = dict.fromkeys(
            unit.at
            for unit in empire.units.values()
            if unit.kind == "cargo ship" and empire.friendly(unit.country, country)
        )
        self._step = supply_steps(ways, _sailed(ways, tuple(ferries), naval_zone(empire, country)))

    def reached(self, start: Position) -> dict[Position, int]:
        """Every square that food from `start` can reach within 12 BTA, with its cost in thirtieths, the nearest first.

        A square in hostile hands is reached and not passed; out of a hostile zone of control nothing goes.
        """
        return (
            dict.fromkeys(self.square(start), 0)
            if start in self.cut
            else reach(self._looking, (start,), ends=self._ends)
        )

    def square(self, at: Position) -> tuple[Position, ...]:
        """The square itself, with the sub-squares joined to it: food in one's own square needs no line (emp.F2)."""
        return self._ways.one_square(at)

    def nearest(self, starts: Iterable[Position], at: Position, armed: bool = False) -> Position | None:
        """The start from which food reaches a square at the least cost, for who has no arms or has; None if from none."""
        own = self.square(at)
        open_to = (start for start in starts if start not in self.cut and (armed or at not in self.cut))
        sources = dict.fromkeys((*(start for start in starts if start in own), *open_to), 0)
        came = spread(self._looking, sources, ends=self._ends, goal=at)[1]
        if at not in came:
            return None
        while came[at]:
            at = came[at]
        return at

    def _looking(self, here: Position) -> Sequence[tuple[Position, int]]:
        self.looked += 1
        return self._step(here)

    def watered(self, at: Position, springs: Collection[Position], squares: int = 4) -> bool:
        """Whether fresh water comes to a square: from a lake, a river or one of `springs` within four squares."""
        far, walk = {at: 0}, [at]
        for here in walk:
            if here in springs or self._fresh(here):
                return True
            for there in self._open_to(here) if far[here] < squares and here not in self.cut else ():
                if there not in far and there not in self.cut:
                    far[there] = far[here] + 1
                    walk.append(there)
        return False

    def _open_to(self, here: Position) -> list[Position]:
        return [there for way, there in self._ways.grid.around(here) if not self._ways.ridge(here, way)]

    def _fresh(self, here: Position) -> bool:
        rivers = any("river" in feature for way in DIRECTIONS for feature in self._board.border(here, way))
        return self._board.squares[here].terrain == "lake" or rivers


@lru_cache(maxsize=32)
def _sailed(ways: Ways, ships: tuple[Position, ...], closed: frozenset[Position]) -> frozenset[str]:
    """The waters on which these ships are, remembered: bodies of water are large and change seldom."""
    return ways.waters(ships, closed)
