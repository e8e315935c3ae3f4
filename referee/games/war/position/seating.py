"""Who plays which colour."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.chance import Chance
from referee.core.game import Options
from referee.core.names import Seat
from referee.games.war.position.options import excluded
from referee.games.war.rulebook.board import COLOURS
from referee.kit.places import first_come


def refuse_options(options: Options, players: int) -> str | None:
    """27.setup.3: two to eight players; optional rules that exclude each other."""
    if not 2 <= players <= len(COLOURS):
        return f"War! is for 2 to {len(COLOURS)} players, not {players}."
    return excluded(options)


def seat_players(wishes: Sequence[tuple[str, ...]], options: Options, chance: Chance) -> tuple[Seat, ...]:
    """R27-80"""
    return first_come(tuple(COLOURS), wishes)
