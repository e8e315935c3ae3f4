"""The words of a game with every seat taken."""

from __future__ import annotations

from referee.core.chance import Keyed
from referee.core.game import AnyGame
from referee.core.order import Vocabulary


def vocabulary_with_all_seats(game: AnyGame) -> Vocabulary:
    options = {setting.name: setting.default for setting in game.settings}
    wishes = tuple(() for _ in game.seat_names(options))
    seats = game.seat_players(wishes, options, Keyed(b"words", 0))
    return game.vocabulary(game.setup(seats, options))
