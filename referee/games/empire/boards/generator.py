"""A board nobody has drawn (emp.H-08): start areas first, land and terrain round them, then rivers, ranges and riches.

Chance is handed in as `pick`, so the same chance gives the same board; a board that is not sound is thrown away for the
next. Natural sub-squares are never made (emp.H-09).
"""

from __future__ import annotations

from hashlib import sha256
from itertools import count

from msgspec.structs import replace

from referee.games.empire.boards.landscape import Pick, hearts, mountains, reefs, rivers, shores, terrains
from referee.games.empire.boards.riches import enrich
from referee.games.empire.boards.survey import faults, start_areas
from referee.games.empire.position.board import Board, Square
from referee.kit.hexes import Grid, grid_of

SIZES = {"small": (24, 18), "medium": (36, 24), "large": (72, 42)}
"""Columns and rows of the sizes of board: for up to 4, up to 6, and up to 8 players (emp.H-08)."""

_TRIES = 20


def size_for(players: int) -> str:
    """The size of board that so many players use unless they agree otherwise (emp.H-08)."""
    return "small" if players <= 4 else "medium" if players <= 6 else "large"


def picker(seed: int) -> Pick:
    """A stream of chance that one number decides, for a board that is to cost a single roll."""
    counter = count()

    def pick(sides: int) -> int:
        """Eight bytes for a few sides: what is uneven about it nobody could ever measure."""
        told = sha256(f"empire board {seed} {next(counter)}".encode()).digest()
        return int.from_bytes(told[:8], "big") % sides

    return pick


def generate(size: str, starts: int, pick: Pick, name: str = "") -> Board:
    """A sound board of a size with so many start areas.

    Raises ValueError when the size is none or cannot hold so many start areas more than 12 BTA apart.
    """
    if size not in SIZES or starts < 1:
        raise ValueError(f"no board of size {size!r} with {starts} starts; sizes are {', '.join(SIZES)}")
    grid = grid_of(*SIZES[size])
    for _ in range(_TRIES):
        board = _attempt(grid, starts, pick, name or f"generated, {size}")
        if not faults(board):
            return board
    raise ValueError(f"a {size} board has no room for {starts} start areas")


def _attempt(grid: Grid, number: int, pick: Pick, name: str) -> Board:
    starts = hearts(grid, number, pick)
    ground = shores(grid, starts, pick)
    water = rivers(grid, ground, pick)
    ranges = mountains(grid, ground, water, starts, pick)
    borders = {**water, **ranges, **reefs(grid, ground, pick)}
    terrain = terrains(grid, ground, starts, pick)
    bare = {square: Square(what) for square, what in terrain.items()}
    board = Board(name, grid.columns, grid.rows, grid.wraps, bare, dict(sorted(borders.items())), starts)
    return replace(board, squares=enrich(board, start_areas(board), pick))
