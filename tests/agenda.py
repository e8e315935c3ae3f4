"""The deadlines that letters put into a calendar, as calendar programs read them."""

from __future__ import annotations

from datetime import datetime

from icalendar import Calendar, Event

from tests.world import Mail, data_of


def entries(mail: Mail) -> dict[str, list[Event]]:
    """The calendar entries of a letter by method, which the part and the file in it name alike."""
    found: dict[str, list[Event]] = {}
    for part in mail.message.walk():
        if part.get_content_type() == "text/calendar":
            calendar = Calendar.from_ical(data_of(part))
            method = str(calendar["METHOD"])
            assert part.get_param("method") == method
            found.setdefault(method, []).extend(calendar.events)
    return found


def start(entry: Event) -> datetime:
    """When an entry begins: a moment, not a whole day."""
    moment = entry.start
    assert isinstance(moment, datetime)
    return moment


def sequence(entry: Event) -> int:
    """Which writing of an entry this is; it must say so."""
    number = entry["SEQUENCE"]
    assert isinstance(number, int)
    return number
