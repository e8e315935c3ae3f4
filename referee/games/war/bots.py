"""Random but purposeful order sheets for every stage, for bots that test the rules and for tables that want a dummy."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Pick
from referee.games.war.board import BOARD
from referee.games.war.intents import DraftRegions
from referee.games.war.state import War

__all__ = ["suggest"]


def suggest(war: War, seat: Seat, pick: Pick) -> tuple[Intent, ...]:
    """A sheet for the stage that is being played."""
    if war.stage == "setup" and not war.regions_of(seat):
        return (DraftRegions(_shuffled(tuple(BOARD.regions), pick)),)
    return ()


def _shuffled(names: tuple[str, ...], pick: Pick) -> tuple[str, ...]:
    left = list(names)
    return tuple(left.pop(pick(len(left))) for _ in names)
