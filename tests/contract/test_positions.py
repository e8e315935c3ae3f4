"""A position goes as JSON to the page on which one plays, and comes back equal: the true one, and what each reader knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from referee.core.position import knowledge
from tests.contract.bots import GameRecord, briefest, readers

LOOKED_AT = 40
"""So many positions of each game, of whole games and of what was known at their end."""


def positions(record: GameRecord) -> Iterator[Any]:
    """Where somebody was asked, and what everybody knew in the end."""
    states = [state for _, state in record.asked]
    yield from states[:: len(states) // LOOKED_AT + 1]
    for reader in readers(record):
        yield knowledge(record.game, record.created.seats, record.created.options, record.events, reader)


def test_a_position_comes_back_as_it_was_sent(played: tuple[GameRecord, ...]) -> None:
    looked_at = 0
    for record in briefest(played, 4):
        for state in positions(record):
            assert msgspec.json.decode(msgspec.json.encode(state), type=type(state)) == state
            looked_at += 1
    assert looked_at >= LOOKED_AT // 2
