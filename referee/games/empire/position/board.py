"""The board: terrain and resources of every square, and what lies on its borders. It never changes in a match."""

from __future__ import annotations

from functools import cached_property

import msgspec

from referee.kit.hexes import DIRECTIONS, Grid, grid_of, opposite

WATERS = ("sea", "lake")
"""Kinds of water square."""

RESOURCES = ("delta", "Fe", "C", "O", "X", "Cu", "Rr", "Bx", "power")
"""Kinds of resource square."""

FOODS = ("farm", "fish")
"""Kinds of food square."""

BORDERS = ("river", "double river", "mountain", "reef", "falls", "divided")
"""What may lie on a border between two squares; `divided` makes both sides sub-squares of one square (II.D)."""


class Resource(msgspec.Struct, frozen=True):
    """A resource of a square: 1 single, 2 double, 3 triple."""

    kind: str
    grade: int = 1


class Square(msgspec.Struct, frozen=True):
    """One square: its land or water, whether farm or fish are there, its resources."""

    terrain: str
    food: str = ""
    resources: tuple[Resource, ...] = ()

    @property
    def water(self) -> bool:
        """Whether it is sea or lake."""
        return self.terrain in WATERS


def edge(grid: Grid, here: str, direction: str) -> str:
    """The name of a border, the same from both sides: the cell on whose N, E or Q side it lies, and that side."""
    if direction in DIRECTIONS[:3]:
        return f"{here}{direction}"
    there = grid.step(here, direction)
    return f"{there}{opposite(direction)}" if there else f"{here}{direction}"


class Board(msgspec.Struct, frozen=True, dict=True):
    """A whole board. `squares` by cell name, `borders` by edge name; what is not listed is bare.

    `starts` are the natural start areas, best first, each by the cell of its heart.
    """

    name: str
    columns: int
    rows: int
    wraps: bool
    squares: dict[str, Square]
    borders: dict[str, tuple[str, ...]] = {}
    starts: tuple[str, ...] = ()

    @cached_property
    def grid(self) -> Grid:
        """The cells and who borders whom."""
        return grid_of(self.columns, self.rows, self.wraps)

    @cached_property
    def waters(self) -> frozenset[str]:
        """Every square of sea or lake."""
        return frozenset(name for name, square in self.squares.items() if square.water)

    def border(self, here: str, direction: str) -> tuple[str, ...]:
        """What lies on a border."""
        key = (here, direction)
        found = self._bordering.get(key)
        if found is None:
            found = self._bordering[key] = self.borders.get(edge(self.grid, here, direction), ())
        return found

    @cached_property
    def _bordering(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Borders that were asked for before, from the side they were asked from."""
        return {}

    def coastal(self, here: str) -> bool:
        """A land square with water on any side: a water square next to it, or a river on a border (rulebook I.J)."""
        if self.squares[here].water:
            return False
        around = self.grid.around(here)
        wet = any(self.squares[there].water for _, there in around)
        return wet or any("river" in feature for way, _ in around for feature in self.border(here, way))
