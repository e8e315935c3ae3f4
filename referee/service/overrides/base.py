"""What overrides have in common: how far a deadline may be moved, and what is read of it in whose time zone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from referee.moments import FURTHEST

YOURS = "yours is below if you have one."
"""What who may not know of the others' deadlines reads of his own."""


TOO_FAR = "That is more than two years away, and no deadline may be; name an earlier moment, or less time."


def is_too_far(due: Iterable[datetime], now: datetime) -> bool:
    """Whether a deadline would come later than any may."""
    return max(due, default=now) - now > FURTHEST


InZone = Callable[[str], Sequence[str]]
"""Sentences for a reader in a time zone."""
