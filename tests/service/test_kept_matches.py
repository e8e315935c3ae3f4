"""Matches are kept in memory by how much there is of each: what a desk takes hangs neither on their number nor their age."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.record import Entry
from referee.service.match import playing as kept
from referee.service.match.playing import Playing, as_of, remember
from tests.reading import read_after, shown
from tests.service.conftest import GINA
from tests.table.test_other_programs import begun
from tests.world import World


def of_events(like: Playing, name: str, number: int) -> Playing:
    """A match of this name with a history of so many events."""
    return replace(like, row=replace(like.row, name=name), history=like.history[:1] * number)


def test_many_young_matches_are_kept_or_few_old_ones(match: World) -> None:
    like = match.playing()
    for number in range(200):
        remember(of_events(like, f"young{number}", 10))
    assert len(kept._CACHE) > 150
    for number in range(200):
        remember(of_events(like, f"old{number}", 5_000))
        assert sum(len(each.history) for each in kept._CACHE.values()) <= kept._KEPT
    assert 5 < len(kept._CACHE) < 15


def test_the_one_used_longest_ago_goes_first(match: World) -> None:
    like = match.playing()
    for name in ("first", "second"):
        remember(of_events(like, name, kept._KEPT * 2 // 5))
    assert "first" in kept._CACHE and kept._CACHE["first"].row.name == "first"
    remember(of_events(like, "third", kept._KEPT * 2 // 5))
    assert set(kept._CACHE) == {"first", "third"}


def test_one_that_is_larger_than_all_that_may_be_kept_is_kept_alone(match: World) -> None:
    like = match.playing()
    remember(of_events(like, "giant", kept._KEPT + 1))
    assert set(kept._CACHE) == {"giant"}
    remember(of_events(like, "small", 1))
    assert set(kept._CACHE) == {"small"}


def played(world: World) -> list[Entry]:
    """The log of a match of some turns."""
    begun(world, "newworld", "")
    for _ in range(8):
        world.reply(world.on_turn("m1"), "ROLL OUT")
    return world.entries("m1")


def test_what_others_have_written_since_is_all_that_a_desk_reads(world: World) -> None:
    entries = played(world)
    whole, read = read_after(world, "m1", None)
    assert read == len(entries) > 60
    for known in range(1, len(entries)):
        carried_on, read = read_after(world, "m1", as_of(whole, entries[:known]))
        assert read == len(entries) - known + 1
        assert shown(carried_on) == shown(whole)


def test_a_match_that_others_have_rewound_is_read_whole(world: World) -> None:
    played(world)
    before = world.playing("m1")
    world.reply(GINA, "REWIND TO TURN 2")
    rewound, _ = read_after(world, "m1", before)
    assert rewound.course == before.course + 1
    assert shown(rewound) == shown(read_after(world, "m1", None)[0])


def test_a_desk_that_has_what_never_was_reads_the_log_whole(world: World) -> None:
    entries = played(world)
    known = as_of(world.playing("m1"), entries[:-3])
    another = replace(known, head=replace(known.head, hash="0" * 64))
    found, read = read_after(world, "m1", another)
    assert read >= len(entries)
    assert shown(found) == shown(read_after(world, "m1", None)[0])
