"""Who plays which country, and which matches can be."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.chance import Chance
from referee.core.game import Options
from referee.core.names import Seat
from referee.games.empire.atlas import board_names, drawn_board
from referee.games.empire.generator import size_for

__all__ = ["NAMES", "SIZES", "boards", "refuse_options", "seat_players"]

NAMES = ("Arcadia", "Borealis", "Cascadia", "Dorado", "Elysia", "Fenmark", "Galatia", "Hesperia")
"""Starting countries; a seat goes by the name of its starting country."""

SIZES = ("small", "medium", "large")
"""Sizes of generated boards, the smallest first."""


def boards() -> tuple[str, ...]:
    """Every board a match may have, the default first."""
    return ("by players", *SIZES, *(f"drawn:{name}" for name in board_names()))


def refuse_options(options: Options, players: int) -> str | None:
    """Two to eight players, on a board with room for them (H-08)."""
    if not 2 <= players <= len(NAMES):
        return f"Empire is for 2 to {len(NAMES)} players, not {players}."
    board = options["board"]
    if board.startswith("drawn:"):
        starts = len(drawn_board(board.removeprefix("drawn:")).starts)
        return f"The board {board} has room for {starts} players, not {players}." if starts < players else None
    if board in SIZES and SIZES.index(board) < SIZES.index(size_for(players)):
        return f"A {board} board is too small for {players} players; take {size_for(players)}."
    return None


def seat_players(wishes: Sequence[tuple[str, ...]], options: Options, chance: Chance) -> tuple[Seat, ...]:
    """First come, first served; who names no free country gets the first that nobody wished for first."""
    free = list(NAMES)
    seats: list[str] = []
    for wished in wishes:
        found = next((name for wish in wished for name in free if name.casefold() == wish.casefold()), "")
        seats.append(found)
        if found:
            free.remove(found)
    return tuple(Seat(seat or free.pop(0)) for seat in seats)
