"""The subjects of letters. One that asks something of its reader says so first, with its deadline; any other has the news.

The words of a subject are taken from the letter itself, so it says nothing that its reader may not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from textwrap import shorten

from referee.service.base.letter_facts import Frame

LONGEST = 78
"""Characters of a whole subject; mail programs show about as many."""

_WORTH = 12
"""Of what happened fewer characters than these tell nothing."""

_DUTY = {"orders": "turn", "answer": "decision"}


def whole(match: str, words: str) -> str:
    """A subject with the match in front of it, cut at a word where it is too long."""
    return _cut(f"[{match}] {words}" if match else words, LONGEST)


_SAID = re.compile(r"\byour (turn|decision)\b", re.IGNORECASE)


def of_letter(match: str, words: str, frame: Frame | None) -> str:
    """The subject of a letter: its words, in brackets after what its reader owes where they do not say that themselves."""
    return whole(match, words if frame is None or _SAID.search(words) else told(frame, words))


_MORE = "\N{HORIZONTAL ELLIPSIS}"


@lru_cache(maxsize=256)
def _cut(text: str, room: int) -> str:
    """A text's beginning that fits: whole sentences where they are most of it, else whole words and a sign that there is more."""
    short = shorten(text, max(room, 1), placeholder=_MORE)
    if not short.endswith(_MORE):
        return short
    sentences, stop, _ = short.rpartition(". ")
    return sentences if stop and len(sentences) > room // 3 else f"{short.rstrip(f' ,;:.{_MORE}')}{_MORE}"


def owed(frame: Frame) -> str:
    """The reader's debt and deadline, "" if he owes nothing: `Your turn, Spain, by Mon 18:00`."""
    if frame.duty not in _DUTY:
        return ""
    by = f", by {frame.deadline.short}" if frame.deadline else ""
    return f"Your {_DUTY[frame.duty]}, {frame.seat}{by}"


def told(frame: Frame, news: str) -> str:
    """The events; for a reader who owes something his debt first, and then the events."""
    owes, news = owed(frame), news.rstrip(".")
    if not owes:
        return news
    happened = _cut(news, LONGEST - len(f"[{frame.match}] ") - len(owes) - len(" ()"))
    return f"{owes} ({happened})" if len(happened) >= min(_WORTH, len(news)) else owes


def reported(frame: Frame, title: str, summary: str, seats: Iterable[str]) -> str:
    """The subject of a report: its turn and events, with the seat that its title names where the summary does not."""
    turn, _, rest = title.partition(": ")
    who = next((seat for seat in seats if seat in rest), "")
    actor = f"{who}: " if who and who not in summary else ""
    rest = f"{rest}: " if rest and not who else ""
    return told(frame, f"{actor}{summary}") if owed(frame) else f"{turn}: {rest}{actor}{summary}".rstrip(".")


def asked(frame: Frame, question: str) -> str:
    """The question in the middle of a turn."""
    return f"{owed(frame) or f'For {frame.seat}'}: {question.removeprefix('Your orders for ').rstrip('.')}"


def reminder(frame: Frame) -> str:
    """The sentence that time runs out: for a turn still owed, or for changes of the orders on file."""
    left = f"{frame.deadline.left} left" if frame.deadline and frame.deadline.left != "now" else "no time left"
    by = f" (by {frame.deadline.short})" if frame.deadline else ""
    if frame.duty in _DUTY:
        return f"Still your {_DUTY[frame.duty]}, {frame.seat}: {left}{by}"
    return f"Your orders are on file, {frame.seat}: {left} to change them{by}"


def late(frame: Frame) -> str:
    """The sentence that the reader is late and can still play."""
    until = f" (until {frame.deadline.short})" if frame.deadline and frame.deadline.left != "now" else ""
    return f"Still your {_DUTY.get(frame.duty, 'turn')}, {frame.seat}: you are late{until}"


def receipt(frame: Frame, verdict: str, about: str, ran: bool) -> str:
    """The outcome of a letter, and the debt after it, or the letter's matter."""
    owes = owed(frame)
    if owes:
        return f"{verdict}: {owes[:1].lower()}{owes[1:]}"
    by = f", by {frame.deadline.short}" if frame.deadline and not ran else ""
    return f"{verdict}: {about}{by}"
