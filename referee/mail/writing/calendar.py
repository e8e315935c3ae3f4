"""A deadline as a calendar file: programs keep the entry under its UID and replace it when a higher SEQUENCE comes.

The lines of RFC 5545 are written by hand: there are a dozen of them, and every reader of a turn gets some of his own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal

import msgspec

_LINE = 74
"""Bytes of a line; 75 are allowed."""

_IN_TEXT = {code: None for code in (*range(32), 127) if code != ord("\t")} | {
    ord("\n"): "\\n",
    ord("\\"): "\\\\",
    ord(","): "\\,",
    ord(";"): "\\;",
}
"""What stands otherwise in a value of words; control characters may not stand there at all."""


class Due(msgspec.Struct, frozen=True):
    """A deadline for a calendar. `at` is aware; `sequence` grows with every change, 0 first."""

    uid: str
    sequence: int
    at: datetime
    summary: str
    description: str = ""


def deadline_uid(match: str, question: str, seat: str, reader: str, host: str) -> str:
    """The lasting name of a deadline: the same for one question to one reader, whenever it is moved."""
    what = "\n".join((match, question, seat, reader)).encode("utf-8", "surrogatepass")
    return f"{hashlib.sha256(what).hexdigest()[:32]}@{host}"


def ics(method: Literal["PUBLISH", "CANCEL"], dues: tuple[Due, ...], written: datetime) -> bytes:
    """A calendar file with these deadlines, times in UTC; CANCEL takes them out of the reader's calendar."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//referee//deadlines//EN", f"METHOD:{method}"]
    for due in dues:
        lines += _event(due, method, written)
    return b"".join(_folded(line.encode("utf-8", "replace")) + b"\r\n" for line in (*lines, "END:VCALENDAR"))


def _event(due: Due, method: str, written: datetime) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"SUMMARY:{due.summary.translate(_IN_TEXT)}"
    yield f"DTSTART:{_in_utc(due.at)}"  # an end at the beginning is none (RFC 5545, 3.8.2.2)
    yield f"DTSTAMP:{_in_utc(written)}"
    yield f"UID:{due.uid.translate(_IN_TEXT)}"
    yield f"SEQUENCE:{due.sequence}"
    if due.description:
        yield f"DESCRIPTION:{due.description.translate(_IN_TEXT)}"
    yield f"STATUS:{'CANCELLED' if method == 'CANCEL' else 'CONFIRMED'}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _in_utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _folded(line: bytes) -> bytes:
    """The line in as many as it takes, each after the first with a blank before it; none ends within a character or an escape."""
    parts, begin = [], 0
    while len(line) - begin > _LINE:
        end = begin + _LINE
        while line[end] & 0xC0 == 0x80:
            end -= 1
        end -= line[end - 1] == ord("\\")
        parts.append(line[begin:end])
        begin = end
    return b"\r\n ".join((*parts, line[begin:]))
