"""Boards as text that a person can draw: those that come with the game, and any board read and written.

A drawing names its size, its start areas and then every square, one token each: two lines a row, first the odd columns,
then the even ones, which lie half a square lower. A token is the terrain, `+` where food grows or fish are caught, and the
resources with their grades: `.+` a farm on plain, `fFe2` forest with double iron, `~O` oil at sea. Borders follow as lists:

    river: c3r4 N E, c4r4 P
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from referee.games.empire.boards.draft import SHORT, TERRAIN, read_draft
from referee.games.empire.position.board import BORDERS, Board, Square
from referee.kit.hexes import DIRECTIONS, cell

_SIGN = {terrain: sign for sign, terrain in TERRAIN.items()}
_LONG = {long: short for short, long in SHORT.items()}


class Misdrawn(ValueError):
    """A drawing that cannot be read; `faults` are sentences, each with its line and column."""

    def __init__(self, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


def board_names() -> tuple[str, ...]:
    """The drawn boards that come with the game."""
    drawings = files(__package__).iterdir()
    return tuple(sorted(path.name.removesuffix(".txt") for path in drawings if path.name.endswith(".txt")))


def drawing_named(name: str) -> str:
    """The drawing of a board that comes with the game. Raises KeyError when there is none."""
    if name not in board_names():
        raise KeyError(name)
    return files(__package__).joinpath(f"{name}.txt").read_text("utf-8")


def drawn_board(name: str) -> Board:
    """A board that comes with the game. Raises KeyError when there is none."""
    return read_board(drawing_named(name))


@lru_cache(maxsize=16)
def read_board(text: str) -> Board:
    """The board of a drawing. Raises Misdrawn, which names every fault found.

    The same text gives the very same board, so that what is worked out about it is found again when a match is replayed.
    """
    draft = read_draft(text)
    if draft.board is None:
        raise Misdrawn(*map(str, draft.faults))
    return draft.board


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
