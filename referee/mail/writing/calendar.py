"""A deadline as a calendar file: programs keep the entry under its UID and replace it when a higher SEQUENCE comes."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from icalendar import Event


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
    # The package takes long to import, and most commands and half of all letters have no calendar file.
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", "-//referee//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    for due in dues:
        calendar.add_component(_event(due, method, written))
    return bytes(calendar.to_ical())


def _event(due: Due, method: str, written: datetime) -> Event:
    from icalendar import Event

    event = Event()
    event.add("uid", due.uid)
    event.add("sequence", due.sequence)
    event.add("dtstamp", written.astimezone(UTC))
    event.add("dtstart", due.at.astimezone(UTC))
    event.add("dtend", due.at.astimezone(UTC))
    event.add("summary", due.summary)
    event.add("transp", "TRANSPARENT")
    event.add("status", "CANCELLED" if method == "CANCEL" else "CONFIRMED")
    if due.description:
        event.add("description", due.description)
    return event
