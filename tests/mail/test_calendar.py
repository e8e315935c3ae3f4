"""A deadline as calendar programs read it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar, Event

from referee.mail.writing.compose import Due, deadline_uid, ics
from tests.agenda import start

AT = datetime(2026, 11, 22, 18, 0, tzinfo=timezone(timedelta(hours=1)))
WRITTEN = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
UID = deadline_uid("nw1", "T3/France/orders", "France", "7", "games.example")
DUE = Due(UID, 12, AT, "Orders for France", "Reply to the last letter; § 3, ¶ 4\nsecond line")


def test_a_deadline_is_published_in_utc() -> None:
    calendar = Calendar.from_ical(ics("PUBLISH", (DUE,), WRITTEN))
    (event,) = calendar.events
    assert calendar["METHOD"] == "PUBLISH"
    assert start(event) == AT and start(event).utcoffset() == timedelta(0)
    assert (event["UID"], event["SEQUENCE"], event["SUMMARY"]) == (UID, 12, DUE.summary)
    assert event["DESCRIPTION"] == DUE.description
    assert event["STATUS"] == "CONFIRMED"


def test_a_deadline_is_taken_back() -> None:
    calendar = Calendar.from_ical(ics("CANCEL", (DUE,), WRITTEN))
    assert (calendar["METHOD"], calendar.events[0]["STATUS"]) == ("CANCEL", "CANCELLED")


def test_the_same_deadline_gives_the_same_bytes() -> None:
    assert ics("PUBLISH", (DUE,), WRITTEN) == ics("PUBLISH", (DUE,), WRITTEN)


def test_no_two_deadlines_share_a_uid() -> None:
    others = [("nw2", "q", "s", "7"), ("nw1", "q", "s", "8"), ("nw1", "q2", "s", "7"), ("nw1", "q", "s2", "7")]
    assert len({deadline_uid(*other, "games.example") for other in others}) == 4


def test_lines_are_of_the_length_calendars_ask_for() -> None:
    lines = ics("PUBLISH", (Due(UID, 1, AT, "x" * 300),), WRITTEN).split(b"\r\n")
    assert max(map(len, lines)) <= 75


_WORDS = st.text(st.characters(exclude_categories=("Cc", "Cs"), include_characters="\n\t"), max_size=300)


def _by_the_package(method: str, due: Due) -> Calendar:
    """The file that the icalendar package makes of a deadline, read back."""
    calendar, event = Calendar(), Event()
    calendar.add("prodid", "-//referee//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    for name in ("uid", "sequence", "summary"):
        event.add(name, getattr(due, name))
    event.add("dtstamp", WRITTEN)
    event.add("dtstart", due.at.astimezone(UTC))
    event.add("transp", "TRANSPARENT")
    event.add("status", "CANCELLED" if method == "CANCEL" else "CONFIRMED")
    if due.description:
        event.add("description", due.description)
    calendar.add_component(event)
    return Calendar.from_ical(calendar.to_ical())


@given(_WORDS, _WORDS, st.sampled_from(("PUBLISH", "CANCEL")))
def test_the_file_says_what_the_icalendar_package_would_write(summary: str, description: str, method: str) -> None:
    due = Due(UID, 7, AT, summary, description)
    raw = ics("CANCEL" if method == "CANCEL" else "PUBLISH", (due,), WRITTEN)
    assert Calendar.from_ical(raw) == _by_the_package(method, due)
    assert raw.count(b"\n") == raw.count(b"\r\n") and raw.endswith(b"\r\nEND:VCALENDAR\r\n")
    assert max(map(len, raw.split(b"\r\n"))) <= 75


def test_no_value_can_begin_a_line_of_its_own() -> None:
    raw = ics("PUBLISH", (Due(UID, 1, AT, "a\r\nATTACH:x\rURL:y\x0bz", "\x85\u2028b"),), WRITTEN)
    (event,) = Calendar.from_ical(raw).events
    assert event["SUMMARY"] == "a\nATTACH:xURL:yz" and not event.errors and "ATTACH" not in event
