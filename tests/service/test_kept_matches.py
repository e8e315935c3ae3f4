"""Matches are kept in memory by how much there is of each: what a desk takes hangs neither on their number nor their age."""

from __future__ import annotations

from msgspec.structs import replace

from referee.service.match import playing as kept
from referee.service.match.playing import Playing, remember
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
