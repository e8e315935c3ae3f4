"""Moments, days, spans and zones as people write them: each input and what it means, or the sentence that refuses it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from referee.moments import Unclear, called, day, days, find_zone, hour, moment, past_day, spans

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
MONDAY = NOW.date()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("24 Dec", "2026-12-24"),
        ("24. Dezember", "2026-12-24"),
        ("24. Dez.", "2026-12-24"),
        ("le 24 décembre", "2026-12-24"),
        ("24 de diciembre", "2026-12-24"),
        ("24 de diciembre de 2026", "2026-12-24"),
        ("1er janvier", "2027-01-01"),
        ("December 24th, 2026", "2026-12-24"),
        ("the 24th of December", "2026-12-24"),
        ("24-Dec-2026", "2026-12-24"),
        ("24.12.26", "2026-12-24"),
        ("2026/12/24", "2026-12-24"),
        ("12/24/2026", "2026-12-24"),
        ("Do, 24.12.", "2026-12-24"),
        ("Thursday 24 Dec", "2026-12-24"),
        ("am 3. März", "2027-03-03"),
        ("dentro de 3 días", "2026-11-26"),
        ("in 2 Wochen", "2026-12-07"),
        ("mañana", "2026-11-24"),
        ("1 Dec 2026", "2026-12-01"),
        ("Dec 24, 2026", "2026-12-24"),
        ("Dec 24 2026", "2026-12-24"),
    ],
)
def test_a_day(written: str, meant: str) -> None:
    assert day(written, MONDAY).isoformat() == meant


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("12/1/2026", "can be read as 2026-01-12 and as 2026-12-01"),
        ("3/4", "can be read as 3 Apr and as 4 Mar"),
        ("1-2-2027", "can be read as 2027-01-02 and as 2027-02-01"),
        ("Friday 24 Dec", "2026-12-24 is a Thursday"),
        ("30 Feb", "no day I can read"),
        ("9999-12-30", "more than two years away"),
        ("in 99999999 days", "more than two years away"),
        ("2028-11-24", "more than two years away"),
        ("Dec", "no day I can read"),
        ("", "no day I can read"),
        ("24 Dec or so", "no day I can read"),
        ("in", "no day I can read"),
    ],
)
def test_no_day(written: str, said: str) -> None:
    with pytest.raises(Unclear, match=said):
        day(written, MONDAY)


def test_a_day_that_was_may_be_long_ago() -> None:
    assert past_day("2019-01-01", MONDAY) == date(2019, 1, 1)
    assert past_day("0001-01-01", MONDAY) == date(1970, 1, 2)


@pytest.mark.parametrize(
    ("written", "first", "last"),
    [
        ("30 Dec to 2 Jan", "2026-12-30", "2027-01-02"),
        ("24 Dec", "2026-12-24", "2026-12-24"),
        ("24.12.-2.1.", "2026-12-24", "2027-01-02"),
        ("24.-27. Dezember", "2026-12-24", "2026-12-27"),
        ("24 - 27 Dec", "2026-12-24", "2026-12-27"),
        ("24. bis 27. Dezember", "2026-12-24", "2026-12-27"),
        ("24 au 27 décembre", "2026-12-24", "2026-12-27"),
        ("24 de diciembre al 2 de enero", "2026-12-24", "2027-01-02"),
        ("2026-12-24 until 2027-01-02", "2026-12-24", "2027-01-02"),
        ("5-9 Jan 2027", "2027-01-05", "2027-01-09"),
        ("tomorrow till Friday", "2026-11-24", "2026-11-27"),
        ("Dec 24-27", "2026-12-24", "2026-12-27"),
        ("24th - 27th Dec", "2026-12-24", "2026-12-27"),
        ("zwischen dem 24. und 27. Dezember", "2026-12-24", "2026-12-27"),
        ("entre le 24 et le 27 décembre", "2026-12-24", "2026-12-27"),
        ("entre el 24 y el 27 de diciembre", "2026-12-24", "2026-12-27"),
        ("24. bis zum 27. Dezember 2026", "2026-12-24", "2026-12-27"),
        ("vom 24. bis 27. Dezember", "2026-12-24", "2026-12-27"),
        ("von Montag bis Freitag", "2026-11-30", "2026-12-04"),
        ("du 24 au 27 décembre inclus", "2026-12-24", "2026-12-27"),
        ("del 24 al 27 de diciembre, ambos inclusive", "2026-12-24", "2026-12-27"),
        ("from Dec 24 to 27", "2026-12-24", "2026-12-27"),
        ("from 24 through to 27 Dec (inclusive)", "2026-12-24", "2026-12-27"),
        ("24. bis einschließlich 27. Dezember", "2026-12-24", "2026-12-27"),
        ("24 up to and including 27 Dec", "2026-12-24", "2026-12-27"),
    ],
)
def test_days(written: str, first: str, last: str) -> None:
    assert days(written, MONDAY) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("24:00", "00:00"),
        ("noon", "12:00"),
        ("midnight", "00:00"),
        ("6pm", "18:00"),
        ("6 p.m.", "18:00"),
        ("6:30pm", "18:30"),
        ("12am", "00:00"),
        ("18.30", "18:30"),
        ("18h30", "18:30"),
        ("18 h 30", "18:30"),
        ("18 Uhr", "18:00"),
        ("18 Uhr 30", "18:30"),
        ("um 18.30 Uhr", "18:30"),
        ("à 18 heures", "18:00"),
        ("a las 18 horas", "18:00"),
        ("mittags", "12:00"),
        ("Mitternacht", "00:00"),
        ("minuit", "00:00"),
        ("mediodía", "12:00"),
        ("1830 Uhr", "18:30"),
        ("9:00", "09:00"),
        ("18:00:00", "18:00"),
    ],
)
def test_an_hour(written: str, meant: str) -> None:
    assert hour(written) == meant


@pytest.mark.parametrize("written", ["25:00", "24:30", "18:60", "13pm", "0pm", "18", "", "12h later"])
def test_no_hour(written: str) -> None:
    with pytest.raises(Unclear, match="is no time of the day; write it as 18:00"):
        hour(written)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("1.12.2026 18.30 Uhr", "2026-12-01 17:30"),
        ("18.12 Uhr", "2026-11-23 17:12"),
        ("24 Dec, 6pm", "2026-12-24 17:00"),
        ("24 Dec 24:00", "2026-12-24 23:00"),
        ("midnight", "2026-11-23 23:00"),
        ("12:30", "2026-11-24 11:30"),
        ("13:30", "2026-11-23 12:30"),
        ("tomorrow noon", "2026-11-24 11:00"),
        ("2026-12-01T18:00", "2026-12-01 17:00"),
        ("2026-12-01 18:00 +02:00", "2026-12-01 16:00"),
        ("2026-12-01 18:00 Z", "2026-12-01 18:00"),
        ("24 Dec 18:00 New York", "2026-12-24 23:00"),
        ("24 Dec 18:00 EST", "2026-12-24 23:00"),
        ("24 Dec 18:00 UTC+2", "2026-12-24 16:00"),
        ("24 Dec 18:00 GMT+5:30", "2026-12-24 12:30"),
        ("24 Jul 18:00 CEST", "2027-07-24 16:00"),
        ("24 Jul 18:00 MESZ", "2027-07-24 16:00"),
        ("24 Dec 18:00 Europe/berlin", "2026-12-24 17:00"),
        ("Freitag um 20 Uhr", "2026-11-27 19:00"),
        ("demain à 18h30", "2026-11-24 17:30"),
        ("viernes a las 18:00", "2026-11-27 17:00"),
    ],
)
def test_a_moment(written: str, meant: str) -> None:
    assert f"{moment(written, 'Europe/Berlin', NOW):%Y-%m-%d %H:%M}" == meant


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            "2027-03-28 02:30",
            "No clock shows 2027-03-28 02:30 in Europe/Berlin.*write 2027-03-28 01:30 or 2027-03-28 03:30",
        ),
        ("2027-10-31 02:30", r"twice in Europe/Berlin.*02:30 \+02:00 or 2027-10-31 02:30 \+01:00"),
        ("31 Oct 2:15", "twice in Europe/Berlin"),
        ("2027-03-14 02:30 New York", "No clock shows 2027-03-14 02:30 in America/New_York"),
        ("2027-04-04 02:30 Sydney", "twice in Australia/Sydney"),
        ("24 Dec", "Say the hour too: 24 Dec 18:00"),
        ("24 Dec,", "no moment I can read"),  # a comma that nothing follows is no part of a day
        ("24 Dec midnight", "a midnight at its beginning and one at its end"),
        ("24 Dec 18:00 CST", "CST is the time of several zones"),
        ("24 Dec 18:00 XYZ", "XYZ is no time zone I know"),
        ("9999-12-31 23:59", "more than two years away"),
        ("24 Dec 18:00 or so", "no moment I can read"),
    ],
)
def test_no_moment(written: str, said: str) -> None:
    with pytest.raises(Unclear, match=said):
        moment(written, "Europe/Berlin", NOW)


@pytest.mark.parametrize(
    ("written", "hours"),
    [("12h", 12), ("2 days 12h", 60), ("1.5 days", 36), ("2 Wochen", 336), ("90min", 1.5), ("731 d", 17544)],
)
def test_spans(written: str, hours: float) -> None:
    assert sum(spans(written), timedelta()) == timedelta(hours=hours)


@pytest.mark.parametrize("written", ["+99999999 days", "732 days", "105w", "9999999999999999999999h", "1052641 min"])
def test_a_span_is_bounded(written: str) -> None:
    with pytest.raises(Unclear, match="is longer than two years"):
        spans(written)


@pytest.mark.parametrize(
    ("written", "zone"),
    [
        ("Berlin", "Europe/Berlin"),
        ("Europe/berlin", "Europe/Berlin"),
        ("New York", "America/New_York"),
        ("new_york", "America/New_York"),
        ("CET", "CET"),
        ("CEST", "Europe/Berlin"),
        ("MEZ", "CET"),
        ("GMT+2", "Etc/GMT-2"),
        ("UTC+2", "Etc/GMT-2"),
        ("UTC +02:00", "Etc/GMT-2"),
        ("+2", "Etc/GMT-2"),
        ("UTC-3", "Etc/GMT+3"),
        ("Etc/GMT+2", "Etc/GMT+2"),
        ("UTC+5:30", "Asia/Kolkata"),
        ("GMT+0", "UTC"),
        ("GMT", "GMT"),
        ("Z", "UTC"),
        ("Zulu", "UTC"),
        ("Wien", "Europe/Vienna"),
        ("München", "Europe/Berlin"),
        ("Germany", "Europe/Berlin"),
        ("hora de Madrid", "Europe/Madrid"),
        ("Eastern Standard Time", "America/New_York"),
        ("PT", "America/Los_Angeles"),
        ("(GMT+01:00) Berlin", "Europe/Berlin"),
        ("BST", "Europe/London"),
        ("são paulo", "America/Sao_Paulo"),
        ("MSK", "Europe/Moscow"),
    ],
)
def test_a_zone(written: str, zone: str) -> None:
    assert find_zone(written) == zone


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("EST", "America/New_York"),
        ("CST", "America/Chicago, Asia/Shanghai"),
        ("IST", "Asia/Kolkata"),
        ("AEST", "Australia/Sydney or Australia/Brisbane"),
        ("USA", "America/New_York, America/Chicago"),
        ("Lndon", "Did you mean Europe/London"),
        ("Europa/Berlin", "Did you mean Europe/Berlin"),
        ("posix/Europe/Berlin", "Did you mean Europe/Berlin"),
        ("Factory", "Factory is no time zone I know; write it as Europe/Berlin"),
        ("posixrules", "is no time zone"),
        ("leapseconds", "is no time zone"),
        ("localtime", "is no time zone"),
        ("tzdata.zi", "is no time zone"),
        ("../etc/passwd", "is no time zone"),
        ("UTC+13:37", "No place has the time"),
        ("UTC+99", "is no time zone"),
        ("", "Nothing is no time zone"),
    ],
)
def test_no_zone(written: str, said: str) -> None:
    with pytest.raises(Unclear, match=said):
        find_zone(written)


def test_the_sign_of_the_database_is_told() -> None:
    assert called("Etc/GMT+2").startswith("UTC-2 (2 h behind UTC")
    assert called("Etc/GMT-2").startswith("UTC+2 (2 h ahead of UTC")
    assert called("Europe/Berlin") == "Europe/Berlin"
