"""A deadline as calendar programs read it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from icalendar import Calendar

from referee.mail.writing.calendar import Due, deadline_uid, ics
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
