"""Times in letters: in the reader's zone, also in the hour that his clock shows twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.kit.wording import in_utc
from referee.service.times import both_stamps, stamp

BERLIN = ZoneInfo("Europe/Berlin")
FIRST = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
SECOND = FIRST + timedelta(hours=1)


@pytest.mark.parametrize("zone", [UTC, BERLIN])
def test_the_hour_that_comes_twice_is_told_apart(zone: tzinfo) -> None:
    assert stamp(FIRST.astimezone(zone), "Europe/Berlin") == "Sun 25 Oct 2026, 02:30 CEST"
    assert stamp(SECOND.astimezone(zone), "Europe/Berlin") == "Sun 25 Oct 2026, 02:30 CET"


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
