"""What has happened in a match is read from its log when somebody asks, and no more of it than is new."""

from __future__ import annotations

from typing import cast

import pytest

from referee.core.event import Event
from referee.core.record import live
from referee.service.base.ports import Step
from referee.service.match import history as pasts
from referee.service.match.history import Unread, history
from referee.service.match.playing import as_of
from tests.match import events_of
from tests.reading import Counting
from tests.service.conftest import GINA, PLAYERS
from tests.table.test_other_programs import begun
from tests.world import World


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    pasts._PASTS.clear()


def in_the_log(world: World) -> tuple[Event, ...]:
    """All events that count, by the whole log."""
    codec = world.playing("m1").codec
    records = [codec.load(entry.payload) for entry in world.entries("m1")]
    return events_of(codec, (entry.record for entry in live(enumerate(records))))


def test_it_is_what_the_log_says_read_at_once_or_phase_by_phase(world: World) -> None:
    begun(world, "newworld", "")
    for _ in range(8):
        world.reply(world.on_turn("m1"), "ROLL OUT")
    whole, entries = world.playing("m1"), world.entries("m1")
    at_once = world.told(history, "m1")
    assert at_once == in_the_log(world) and len(at_once) > 20
    pasts._PASTS.clear()
    with world.store.look() as step:
        for known in range(1, len(entries) + 1):
            then = as_of(whole, entries[:known])
            if not then.outcome.written:  # as the log may lie between two letters
                found = history(step, then)
                assert found == at_once[: len(found)]
    assert found == at_once


def test_what_was_rewound_has_not_happened_until_it_is_rolled_forward(world: World) -> None:
    begun(world, "newworld", "")
    for _ in range(4):
        world.reply(world.on_turn("m1"), "ROLL OUT")
    before = world.told(history, "m1")
    world.reply(GINA, "REWIND TO TURN 2")
    rewound = world.told(history, "m1")
    assert rewound == in_the_log(world) == before[: len(rewound)] and len(rewound) < len(before)
    world.reply(GINA, "FORWARD")
    assert world.told(history, "m1") == in_the_log(world) == before
    world.reply(GINA, "REWIND TO TURN 2")
    world.reply(world.on_turn("m1"), "ROLL OUT")
    pasts._PASTS.clear()
    assert world.told(history, "m1") == in_the_log(world) != before


def test_a_letter_that_ends_no_phase_reads_nothing_of_what_has_happened(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(pasts, "past", lambda _, playing: asked.append(playing.row.name))
    for player in PLAYERS:
        match.reply(player, "STATUS")
        match.reply(player, "PREVIEW")
        match.reply(player, "STANDING\nRESEARCH any\nEND")
    assert asked == []


@pytest.mark.parametrize(("game", "reads"), [("newworld", False), ("war27", False), ("war17", False), ("empire", True)])
def test_a_phase_reads_of_the_past_what_its_record_sheets_are_made_of(world: World, game: str, reads: bool) -> None:
    """What readers know goes on from what they knew, or is the position itself; only the sheets of Empire show the past."""
    players = begun(world, game, "")
    for _ in range(6):
        pasts._PASTS.clear()
        first, *_ = world.playing("m1").outcome.open
        world.reply(players[first.seat], "ROLL OUT")
    assert ("m1" in pasts._PASTS) == reads and world.told(history, "m1") == in_the_log(world)


def test_events_are_read_once_somebody_looks(world: World) -> None:
    begun(world, "newworld", "")
    world.reply(world.on_turn("m1"), "ROLL OUT")
    first, *_ = world.told(history, "m1")
    looked: list[int] = []

    def read() -> list[Event]:
        looked.append(1)
        return [first]

    earlier = Unread(read)
    assert not looked
    assert earlier[0] == first and tuple(earlier) == (first,) and earlier[1:] == () and len(earlier) == 1
    assert looked == [1]


def test_of_a_past_that_is_kept_only_what_is_new_is_read(world: World) -> None:
    begun(world, "newworld", "")
    for _ in range(4):
        world.reply(world.on_turn("m1"), "ROLL OUT")
    read: list[int] = []
    for _ in range(2):
        for _ in range(2):
            with world.store.look() as step:
                counting = Counting(step)
                history(cast(Step, counting), world.playing("m1"))
                read.append(counting.read)
        world.reply(world.on_turn("m1"), "ROLL OUT")
    all_of_it, kept, new, kept_again = read
    assert kept == kept_again == 0 < new < all_of_it
