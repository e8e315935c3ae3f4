"""The games under test, and games of them played once for all tests of the suite."""

from __future__ import annotations

from functools import cache

import pytest

from referee.core.game import AnyGame
from referee.games import GAMES
from tests.contract.bots import GameRecord, plans, play_bots
from tests.toy import TOY

UNDER_TEST: tuple[AnyGame, ...] = (TOY, *GAMES)
PLAYED = 44
"""Bot games a game, enough for every event to come up at least once."""

PLAYED_OF = {"empire": 30}
"""Fewer where the bot games are long and much happens in each."""

LONGEST = 3000
"""Phases after which a bot game is given up."""


@cache
def _played(name: str) -> tuple[GameRecord, ...]:
    game = next(game for game in UNDER_TEST if game.name == name)
    return tuple(
        play_bots(game, p.players, dict(p.options), p.seed, LONGEST) for p in plans(game, PLAYED_OF.get(name, PLAYED))
    )


@pytest.fixture(params=UNDER_TEST, ids=lambda game: game.name)
def game(request: pytest.FixtureRequest) -> AnyGame:
    """Each game in turn, the toy first."""
    found: AnyGame = request.param
    return found


@pytest.fixture
def played(game: AnyGame) -> tuple[GameRecord, ...]:
    """Bot games over all options and numbers of players in turn."""
    return _played(game.name)
