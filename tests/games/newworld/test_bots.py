"""Random bots play whole matches: they end, every ledger balances, the fold of the log is the state."""

from __future__ import annotations

from functools import reduce

import pytest

from referee.core.names import Role
from referee.core.position import start
from tests.games.newworld.bots import CODEC, GAME, Match, answered, options, picker
from tests.match import events_of

SEATS = ("England", "Spain", "France", "Holland", "Portugal", "Sweden")


def play(match: Match, seed: bytes, silent: bool = False) -> int:
    """Play to the end; returns the number of turns."""
    pick, turns = picker(seed), 0
    while not match.outcome.over:
        out = match.run(answered(match, pick, silent))
        for ended in out.ended:
            turns = ended.phase.turn
            assert GAME.audit(ended.before, ended.events, ended.after) == ()
            page = GAME.report(ended.before, ended.events, ended.after, Role.OBSERVER)
            assert page.summary
            logged = [CODEC.event(CODEC.raw(event)) for event in ended.events]
            assert GAME.report(ended.before, logged, ended.after, Role.OBSERVER) == page
    return turns


@pytest.mark.parametrize("number", range(12))
def test_bots_play_to_the_end(number: int) -> None:
    chosen = options(
        nationalities=("no", "yes")[number % 2],
        coal=("gold", "nothing", "metal")[number % 3],
        mode=("lists", "two_step")[number // 2 % 2],
        finish_round=("no", "yes")[number // 4 % 2],
    )
    match = Match(SEATS[: 2 + number % 4], chosen, b"secret %d" % number)
    turns = play(match, b"bots %d" % number)
    final = match.outcome.state
    assert final.ended and turns == final.turn
    world = start(GAME, match.created).state
    assert reduce(GAME.evolve, events_of(CODEC, match.log), world) == final
    assert GAME.score(final).final and GAME.score(final).winners()


def test_nobody_writes_and_the_match_still_ends() -> None:
    match = Match(SEATS[:3], options(last_round="20"), b"silence")
    play(match, b"", silent=True)
    assert match.outcome.state.round == 20
    assert "round 20 was the last" in match.outcome.state.ended
