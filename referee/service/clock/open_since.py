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
    entries = step.entries(playing.row.name)
    moments = sorted({entry.at for entry in entries if entry.at > iso(since)})
    if not moments:
        return {}

    @cache
    def open_at(moment: str) -> frozenset[str]:
        return _slots(playing, [entry for entry in entries if entry.at <= moment])

    before = open_at(iso(since))
    fresh = {slot_of(question.key) for question in playing.outcome.open} - before
    return {slot: datetime.fromisoformat(_first(slot, moments, open_at)) for slot in sorted(fresh)}


def _slots(playing: Playing, entries: Sequence[Entry]) -> frozenset[str]:
    open_then = as_of(playing, entries).outcome.open if entries else ()
    return frozenset(slot_of(question.key) for question in open_then)


def _first(slot: str, moments: Sequence[str], open_at: Callable[[str], frozenset[str]]) -> str:
    """When it opened, by halves: a slot that is open now has been since it opened."""
    low, high = 0, len(moments) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if slot in open_at(moments[middle]) else (middle + 1, high)
    return moments[low]
