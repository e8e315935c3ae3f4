"""Bots play Version 1.7 to its end, and the books balance."""

from __future__ import annotations

import pytest

from referee.games.war17.events import ArmyPursued, LeaderRallied, UnitStepped
from referee.games.war17.game import War17
from tests.contract.bots import GameRecord, plans, play_bots
from tests.contract.test_play import check_one
from tests.contract.test_secrecy import forked_by_decision

GAME = War17()


def games(number: int) -> tuple[GameRecord, ...]:
    return tuple(play_bots(GAME, p.players, dict(p.options), p.seed, 3000) for p in plans(GAME, number, long=True))


@pytest.mark.slow
def test_two_hundred_games() -> None:
    """Every game ends, replays, balances; what happens seldom in a battle happens in some."""
    records = games(200)
    for number, record in enumerate(records):
        assert record.over
        check_one(record)
        if number % 20 == 0:
            forked_by_decision(record, number)
    seen = {type(event) for record in records for event in record.events}
    assert {ArmyPursued, LeaderRallied, UnitStepped} <= seen
