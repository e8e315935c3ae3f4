"""Who plays which country, and which matches can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from referee.core.chance import Chance
from referee.core.game import Options
from referee.core.names import Seat
from referee.games.empire.boards.draft import Misdrawn, board_names, drawing_named, read_board, write_board
from referee.games.empire.boards.generator import size_for
from referee.games.empire.boards.survey import unlawful
from referee.kit.places import first_come

NAMES = ("Arcadia", "Borealis", "Cascadia", "Dorado", "Elysia", "Fenmark", "Galatia", "Hesperia")
"""Starting countries; a seat goes by the name of its starting country."""

SIZES = ("small", "medium", "large")
"""Sizes of generated boards, the smallest first."""


_DRAWN = "drawn:"


def boards(drawings: Mapping[str, str]) -> tuple[str, ...]:
    """Every board a match may have, the default first; `drawings` are those of this house by name."""
    names = dict.fromkeys([*board_names(), *sorted(drawings)])
    return ("by players", *SIZES, *(f"{_DRAWN}{name}" for name in names))


def with_drawing(options: Options, drawings: Mapping[str, str]) -> dict[str, str] | str:
    """The options and, for a drawn board, its drawing: so the log needs no file. Or why the board cannot be played on.

    A drawing of this house goes before one of the same name that comes with the game.
    """
    board = options["board"]
    if not board.startswith(_DRAWN) or "drawing" in options:
        return dict(options)
    name = board.removeprefix(_DRAWN)
    try:
        text = drawings[name] if name in drawings else drawing_named(name)
    except KeyError:
        return f"There is no board {board}; there are {', '.join(boards(drawings))}."
    drawing, wrong = _judged(text)
    if wrong:
        more = f" That is one of {len(wrong)} faults." if len(wrong) > 1 else ""
        return f"No match can be played on {board}: {wrong[0]}{more} `referee examine board` tells them all."
    return {**options, "drawing": drawing}


@lru_cache(maxsize=16)
def _judged(text: str) -> tuple[str, tuple[str, ...]]:
    """A drawing as a match keeps it, and why no match can be played on it; options are looked at again and again."""
    try:
        board = read_board(text)
    except Misdrawn as misdrawn:
        return "", misdrawn.faults
    return write_board(board), unlawful(board)


def refuse_options(options: Options, players: int) -> str | None:
    """Two to eight players, on a board with room for them (emp.H-08); the options have their drawing."""
    if not 2 <= players <= len(NAMES):
        return f"Empire is for 2 to {len(NAMES)} players, not {players}."
    board = options["board"]
    if "drawing" in options:
        starts = len(read_board(options["drawing"]).starts)
        return f"The board {board} has room for {starts} players, not {players}." if starts < players else None
    if board in SIZES and SIZES.index(board) < SIZES.index(size_for(players)):
        return f"A {board} board is too small for {players} players; take {size_for(players)}."
    return None


def seat_players(wishes: Sequence[tuple[str, ...]], options: Options, chance: Chance) -> tuple[Seat, ...]:
    """First come, first served; who names no free country gets the first that nobody wished for first."""
    return first_come(NAMES, wishes)
