"""Boards as text that a person can draw: read, written and checked.

A drawing names its size, its start areas and then every square, one token each: two lines a row, first the odd columns,
then the even ones, which lie half a square lower. A token is the terrain, `+` where food grows or fish are caught, and the
resources with their grades: `.+` a farm on plain, `fFe2` forest with double iron, `~O` oil at sea. Borders follow as lists:

    river: c3r4 N E, c4r4 P
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from referee.games.empire.board import BORDERS, Board, Resource, Square, edge
from referee.kit.hexes import DIRECTIONS, Grid, cell

__all__ = ["TERRAIN", "Misdrawn", "board_names", "drawn_board", "read_board", "write_board"]

TERRAIN = {
    ".": "plain", "f": "forest", "d": "desert", "s": "swamp", "i": "ice", "~": "sea", "o": "lake",
}  # fmt: skip
"""What the first sign of a square means."""

_SIGN = {terrain: sign for sign, terrain in TERRAIN.items()}
_SHORT = {"D": "delta", "P": "power"}
_LONG = {long: short for short, long in _SHORT.items()}
_SQUARE = re.compile(r"([.fdsi~o])(\+?)((?:(?:Fe|Cu|Rr|Bx|C|O|X|D|P)[123]?)*)")
_RESOURCE = re.compile(r"(Fe|Cu|Rr|Bx|C|O|X|D|P)([123]?)")
_SIZE = re.compile(r"columns (\d+), rows (\d+)(, wraps)?")
_WALL = re.compile(r"(c\d+r\d+)((?: [NEQSWP])+)")


class Misdrawn(ValueError):
    """A drawing that cannot be read; `faults` are sentences, each with its line."""

    def __init__(self, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


def board_names() -> tuple[str, ...]:
    """The drawn boards that come with the game."""
    folder = files(__package__).joinpath("boards")
    return tuple(sorted(path.name.removesuffix(".txt") for path in folder.iterdir() if path.name.endswith(".txt")))


@cache
def drawn_board(name: str) -> Board:
    """A drawn board by its name. Raises KeyError when there is none."""
    if name not in board_names():
        raise KeyError(name)
    return read_board(files(__package__).joinpath("boards", f"{name}.txt").read_text("utf-8"))


# ---------------------------------------------------------------- reading


@lru_cache(maxsize=16)
def read_board(text: str) -> Board:
    """The board of a drawing. Raises Misdrawn, which names every fault found.

    The same text gives the very same board, so that what is worked out about it is found again when a match is replayed.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    head = {key: rest.strip() for _, line in lines for key, colon, rest in [line.partition(":")] if colon}
    size = _SIZE.fullmatch(head.get("size", ""))
    if size is None:
        raise Misdrawn("A drawing says its size, such as `size: columns 24, rows 18, wraps`.")
    columns, rows, wraps = int(size[1]), int(size[2]), size[3] is not None
    if wraps and columns % 2:
        raise Misdrawn(f"A board that wraps has an even number of columns; this one has {columns}.")
    grid = Grid(columns, rows, wraps)
    squares, faults = _squares([(n, line) for n, line in lines if ":" not in line], columns, rows)
    borders, more = _borders([(n, line) for n, line in lines if ":" in line], grid)
    starts = tuple(head.get("starts", "").split())
    strange = [f"The start {start} is no square of the board." for start in starts if start not in grid]
    if faults or more or strange:
        raise Misdrawn(*faults, *more, *strange)
    return Board(head.get("board", "unnamed"), columns, rows, wraps, squares, borders, starts)


