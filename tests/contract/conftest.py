"""The games under test, and games of them played once for all tests of the suite."""

from __future__ import annotations

import gc
from functools import cache
from typing import Any

import pytest

from referee.core.game import AnyGame
from referee.core.question import Question
from referee.games import GAMES
from referee.kit.game import BaseGame
from tests.contract.bots import GameRecord, plans, play_bots
from tests.contract.effort import effort_of
from tests.small.lode.game import GAME as LODE
from tests.toy import TOY

UNDER_TEST: tuple[AnyGame, ...] = (TOY, LODE, *GAMES)
LONGEST = 3000
"""Phases after which a bot game is given up."""


@cache
def _played(name: str) -> tuple[GameRecord, ...]:
    """They are kept to the end, and rubbish is never looked for among them."""
    game = next(game for game in UNDER_TEST if game.name == name)
    played = tuple(
        play_bots(game, p.players, dict(p.options), p.seed, LONGEST) for p in plans(game, effort_of(name).played)
    )
    gc.freeze()
    return played


@pytest.fixture(params=UNDER_TEST, ids=lambda game: game.name)
def game(request: pytest.FixtureRequest) -> AnyGame:
    """Each game in turn, the toy first."""
    found: AnyGame = request.param
    return found


@pytest.fixture
def played(game: AnyGame) -> tuple[GameRecord, ...]:
    """Bot games over all options and numbers of players in turn."""
    return _played(game.name)


@pytest.fixture(params=[game for game in UNDER_TEST if isinstance(game, BaseGame)], ids=lambda game: game.name)
def declared(request: pytest.FixtureRequest) -> tuple[GameRecord, ...]:
    """The same of the games alone that declare their orders."""
    return _played(request.param.name)


Asked = tuple[int, GameRecord, Question[Any], Any]
"""The how-manieth question it was, the game, the question and the state in which it was put."""


@pytest.fixture(params=["some", pytest.param("all", marks=pytest.mark.slow)])
def states(request: pytest.FixtureRequest, game: AnyGame) -> int | None:
    """How many states are enough; None in the slow runs, which look at every one."""
    return effort_of(game.name).states if request.param == "some" else None


@pytest.fixture
def ordered(states: int | None, played: tuple[GameRecord, ...]) -> tuple[Asked, ...]:
    """Questions for orders, evenly from all bot games."""
    every = [(record, *pair) for record in played for pair in record.asked if pair[0].wants_orders]
    step = max(1, len(every) // (states or len(every)))
    return tuple((number, *asked) for number, asked in enumerate(every) if number % step == 0)
