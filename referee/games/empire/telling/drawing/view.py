"""The look of the map, on dark paper too, the squares it shows and their places, and room on it for writing.

A map shows a whole board, or a window of it that may lie across the seam. Every class begins with em-.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property
from math import ceil, sqrt

import msgspec

from referee.games.empire.position import Board
from referee.kit.drawing import FACE, Type, is_light, px, words
from referee.kit.hexes import DIRECTIONS, cell, place_of

TITLE, AXIS, RICHES, UNITS, NAME, NUMBER, SAID, COUNTRY = (
    Type("em-t", 15, True), Type("em-ax", 10.5), Type("em-re", 10.5, True), Type("em-un", 10.5, True), Type("em-na", 11, True),
    Type("em-go", 10.5, True), Type("em-l", 10.5), Type("em-b", 11, True),
)  # fmt: skip
TYPES = (TITLE, AXIS, RICHES, UNITS, NAME, NUMBER, SAID, COUNTRY)
"""All type of the map; on a telephone, where half a map is as wide as the screen, it can be read."""

TERRAINS = {
    "plain": ("#f1ecca", "#57523a"), "forest": ("#bfd9a3", "#3c5632"), "desert": ("#f3d694", "#6d5528"),
    "swamp": ("#b9c9b4", "#43544a"), "ice": ("#ffffff", "#8c97a0"), "sea": ("#cfe3f4", "#1d3341"), "lake": ("#a9d3ee", "#28546f"),
}  # fmt: skip
"""The colour of each terrain on light and on dark paper."""

_DARK = (
    ".em-paper{fill:#14181c}.em-t,.em-l,.em-b{fill:#e6e2d6}.em-ax{fill:#a2abb3}.em-na{fill:#f4f1e8;stroke:#14181c}"
    ".em-go{fill:#f4f1e8;stroke:#14181c}.em-ca{fill:#f4f1e8;stroke:#14181c}.em-grid{stroke:#0f1316}"
    ".em-fa{stroke:#c3d27a}.em-fi{fill:#7fc4f0}.em-fo{fill:#79b36a;stroke:#79b36a}.em-sw{stroke:#9db8a6}.em-du{stroke:#d9b26a}"
    ".em-si,.em-fc{stroke:#f4f1e8}.em-fc{fill:#e6e2d6}.em-st,.em-win{stroke:#ff8a8a}"
    ".em-b-river{stroke:#6db8f5}.em-b-dr{stroke:#6db8f5}.em-b-di{stroke:#1d3341}.em-b-falls{stroke:#bfe0f7}.em-b-reef{stroke:#e08acb}"
    ".em-b-mountain{fill:#f4f1e8;stroke:#14181c}.em-b-divided{stroke:#f4f1e8}.em-n-pipe{stroke:#7fc7ab}.em-n-power{stroke:#c79aea}"
    ".em-n-road,.em-n-tunnel,.em-n-bridge{stroke:#e0995a}.em-n-rail,.em-n-ties{stroke:#f4f1e8}.em-n-canal{stroke:#6db8f5}"
    ".em-tw{stroke:#14181c}"
)


@cache
def style() -> str:
    """The style sheet of the picture, which each of its parts is drawn by."""
    types = "".join(f".{type.name}{{{type.rule}}}" for type in TYPES)
    grounds = "".join(f".em-{name}{{fill:{light}}}" for name, (light, _) in TERRAINS.items())
    return (
        f".em{{font-family:{FACE}}}{types}{grounds}"
        ".em-t,.em-l,.em-b,.em-k{fill:#111}.em-ax{fill:#555}.em-w{fill:#fff}.em-paper{fill:#fff}.em-grid{stroke:#8d8d80;stroke-width:.5}"
        ".em-na{fill:#111;stroke:#fff;stroke-width:2.6px;paint-order:stroke;stroke-linejoin:round}"
        ".em-go{fill:#111;stroke:#fff;stroke-width:2.2px;paint-order:stroke;stroke-linejoin:round}"
        ".em-pl{stroke:#000;stroke-width:.6}.em-ci{stroke:#000;stroke-width:1.2}"
        ".em-fa{fill:none;stroke:#6b7d00;stroke-width:1.3}.em-fi{fill:#1b6ea8}.em-fo{fill:#4c8a3c;stroke:#4c8a3c;stroke-width:.8}"
        ".em-sw{fill:none;stroke:#4d6a57;stroke-width:1}.em-du{fill:none;stroke:#a8782a;stroke-width:1.8;stroke-linecap:round}"
        ".em-si{fill:none;stroke:#111;stroke-width:1.2;stroke-dasharray:2 2}.em-fc{fill:#444}"
        ".em-wk{fill:#fff;stroke:#a00018;stroke-width:1.4}.em-of{fill-opacity:.55}.em-ri{stroke-width:2.2}.em-at{fill:none;cursor:pointer}.em-rp{stroke:#fff;stroke-width:.6}"
        ".em-tw{fill:none;stroke:#fff;stroke-width:3.4;stroke-opacity:.8;stroke-linejoin:round}"
        ".em-tr{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-dasharray:5 2}.em-th{stroke:#fff;stroke-width:.7}"
        ".em-st{fill:none;stroke:#a00018;stroke-width:1;stroke-dasharray:3 2}.em-win{fill:none;stroke:#a00018;stroke-width:2}"
        ".em-b-river{fill:none;stroke:#2b7fd0;stroke-width:2.4;stroke-linecap:round;stroke-linejoin:round}"
        ".em-b-dr{fill:none;stroke:#1c5fa8;stroke-width:6;stroke-linecap:round;stroke-linejoin:round}"
        ".em-b-di{fill:none;stroke:#bfe0f7;stroke-width:2.6;stroke-linecap:round;stroke-linejoin:round}.em-b-falls{fill:none;stroke:#0b2f66;stroke-width:1.3}"
        ".em-b-reef{fill:none;stroke:#8a2f73;stroke-width:1.5}.em-b-mountain{fill:#2a2320;stroke:#fff;stroke-width:.5}"
        ".em-b-divided{fill:none;stroke:#111;stroke-width:11;stroke-opacity:.35}"
        ".em-n-canal{fill:none;stroke:#1c5fa8;stroke-width:4.5;stroke-linecap:round}"
        ".em-n-widening{fill:none;stroke:#5cb0ec;stroke-width:5}.em-n-pipe{fill:none;stroke:#2f6f57;stroke-width:2}"
        ".em-n-power{fill:none;stroke:#7a3fa0;stroke-width:1.5;stroke-dasharray:4 2}"
        ".em-n-road{fill:none;stroke:#a85a1e;stroke-width:2.6}.em-n-rail{fill:none;stroke:#111;stroke-width:1.2}"
        ".em-n-tunnel{fill:none;stroke:#a85a1e;stroke-width:2.6;stroke-dasharray:2 2}"
        ".em-n-ties{fill:none;stroke:#111;stroke-width:4.6;stroke-dasharray:1.2 3.2}"
        ".em-n-bridge{fill:none;stroke:#7a3c0a;stroke-width:5}"
    )


@cache
def page_style() -> str:
    """The styles that pages need beside it: dark paper."""
    grounds = "".join(f".em-{name}{{fill:{dark}}}" for name, (_, dark) in TERRAINS.items())
    return f"@media(prefers-color-scheme:dark){{{_DARK}{grounds}}}"


def ink(colour: str) -> str:
    """The class of letters that can be read on a colour."""
    return "em-k" if is_light(colour) else "em-w"


Box = tuple[float, float, float, float]
"""Left, top, right and lower end."""

_CELL = 48


def box_round(x: float, y: float, width: float, height: float) -> Box:
    """The box of a size round a point."""
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def whole(box: Box) -> tuple[int, int, int, int]:
    """The box in whole pixels: left, top, width, height."""
    left, top = int(box[0]), int(box[1])
    return left, top, ceil(box[2]) - left, ceil(box[3]) - top


class Room:
    """The room taken of a map inside its edges; nothing may lie across its seam."""

    def __init__(self, edges: Box, seam: float) -> None:
        self._edges, self._seam = edges, seam
        self._taken: dict[tuple[int, int], list[Box]] = {}

    def take(self, box: Box) -> None:
        """Take a box, so that nothing later covers it."""
        for spot in _cells(box):
            self._taken.setdefault(spot, []).append(box)

    def free(self, box: Box) -> bool:
        """Whether a box lies on one side of the seam, inside the map, and on nothing."""
        edges = zip((*self._edges[:2], *box[2:]), (*box[:2], *self._edges[2:]), strict=True)
        if box[0] < self._seam < box[2] or any(less > more for less, more in edges):
            return False
        return not any(_meet(box, other) for spot in _cells(box) for other in self._taken.get(spot, ()))

    def place(self, ways: Iterable[Sequence[Box]]) -> int | None:
        """The number of the first way whose boxes are all free, which are taken then; None where none is."""
        for number, boxes in enumerate(ways):
            if all(map(self.free, boxes)):
                for box in boxes:
                    self.take(box)
                return number
        return None


def _cells(box: Box) -> list[tuple[int, int]]:
    left, top, right, low = (int(end // _CELL) for end in box)
    return [(across, down) for across in range(left, right + 1) for down in range(top, low + 1)]


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


STACKS = (1, 2, 4, 8, 16)
"""So many squares of one terrain below each other are drawn as one shape."""

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
        return {name: self._middle(at, row) for row in range(self.rows) for at, name in self.row(row)}

    def row(self, row: int) -> Iterator[tuple[int, str]]:
        """The squares shown of a row, each with its place in it."""
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

    @property
    def spots(self) -> tuple[float, float, float, float]:
        """Where the first square has its middle, were its column of odd number, and how far it is to the next column and row."""
        return _MARGIN + self.radius, _MARGIN + self.tall, 1.5 * self.radius, 2 * self.tall

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

    def stack(self, many: int) -> str:
        """The name of the outlines of so many squares below each other."""
        return self.shape if many == 1 else f"{self.shape}-{many}"

    def shapes(self) -> str:
        """The outline of a square and, where there is room for signs, of 2, 4, 8 and 16 below each other, to be used by name."""
        stacks = (
            f'<g id="{self.stack(many)}"><use href="#{self.stack(many // 2)}"/>'
            f'<use href="#{self.stack(many // 2)}" y="{px(self.tall * many)}"/></g>'
            for many in (STACKS[1:] if self.detailed else ())
        )
        return f'<path id="{self.shape}" d="{self.hexagon()}"/>{"".join(stacks)}'

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