def _squares(lines: Sequence[tuple[int, str]], columns: int, rows: int) -> tuple[dict[str, Square], list[str]]:
    faults: list[str] = []
    found: dict[str, Square] = {}
    if len(lines) != 2 * rows:
        faults.append(f"{rows} rows need {2 * rows} lines of squares, odd columns first; there are {len(lines)}.")
    for at, (number, line) in enumerate(lines[: 2 * rows]):
        row, first = at // 2 + 1, at % 2 + 1
        tokens, places = line.split(), range(first, columns + 1, 2)
        if len(tokens) != len(places):
            kind = "even" if first == 2 else "odd"
            faults.append(f"Line {number}: row {row} has {len(places)} {kind} columns, but {len(tokens)} squares.")
        for column, token in zip(places, tokens, strict=False):
            square = _square(token)
            if square is None:
                faults.append(f"Line {number}: {token} is no square; write terrain, +, resources, such as .+Fe2.")
            else:
                found[cell(column, row)] = square
    ordered = {name: found[name] for name in Grid(columns, rows, False).cells() if name in found}
    return ordered, faults


def _square(token: str) -> Square | None:
    found = _SQUARE.fullmatch(token)
    if found is None:
        return None
    terrain = TERRAIN[found[1]]
    food = "" if not found[2] else "fish" if terrain in ("sea", "lake") else "farm"
    resources = (Resource(_SHORT.get(kind, kind), int(grade or 1)) for kind, grade in _RESOURCE.findall(found[3]))
    return Square(terrain, food, tuple(resources))


def _borders(lines: Sequence[tuple[int, str]], grid: Grid) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    faults: list[str] = []
    found: dict[str, tuple[str, ...]] = {}
    for number, line in lines:
        what, _, rest = line.partition(":")
        if what in ("board", "size", "starts"):
            continue
        if what not in BORDERS:
            faults.append(f"Line {number}: {what} is no border; there are {', '.join(BORDERS)}.")
            continue
        for part in filter(None, (part.strip() for part in rest.split(","))):
            wall = _WALL.fullmatch(part)
            if wall is None or wall[1] not in grid:
                faults.append(f"Line {number}: {part} is no border; write a square and its sides, such as c3r4 N E.")
                continue
            for side in wall[2].split():
                name = edge(grid, wall[1], side)
                there = found.get(name, ())
                found[name] = there if what in there else (*there, what)
    return {name: tuple(w for w in BORDERS if w in found[name]) for name in sorted(found)}, faults


# ---------------------------------------------------------------- writing


def write_board(board: Board) -> str:
    """The drawing of a board; reading it again gives the same board."""
    wraps = ", wraps" if board.wraps else ""
    head = [f"board: {board.name}", f"size: columns {board.columns}, rows {board.rows}{wraps}"]
    starts = [f"starts: {' '.join(board.starts)}"] if board.starts else []
    width = max(len(_token(square)) for square in board.squares.values()) + 1
    return "\n".join([*head, *starts, "", *_drawn_rows(board, width), "", *_drawn_borders(board)]).rstrip() + "\n"


def _drawn_rows(board: Board, width: int) -> Iterator[str]:
    for row in range(1, board.rows + 1):
        for first in (1, 2):
            tokens = [_token(board.squares[cell(column, row)]) for column in range(first, board.columns + 1, 2)]
            yield (" " * (width if first == 2 else 0) + "".join(token.ljust(2 * width) for token in tokens)).rstrip()


def _token(square: Square) -> str:
    resources = "".join(f"{_LONG.get(r.kind, r.kind)}{r.grade if r.grade > 1 else ''}" for r in square.resources)
    return f"{_SIGN[square.terrain]}{'+' if square.food else ''}{resources}"


def _drawn_borders(board: Board) -> Iterator[str]:
    """Every kind of border, a line for each few squares so that a person can find them."""
    for what in BORDERS:
        sides: dict[str, list[str]] = {}
        for name in sorted(board.borders):
            if what in board.borders[name]:
                sides.setdefault(name[:-1], []).append(name[-1])
        walls = [f"{here} {' '.join(sorted(ways, key=DIRECTIONS.index))}" for here, ways in sides.items()]
        for at in range(0, len(walls), 8):
            yield f"{what}: {', '.join(walls[at : at + 8])}"
