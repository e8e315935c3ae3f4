"""A board of hexagonal cells in columns, every second column half a cell lower, closed east to west if it wraps.

Cells go by names such as c12r7: column and row from 1. Directions are N E Q S W P, clockwise in steps of 60 degrees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

DIRECTIONS = ("N", "E", "Q", "S", "W", "P")
"""North, then clockwise."""

_TURNED = {
    (direction, steps): DIRECTIONS[(index + steps) % 6]
    for index, direction in enumerate(DIRECTIONS)
    for steps in range(-6, 7)
}
"""Every turn up to a whole one, looked up: a search asks for millions."""

_BACK = {direction: DIRECTIONS[(index + 3) % 6] for index, direction in enumerate(DIRECTIONS)}

_CELL = re.compile(r"c(\d{1,3})r(\d{1,3})")


def cell(column: int, row: int) -> str:
    """The name of a cell."""
    return f"c{column}r{row}"


@lru_cache(maxsize=8192)
def place_of(name: str) -> tuple[int, int]:
    """Column and row of a cell. Raises ValueError when the name is none."""
    found = _CELL.fullmatch(name)
    if found is None:
        raise ValueError(f"{name!r} is no cell such as c12r7")
    return int(found[1]), int(found[2])


def opposite(direction: str) -> str:
    """The way back."""
    return _BACK[direction]


def turned(direction: str, steps: int) -> str:
    """A direction turned clockwise by so many steps of 60 degrees."""
    found = _TURNED.get((direction, steps))
    return found if found is not None else DIRECTIONS[(DIRECTIONS.index(direction) + steps) % 6]


@lru_cache(maxsize=16)
def grid_of(columns: int, rows: int, wraps: bool = True) -> Grid:
    """The very same grid for all boards of a size, so that who borders whom is found out once."""
    return Grid(columns, rows, wraps)


class Grid:
    """So many columns and rows; even columns lie half a cell lower. `wraps`: the last column borders the first."""

    def __init__(self, columns: int, rows: int, wraps: bool = True) -> None:
        if wraps and columns % 2:
            raise ValueError("a board that wraps has an even number of columns")
        self.columns, self.rows, self.wraps = columns, rows, wraps
        self._around: dict[str, tuple[tuple[str, str], ...]] = {}
        self._steps: dict[tuple[str, str], str | None] = {}

    def __contains__(self, name: str) -> bool:
        found = _CELL.fullmatch(name)
        return found is not None and 1 <= int(found[1]) <= self.columns and 1 <= int(found[2]) <= self.rows

    def cells(self) -> Iterator[str]:
        """Every cell, row by row."""
        return (cell(column, row) for row in range(1, self.rows + 1) for column in range(1, self.columns + 1))

    def step(self, name: str, direction: str) -> str | None:
        """The neighbour that way, None beyond the edge."""
        key = (name, direction)
        try:
            return self._steps[key]
        except KeyError:
            found = self._steps[key] = self._stepped(name, direction)
            return found

    def _stepped(self, name: str, direction: str) -> str | None:
        column, row = place_of(name)
        low = column % 2 == 0
        right = direction in ("E", "Q")
        match direction:
            case "N":
                row -= 1
            case "S":
                row += 1
            case "E" | "P":
                column, row = column + (1 if right else -1), row if low else row - 1
            case _:
                column, row = column + (1 if right else -1), row + 1 if low else row
        if self.wraps:
            column = (column - 1) % self.columns + 1
        return cell(column, row) if 1 <= column <= self.columns and 1 <= row <= self.rows else None

    def around(self, name: str) -> tuple[tuple[str, str], ...]:
        """The neighbours clockwise from north, each as (direction, cell)."""
        found = self._around.get(name)
        if found is None:
            steps = ((direction, self.step(name, direction)) for direction in DIRECTIONS)
            found = self._around[name] = tuple((direction, there) for direction, there in steps if there is not None)
        return found

    def apart(self, here: str, there: str) -> int:
        """How many borders lie between two cells, whatever is on them."""
        (from_column, from_row), (to_column, to_row) = place_of(here), place_of(there)
        found = _borders(from_column, from_row, to_column, to_row)
        if self.wraps:
            for round_ in (to_column + self.columns, to_column - self.columns):
                if abs(round_ - from_column) < found:  # no cell is nearer than its column
                    found = min(found, _borders(from_column, from_row, round_, to_row))
        return found

    def direction(self, here: str, there: str) -> str | None:
        """The direction of a neighbour; None when the cells are not neighbours."""
        return next((direction for direction, name in self.around(here) if name == there), None)


def _borders(from_column: int, from_row: int, to_column: int, to_row: int) -> int:
    """The longest of the three axes of a hexagonal board is the distance."""
    across = to_column - from_column
    down = (to_row - (to_column - 1) // 2) - (from_row - (from_column - 1) // 2)
    return max(abs(across), abs(down), abs(across + down))
