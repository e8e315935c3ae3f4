"""Cards, bids and sealed purchases: histories that differ only in them are one to everybody else."""

from __future__ import annotations

import pytest

from referee.core.record import Answered
from referee.games.war.game import War27
from tests.contract.bots import GameRecord, play_bots
from tests.contract.conftest import LONGEST
from tests.contract.test_secrecy import choice, compare, forked_by_dice, hidden_throws
from tests.match import Match

GAME = War27()


def played(option: str) -> GameRecord:
    chosen = {setting.name: setting.default for setting in GAME.settings} | {"last_turn": "3", option: "yes"}
    return play_bots(GAME, 3, chosen, 2, LONGEST)


@pytest.mark.parametrize(
    ("option", "window"), [("auction", "/bids/"), ("simultaneous", "/purchase/"), ("simultaneous", "T2/production/")]
)
def test_what_is_sealed_changes_nothing_that_others_are_handed(option: str, window: str) -> None:
    record, same = played(option), 0
    for place, answered in enumerate(record.records):
        if isinstance(answered, Answered) and window in answered.key:
            one, other = (Match(GAME, record.created, record.secret, records=record.records[:place]) for _ in "12")
            if any(question.key == answered.key for question in one.outcome.open) and len(one.outcome.open) > 1:
                for match, salt in ((one, 2), (other, 3)):
                    question = match.open(answered.key)
                    match.answer(question, choice(question, salt))
                same += compare(one, other, answered.seat)
    assert same > 0


def test_a_card_changes_nothing_that_others_are_handed() -> None:
    record = played("hidden_victory")
    forks = [fork for seat in record.created.seats for fork in hidden_throws(record, seat) if "Card of" in fork[3]]
    assert forks
    assert sum(forked_by_dice(*fork) for fork in forks) > 0
