"""Stretches of time: what of one was not counted before."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from referee.service.remembered import Stretch


def total(stretches: Iterable[Stretch]) -> timedelta:
    """How long stretches are together that do not overlap."""
    return sum((until - since for since, until in stretches), timedelta())


def uncounted(stretch: Stretch, counted: Iterable[Stretch]) -> tuple[Stretch, ...]:
    """What is left of a stretch without those counted before, in order."""
    since, until = stretch
    left = []
    for begin, end in sorted(counted):
        if end > since and begin < until:
            left.append((since, begin))
            since = end
    left.append((since, until))
    return tuple((begin, end) for begin, end in left if begin < end)


def from_on(stretches: Iterable[Stretch], moment: datetime) -> tuple[Stretch, ...]:
    """What of stretches lies after a moment."""
    return tuple((max(since, moment), until) for since, until in stretches if until > moment)
