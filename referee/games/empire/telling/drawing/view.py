"""Which squares a map shows and where they lie on it: a whole board, or a window of it that may lie across the seam."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from math import ceil, sqrt

import msgspec

from referee.games.empire.position.board import Board
from referee.games.empire.telling.drawing.style import AXIS
from referee.kit.drawing.lettering import words
from referee.kit.drawing.svg import px
from referee.kit.hexes import DIRECTIONS, cell, place_of

_ROOT = sqrt(3)
_MARGIN = 20
NARROW = 480
"""So many pixels a telephone shows large enough."""


class View(msgspec.Struct, frozen=True, dict=True):
    """So many columns and rows of a board from its first; `radius` of a square in pixels, from its middle to a corner."""

    board: Board
    radius: float
    columns: int
    rows: int
    first_column: int = 1
    first_row: int = 1

    @cached_property
    def width(self) -> int:
        """The width in whole pixels, with the margins where rows are numbered."""
        return ceil(self.radius * (1.5 * self.columns + 0.5)) + 2 * _MARGIN

    @cached_property
    def height(self) -> int:
        """The height in whole pixels."""
        return ceil(self.radius * _ROOT * (self.rows + 0.5)) + 2 * _MARGIN

    @property
    def detailed(self) -> bool:
        """Whether there is room for words and numbers in a square."""
        return self.radius >= 18

    @property
    def tall(self) -> float:
        """From the middle of a square to its upper border."""
        return self.radius * _ROOT / 2

    @property
    def shape(self) -> str:
        """The name of the outline of its squares among the definitions of a drawing."""
        return f"em-h{round(self.radius * 10)}"

    @cached_property
    def seam(self) -> float:
        """Where it may be cut in two, between two columns in its middle; 0 for one that is narrow."""
        if self.width <= NARROW:
            return 0
        return _MARGIN + self.radius * (1.5 * ((self.columns + 1) // 2) + 0.25)

    @property
    def edges(self) -> tuple[float, float, float, float]:
        """Left, top, right and lower end of what lies between the numbers of rows and below those of columns."""
        return _MARGIN - 1, 15, self.width - _MARGIN + 1, self.height

    def box(self, places: Collection[str], room: int) -> tuple[int, int, int, int]:
        """Left, top, width and height of what lies round these squares, with so much room, inside the view."""
        xs, ys = zip(*(self.middles[at] for at in places), strict=True)
        left, top = max(0, int(min(xs)) - room), max(0, int(min(ys)) - room)
        return left, top, min(self.width, int(max(xs)) + room) - left, min(self.height, int(max(ys)) + room) - top

    def beside(self, x: float, width: float) -> float:
        """The point nearest to x in which something so wide can have its middle, on the map and off its seam."""
        half = width / 2 + 1
        if x - half < self.seam < x + half:
            x = self.seam - half if x < self.seam else self.seam + half
        left, _, right, _ = self.edges
        return min(max(x, left + half), right - half) if 2 * half < right - left else self.width / 2

    @cached_property
    def middles(self) -> dict[str, tuple[float, float]]:
        """The middle of every square shown, row by row."""
        return {name: self._middle(at, row) for row in range(self.rows) for at, name in self._row(row)}

    def _row(self, row: int) -> Iterator[tuple[int, str]]:
        for at in range(self.columns):
            column = self.first_column + at
            if self.board.wraps:
                column = (column - 1) % self.board.columns + 1
            name = cell(column, self.first_row + row)
            if name in self.board.squares:
                yield at, name

    def _middle(self, at: int, row: int) -> tuple[float, float]:
        lower = (self.first_column + at) % 2 == 0
        down = row + 0.5 + (0.5 if lower else 0)
        return _MARGIN + self.radius * (1 + 1.5 * at), _MARGIN + self.radius * _ROOT * down

    def side(self, name: str, direction: str) -> tuple[tuple[float, float], tuple[float, float]]:
        """Both ends of a border of a square, clockwise."""
        x, y = self.middles[name]
        at, r = DIRECTIONS.index(direction), self.radius
        corners = ((-0.5, -1), (0.5, -1), (1.0, 0), (0.5, 1), (-0.5, 1), (-1.0, 0))
        (a, b), (c, d) = corners[at], corners[(at + 1) % 6]
        tall = r * _ROOT / 2
        return (x + a * r, y + b * tall), (x + c * r, y + d * tall)

    def door(self, name: str, direction: str) -> tuple[float, float]:
        """The middle of a border."""
        (a, b), (c, d) = self.side(name, direction)
        return (a + c) / 2, (b + d) / 2

    def sides_shown(self, name: str) -> tuple[tuple[str, str], ...]:
        """A border as the squares shown see it: once where both sides lie side by side, from each side across a seam."""
        here, way = name[:-1], name[-1]
        there = self.board.grid.step(here, way)
        found = [(here, way)] if here in self.middles else []
        if there in self.middles and (not found or self._torn(here, there or "")):
            found.append((there or "", DIRECTIONS[(DIRECTIONS.index(way) + 3) % 6]))
        return tuple(found)

    def _torn(self, one: str, other: str) -> bool:
        return abs(self.middles[one][0] - self.middles[other][0]) > 2 * self.radius

    def hexagon(self) -> str:
        """The outline of a square round the zero point, as the data of a path."""
        r, tall = self.radius, self.radius * _ROOT / 2
        corners = ((-r / 2, -tall), (r / 2, -tall), (r, 0), (r / 2, tall), (-r / 2, tall), (-r, 0))
        return "M" + "L".join(f"{px(x)} {px(y)}" for x, y in corners) + "z"

    def numbers(self) -> str:
        """Columns along the top, rows along both sides."""
        every = 1 if self.detailed else 5
        found = []
        for name, (x, y) in self.middles.items():
            column, row = place_of(name)
            if row == self.first_row and column % every == 0:
                found.append(words(f"c{column}", x, 12, AXIS, anchor=0.5))
            if column == self.first_column and row % every == 0:
                said = f"r{row}" if every == 1 else f"{row}"
                found += [words(said, at, y + 4, AXIS, anchor=0.5) for at in (_MARGIN / 2, self.width - _MARGIN / 2)]
        return "".join(found)


def fitting(board: Board, width: int, height: int) -> float:
    """The radius of squares by which a whole board is no larger than this."""
    across, down = width - 2 * _MARGIN - 1, height - 2 * _MARGIN - 1
    return min(across / (1.5 * board.columns + 0.5), down / (_ROOT * (board.rows + 0.5)))
