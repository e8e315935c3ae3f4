"""The games: an explicit tuple, one value per rulebook edition."""

from __future__ import annotations

from referee.core.game import AnyGame
from referee.games.empire.game import EmpireGame
from referee.games.newworld import NewWorld
from referee.games.war.game import War27
from referee.games.war17.game import War17

__all__ = ["GAMES", "game_named"]

GAMES: tuple[AnyGame, ...] = (NewWorld(), War17(), War27(), EmpireGame())
"""Every game this referee knows."""


def game_named(name: str) -> AnyGame:
    """The game of this name, in any case. Raises KeyError."""
    for game in GAMES:
        if game.name == name.casefold():
            return game
    raise KeyError(name)
