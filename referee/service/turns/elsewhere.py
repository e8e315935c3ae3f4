"""A match that moved to another house: here nothing of it is done any more, and whoever writes is told where it is played."""

from __future__ import annotations

from referee.service import notes
from referee.service.ports import MatchRow, Step

MOVED = "moved"
"""The status of a match that is played in another house."""


def where_it_went(step: Step, row: MatchRow) -> tuple[str, str]:
    """In two sentences: that a match is played elsewhere, and what to do. ("", "") for one that is played here."""
    gone = notes.MOVED.of(row.name).read(step) if row.status == MOVED else None
    if gone is None:
        return "", ""
    return (
        f"{row.name} has moved to another referee, {gone.to}, so nothing was done here.",
        f"Reply to the letter that came from {gone.to} when the match moved there, or write to that address.",
    )
