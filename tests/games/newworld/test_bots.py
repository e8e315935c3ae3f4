"""Random bots play whole matches: they end, every ledger balances, the fold of what is logged is the state."""

from __future__ import annotations

from functools import reduce
from random import Random

import pytest

from referee.core.names import Role
from referee.core.record import Codec
from referee.games.newworld.game import GAME
from referee.games.newworld.position import World
from referee.kit.bare_stage import Bare
from tests.games.newworld.bots import begun, options
from tests.sample import few

SEATS = ("England", "Spain", "France", "Holland", "Portugal", "Sweden")
CODEC = Codec(GAME.events, GAME.intents)


def play(match: Bare[World], seed: int | None) -> None:
    """Play to the end, by a seed or by silence."""
    bot, folded = Random(seed), match.ended[0].before
    while match.open:
        menu = match.open[0].menu
        match.answer(match.open[0], menu.default if seed is None else menu.sample(bot.randrange))
    for ended in match.ended:
        assert GAME.audit(ended.before, ended.events, ended.after) == ()
        page = GAME.report(ended.before, ended.events, ended.after, Role.OBSERVER)
        assert page.summary
        logged = [CODEC.event(CODEC.raw(event)) for event in ended.events]
        assert GAME.report(ended.before, logged, ended.after, Role.OBSERVER) == page
        folded = reduce(GAME.evolve, logged, folded)
    assert folded == match.state


@pytest.mark.parametrize("number", few(4, range(12)))
def test_bots_play_to_the_end(number: int) -> None:
    chosen = options(
        nationalities=("no", "yes")[number % 2],
        coal=("gold", "nothing", "metal")[number % 3],
        mode=("lists", "two_step")[number // 2 % 2],
        finish_round=("no", "yes")[number // 4 % 2],
    )
    match = begun(SEATS[: 2 + number % 4], chosen, b"secret %d" % number)
    play(match, number)
    final = match.state
    assert final.ended and match.ended[-1].phase.turn == final.turn
    assert GAME.score(final).final and GAME.score(final).winners()


def test_nobody_writes_and_the_match_still_ends() -> None:
    match = begun(SEATS[:3], options(last_round="20"), b"silence")
    play(match, None)
    assert match.state.round == 20
    assert "round 20 was the last" in match.state.ended
