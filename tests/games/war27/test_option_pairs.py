"""Every pair of optional rules is played by random bots, and the books, the fold and the replay are right in each game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

import pytest

from referee.games.war.game import War27
from referee.games.war.position.state import OPTIONAL
from tests.contract.bots import play_bots
from tests.contract.conftest import LONGEST
from tests.contract.test_play import check_no_leak, check_one

GAME = War27()
GAMES_A_PAIR = 5
PLAYERS = (3, 4, 2, 5, 6)
"""Of each of the games of a pair: small tables mostly, which come to blows soon."""

_ON = {setting.name: setting.values[1:] for setting in OPTIONAL}


def options_of(pair: tuple[str, str], turn: int) -> dict[str, str]:
    """Both rules on, each with another of its values from game to game, the rest as a match has it by default."""
    chosen = {setting.name: setting.default for setting in GAME.settings} | {"last_turn": "5"}
    chosen |= {name: _ON[name][turn % len(_ON[name])] for name in pair}
    return chosen | {"decisions": ("standing", "interactive")[turn % 2]}


def lawful(options: Mapping[str, str], players: int) -> bool:
    return GAME.refuse_options(options, players) is None


def pairs() -> Iterator[tuple[str, str]]:
    """Pairs that may be played together, in the order of the settings."""
    for pair in combinations(_ON, 2):
        if lawful(options_of(pair, 0), PLAYERS[0]):
            yield pair


def test_every_optional_rule_is_in_some_pair() -> None:
    played = {name for pair in pairs() for name in pair}
    assert played == set(_ON)


@pytest.mark.slow
@pytest.mark.parametrize("pair", tuple(pairs()), ids="+".join)
def test_every_pair_of_optional_rules_is_played(pair: tuple[str, str]) -> None:
    for turn in range(GAMES_A_PAIR):
        options, players = options_of(pair, turn), PLAYERS[turn]
        assert lawful(options, players)
        record = play_bots(GAME, players, options, turn, LONGEST)
        assert record.over
        check_one(record)
        check_no_leak(record, turn)
