"""Since when the open questions of a match are open, as far as they opened after a moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache

from referee.core.record import Entry
from referee.service.clock.clocks import slot_of
from referee.service.match.playing import Playing, as_of
from referee.service.ports import Step
from referee.service.times import iso


def opened_after(step: Step, playing: Playing, since: datetime) -> dict[str, datetime]:
    """The slots (see `slot_of`) that are open now and were not at that moment, with the moment each opened.

    It is looked up in the log: a match of which nothing was written since then costs next to nothing.
    """
    entries, moment = step.entries(playing.row.name), iso(since)
    # In the order of the log: a clock that was set back wrote later entries with earlier moments.
    begun = max((count for count, entry in enumerate(entries, 1) if entry.at <= moment), default=0)
    ends = [count for count in range(begun + 1, len(entries)) if entries[count].at != entries[count - 1].at]
    if begun == len(entries):
        return {}

    @cache
    def open_at(count: int) -> frozenset[str]:
        return _slots(playing, entries[:count])

    fresh = {slot_of(question.key) for question in playing.outcome.open} - open_at(begun)
    first = {slot: _first(slot, (*ends, len(entries)), open_at) for slot in sorted(fresh)}
    return {slot: datetime.fromisoformat(entries[count - 1].at) for slot, count in first.items()}


def _slots(playing: Playing, entries: Sequence[Entry]) -> frozenset[str]:
    open_then = as_of(playing, entries).outcome.open if entries else ()
    return frozenset(slot_of(question.key) for question in open_then)


def _first(slot: str, ends: Sequence[int], open_at: Callable[[int], frozenset[str]]) -> int:
    """After how many entries it was open, by halves: a slot that is open now has been since it opened."""
    low, high = 0, len(ends) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if slot in open_at(ends[middle]) else (middle + 1, high)
    return ends[low]
