"""Matches are kept in memory without their history: what a desk takes hangs neither on their number nor their age."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.record import Entry, Filed
from referee.service.match import playing as kept
from referee.service.match.playing import Playing, as_of, remember
from tests.reading import read_after, shown
from tests.service.conftest import GINA
from tests.table.test_other_programs import begun
from tests.world import World


def of_sheets(like: Playing, name: str, number: int) -> Playing:
    """A match of this name whose open phase has had so many sheets."""
    sheet = Filed(Seat("France"), "next", ())
    return replace(like, row=replace(like.row, name=name), tail=(sheet,) * number)


def test_many_matches_that_wait_are_kept_or_few_of_many_sheets(match: World) -> None:
    like = match.playing()
    for number in range(600):
        remember(of_sheets(like, f"quiet{number}", 0))
    assert len(kept._CACHE) > 400
    for number in range(600):
        remember(of_sheets(like, f"busy{number}", 200))
        assert kept._SHEET * sum(len(each.tail) for each in kept._CACHE.values()) <= kept._KEPT
    assert 5 < len(kept._CACHE) < 15


def test_the_one_used_longest_ago_goes_first(match: World) -> None:
    like = match.playing()
    for name in ("first", "second"):
        remember(of_sheets(like, name, kept._KEPT // kept._SHEET * 2 // 5))
    assert "first" in kept._CACHE and kept._CACHE["first"].row.name == "first"
    remember(of_sheets(like, "third", kept._KEPT // kept._SHEET * 2 // 5))
    assert set(kept._CACHE) == {"first", "third"}


def test_one_that_is_larger_than_all_that_may_be_kept_is_kept_alone(match: World) -> None:
    like = match.playing()
    remember(of_sheets(like, "giant", kept._KEPT))
    assert set(kept._CACHE) == {"giant"}
    remember(of_sheets(like, "small", 1))
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
