"""When slots end: the timetable by hand, and what holds for all of them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.service.base.match_settings import WEEKDAYS, Absence, Timetable, falls_due, local_moment

BERLIN, DAY = ZoneInfo("Europe/Berlin"), timedelta(hours=24)


def at(text: str, zone: str = "UTC") -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


@pytest.mark.parametrize(
    ("table", "opens", "due"),
    [
        (Timetable(), at("2026-11-21 09:17"), at("2026-11-22 09:17")),
        # a fixed time of the day: the first one after the length is over
        (Timetable("18:00"), at("2026-11-21 09:17"), at("2026-11-22 18:00")),
        (Timetable("18:00"), at("2026-11-21 18:01"), at("2026-11-23 18:00")),
        (Timetable("18:00", "Europe/Berlin"), at("2026-11-21 09:17"), at("2026-11-22 17:00")),
        # Saturday 21 November: Sunday is not allowed, Monday is
        (Timetable("18:00", days=("Mon", "Tue", "Wed", "Thu", "Fri")), at("2026-11-21 09:17"), at("2026-11-23 18:00")),
        (Timetable(days=("Mon", "Wed")), at("2026-11-21 09:17"), at("2026-11-23 09:17")),
        # the 24th is taken out by hand, the 25th and 26th of December are holidays in Germany
        (Timetable("12:00", free=("2026-12-24",), calendars=("DE",)), at("2026-12-23 10:00"), at("2026-12-27 12:00")),
        (Timetable("12:00", calendars=("US",)), at("2026-11-25 10:00"), at("2026-11-27 12:00")),
        # at least three days, whatever the length
        (Timetable(least_hours=72), at("2026-11-21 09:17"), at("2026-11-24 09:17")),
        # summer time ends on 25 October 2026, and begins on 28 March 2027
        (Timetable("18:00", "Europe/Berlin"), at("2026-10-24 16:00"), at("2026-10-25 17:00")),
        (Timetable("18:00", "Europe/Berlin"), at("2027-03-27 17:00"), at("2027-03-28 16:00")),
        (Timetable("02:30", "Europe/Berlin"), at("2026-10-23 22:00"), at("2026-10-25 01:30")),
    ],
)
def test_a_slot_of_a_day_ends(table: Timetable, opens: datetime, due: datetime) -> None:
    assert falls_due(opens, DAY, table) == due


@pytest.mark.parametrize(
    "zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kolkata"]
)
@pytest.mark.parametrize("days", [1, 2, 7])
def test_no_fixed_hour_loses_a_day_in_a_whole_year(zone: str, days: int) -> None:
    table, due = Timetable("18:00", zone), at("2026-11-21 18:00", zone)
    for _ in range(380 // days):
        before, due = due, falls_due(due, timedelta(days=days), table)
        assert due.astimezone(ZoneInfo(zone)).date() - before.astimezone(ZoneInfo(zone)).date() == timedelta(days=days)


def test_an_hour_that_the_clock_shows_twice_or_never_is_the_later_one() -> None:
    assert local_moment(date(2026, 10, 25), time(2, 30), BERLIN) == at("2026-10-25 01:30")
    assert local_moment(date(2027, 3, 28), time(2, 30), BERLIN) == at("2027-03-28 01:30")


def test_who_is_away_at_the_end_has_the_minimum_after_he_is_back() -> None:
    table = Timetable("18:00", least_hours=24)
    away = Absence(at("2026-11-22 00:00"), at("2026-12-01 00:00"))
    assert falls_due(at("2026-11-21 09:00"), DAY, table, [away]) == at("2026-12-02 18:00")
    assert falls_due(at("2026-11-19 09:00"), DAY, table, [away]) == at("2026-11-20 18:00")
    further = Absence(at("2026-12-02 10:00"), at("2026-12-05 00:00"))
    assert falls_due(at("2026-11-21 09:00"), DAY, table, [further, away]) == at("2026-12-06 18:00")


def test_what_is_wrong_is_said() -> None:
    wrong = Timetable("25:00", days=("Mo",), free=("24.12.",), calendars=("XX", "DE-NOWHERE", "DE-BY"))
    assert wrong.faults() == (
        "Mo is no weekday; they are Mon, Tue, Wed, Thu, Fri, Sat, Sun.",
        "XX is no country whose holidays I know.",
        "DE-NOWHERE is no country whose holidays I know.",
        "25:00 is no time of the day; write it as 18:00.",
        "24.12. is no date; write it as 2026-12-24.",
    )
    assert Timetable("18:00", "Europe/Berlin", ("Mon",), ("2026-12-24",), ("DE-BY",)).faults() == ()


moments = st.integers(0, 3 * 365 * 1440).map(lambda minutes: at("2026-01-01 00:00") + timedelta(minutes=minutes))
tables = st.builds(
    Timetable,
    st.sampled_from(["", "00:00", "02:30", "18:00", "23:59"]),
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]),
    st.sets(st.sampled_from(WEEKDAYS), min_size=0, max_size=7).map(lambda days: tuple(sorted(days))),
    calendars=st.sampled_from([(), ("DE",), ("US", "FR")]),
    least_hours=st.sampled_from([0, 1, 30, 100]),
)


@given(moments, st.integers(1, 200), tables)
def test_no_slot_ends_before_its_length_is_over_nor_on_a_day_that_is_not_allowed(
    opens: datetime, hours: int, table: Timetable
) -> None:
    due = falls_due(opens, timedelta(hours=hours), table)
    shorter = timedelta(
        hours=1 if table.clock and max(hours, table.least_hours) >= 24 else 0
    )  # the day that has 23 hours
    assert due >= opens + timedelta(hours=max(hours, table.least_hours)) - shorter
    assert due - opens < timedelta(hours=max(hours, table.least_hours), days=20)
    local = due.astimezone(ZoneInfo(table.zone))
    assert table.allows(local.date())
    assert not table.clock or f"{local:%H:%M}" in (table.clock, "03:30", "03:00", "02:00")


@given(moments, moments, tables)
def test_who_opens_later_never_ends_earlier(one: datetime, other: datetime, table: Timetable) -> None:
    first, second = sorted((one, other))
    if second - first < timedelta(days=40):
        assert falls_due(first, DAY, table) <= falls_due(second, DAY, table)
