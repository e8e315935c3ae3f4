"""Times in letters: in the reader's zone, also in the hour that his clock shows twice."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.kit.wording import in_utc
from referee.moments import day, moment, past_day
from referee.service.base.times import both_stamps, guessed_zone, length, stamp
from tests.world import World

BERLIN = ZoneInfo("Europe/Berlin")
FIRST = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
SECOND = FIRST + timedelta(hours=1)


@pytest.mark.parametrize("zone", [UTC, BERLIN])
def test_the_hour_that_comes_twice_is_told_apart(zone: tzinfo) -> None:
    assert stamp(FIRST.astimezone(zone), "Europe/Berlin") == "Sun 25 Oct 2026, 02:30 CEST"
    assert stamp(SECOND.astimezone(zone), "Europe/Berlin") == "Sun 25 Oct 2026, 02:30 CET"


def test_a_span_is_told_in_days_and_hours_or_in_hours_and_minutes() -> None:
    told = {0.5: "now", 5: "5 min", 125: "2 h 5 min", 1440: "1 day", 1440 + 185: "1 day 3 h", 3 * 1440: "3 days"}
    assert {minutes: length(timedelta(minutes=minutes)) for minutes in told} == told


def test_a_zone_nobody_knows_is_utc() -> None:
    assert stamp(FIRST, "Atlantis/Poseidonia") == "Sun 25 Oct 2026, 00:30 UTC"


def test_both_are_one_where_the_zone_is_utc() -> None:
    assert both_stamps(FIRST, "UTC") == "Sun 25 Oct 2026, 00:30 UTC"
    assert both_stamps(FIRST, "Europe/Berlin") == "Sun 25 Oct 2026, 02:30 CEST (Sun 25 Oct 2026, 00:30 UTC)"


@given(
    st.integers(0, 10_000_000),
    st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"]),
)
def test_a_stamp_names_its_minute(minutes: int, zone: str) -> None:
    at = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes, seconds=59)
    local = at.astimezone(ZoneInfo(zone))
    assert stamp(at, zone) == stamp(local, zone)
    assert stamp(at, zone).rpartition(" ")[0] == f"{local:%a} {local.day} {local:%b %Y, %H:%M}"


@given(st.integers(60, 13_000_000_000))
def test_a_moment_of_a_game_s_record_is_told_as_letters_tell_it(seconds: int) -> None:
    assert in_utc(seconds) == stamp(datetime.fromtimestamp(seconds, UTC), "UTC")


@pytest.mark.parametrize(
    ("date", "club", "zone"),
    [
        ("2026-11-22 12:00 +0100", "Europe/Vienna", "Europe/Vienna"),
        ("2026-11-22 12:00 +0100", "America/New_York", "Europe/Berlin"),
        ("2026-07-22 12:00 +0100", "Europe/Berlin", "Europe/London"),
        ("2026-07-22 12:00 +0200", "UTC", "Europe/Berlin"),
        ("2026-11-22 12:00 -0500", "Europe/Berlin", "America/New_York"),
        ("2026-07-22 12:00 -0400", "Europe/Berlin", "America/New_York"),
        ("2026-11-22 12:00 +0530", "UTC", "Asia/Kolkata"),
        ("2026-11-22 12:00 +1100", "UTC", "Australia/Sydney"),
        ("2026-11-22 12:00 +0000", "Europe/Berlin", "Europe/Berlin"),  # many programs write +0000 wherever they run
        ("2026-11-22 12:00 +1234", "Europe/Berlin", "Europe/Berlin"),
    ],
)
def test_a_zone_is_guessed_from_the_offset_of_a_letter(date: str, club: str, zone: str) -> None:
    assert guessed_zone(datetime.strptime(date, "%Y-%m-%d %H:%M %z"), club) == zone


def test_without_a_date_it_is_the_clubs() -> None:
    assert guessed_zone(None, "Europe/Berlin") == "Europe/Berlin"


def test_a_new_player_is_told_his_zone_once(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("gina@club.example", "CREATE newworld AS nw1")
    world.write("gina@club.example", "CREATE newworld AS nw2")
    *_, receipt = world.write("anna@club.example", "JOIN nw1", Date="Sun, 22 Nov 2026 07:00:00 -0500")
    assert (
        "Your letters give times in the zone America/New_York (now Sat 21 Nov 2026, 07:00 EST); SET zone"
        in receipt.flat
    )
    *_, receipt = world.write("anna@club.example", "JOIN nw2")
    assert "in the zone" not in receipt.flat and "You are in nw2" in receipt.flat


MONDAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-12-24", date(2026, 12, 24)),
        ("24 Dec", date(2026, 12, 24)),
        ("2 Jan", date(2027, 1, 2)),
        ("29 Feb", date(2028, 2, 29)),
        ("Monday", date(2026, 11, 30)),
        ("Friday", date(2026, 11, 27)),
        ("today", MONDAY),
        ("tomorrow", date(2026, 11, 24)),
        ("in 3 days", date(2026, 11, 26)),
        ("Thursday 24 Dec", date(2026, 12, 24)),
    ],
)
def test_a_day_is_the_next_of_its_kind(written: str, meant: date) -> None:
    assert day(written, MONDAY) == meant


@pytest.mark.parametrize(("written", "meant"), [("1 Nov", date(2026, 11, 1)), ("24 Dec", date(2025, 12, 24))])
def test_a_day_that_was_is_the_last_of_its_kind(written: str, meant: date) -> None:
    assert past_day(written, MONDAY) == meant


def test_an_hour_alone_is_the_next_such_hour() -> None:
    now = datetime(2026, 11, 23, 18, 30, tzinfo=UTC)
    assert moment("18:00", "Europe/Berlin", now) == datetime(2026, 11, 24, 17, 0, tzinfo=UTC)
    assert moment("20:00", "Europe/Berlin", now) == datetime(2026, 11, 23, 19, 0, tzinfo=UTC)
    assert moment("tomorrow 18:00 America/New_York", "Europe/Berlin", now) == datetime(2026, 11, 24, 23, 0, tzinfo=UTC)
