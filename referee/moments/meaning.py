"""The day, hour or moment that somebody's words mean, seen from now and from where he lives; and how far away it may be."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from referee.moments.reading import (
    FURTHEST,
    MONTHS,
    WEEKDAYS,
    Unclear,
    day_at,
    days_at,
    hour_at,
    moment_at,
    seconds_of,
    span_at,
    words_of,
)
from referee.moments.zones import tz

_EARLIEST = date(1970, 1, 2)
_ISO_DAY = 10


def day(text: str, today: date) -> date:
    """The day that is meant, the next to come where no year is written: `2026-12-24`, `24 Dec`, `Monday`, `in 3 days`.

    Raises Unclear for no day, for one that is no such weekday, and for one that is too far away.
    """
    words = words_of(text)
    found = day_at(words, 0) if words else None
    if found is None or found[1] != len(words):
        raise Unclear(f"{text or 'Nothing'} is no day I can read; write it as 2026-12-24 or 24 Dec.")
    return _near(_of(found[0], today, text), today, text)


def past_day(text: str, today: date) -> date:
    """The day that is meant where one that was is asked for: the last Monday, the last 24 Dec. Raises Unclear."""
    words = words_of(text)
    found = day_at(words, 0) if words else None
    name = found[0] if found else text
    begins = today - timedelta(days=8 if name in WEEKDAYS else 0 if name[:1] == "t" else 364)
    return day(text, begins) if not name[:4].isdecimal() else max(_of(name, today, text), _EARLIEST)


def days(text: str, today: date) -> tuple[date, date]:
    """The first day and the last, which is the next such day from the first on. Raises Unclear."""
    words = words_of(text)
    found = days_at(words, 0) if words else None
    if found is None or found[1] != len(words):
        raise Unclear(f"{text} are no days I can read; write FROM 2026-12-20 TO 2027-01-02.")
    first, _, last = found[0].partition(" - ")
    begins = day(first, today)
    since = today if last in ("today", "tomorrow") or last.startswith("in ") else begins
    return begins, _near(_of(last, since, last), today, last)


def _near(on: date, today: date, text: str) -> date:
    if on - today > FURTHEST:
        raise Unclear(f"{text} is more than two years away, and no day or moment may be.")
    return on


def _of(name: str, today: date, text: str) -> date:
    weekday, _, dated = name.partition(" ")
    if weekday in WEEKDAYS and dated:
        found = _of(dated, today, text)
        if found.weekday() != WEEKDAYS.index(weekday):
            raise Unclear(f"{text} cannot be: {found.isoformat()} is a {WEEKDAYS[found.weekday()]}.")
        return found
    if weekday in WEEKDAYS:
        return today + timedelta(days=(WEEKDAYS.index(weekday) - today.weekday() - 1) % 7 + 1)
    if name in ("today", "tomorrow") or name.startswith("in "):
        ahead = 0 if name == "today" else 1 if name == "tomorrow" else min(int(name.split()[1]), 10_000)
        return today + timedelta(days=ahead)
    if len(name) == _ISO_DAY and name[:4].isdecimal():
        return date.fromisoformat(name)
    number, _, month = name.partition(" ")
    for year in range(today.year, today.year + 9):  # 29 Feb may be years away
        try:
            found = date(year, MONTHS.index(month) + 1, int(number))
        except ValueError:
            continue
        if found >= today:
            return found
    raise Unclear(f"{text} is no day I can read; write it as 2026-12-24 or 24 Dec.")


def hour(text: str) -> str:
    """A time of the day as `18:00`. Raises Unclear."""
    words = words_of(text)
    found = hour_at(words, 0) if words else None
    if found is None or found[1] != len(words):
        raise Unclear(f"{text or 'Nothing'} is no time of the day; write it as 18:00.")
    return "00:00" if found[0] == "24:00" else found[0]


def moment(text: str, zone: str, now: datetime, usual: str = "", word: str = "") -> datetime:
    """A written moment in UTC, in `zone` where it names none; an hour alone is the next such hour.

    A day alone has the `usual` hour. `word` is the command it stands behind.
    Raises Unclear for what is none, has no hour, is too far away, or stands on no clock there or on it twice.
    """
    words = words_of(text)
    found = moment_at(words, 0) if words else None
    if found is None or found[1] != len(words):
        raise Unclear(f"{text} is no moment I can read; write it as 2026-11-22 18:00.")
    written = found[0].split(" ")
    place = next((number for number, word in enumerate(written) if ":" in word and word[0].isdigit()), None)
    if place is None and not usual:
        raise Unclear(f"Say the hour too: {f'{word} {text}'.strip()} 18:00.")
    named, at, where = (found[0], usual, zone)
    if place is not None:
        named, at, where = " ".join(written[:place]), written[place], " ".join(written[place + 1 :]) or zone
    place_of = tz(where)
    here = now.astimezone(place_of)
    on = day(named, here.date()) if named else here.date()
    due = _only(on, at, where, place_of)
    if not named and due <= now:
        due = _only(on + timedelta(days=1), at, where, place_of)
    return plain_moment(due, now, text)


def plain_moment(at: datetime, now: datetime, text: str) -> datetime:
    """A moment that is not too far away. Raises Unclear."""
    if at - now > FURTHEST:
        raise Unclear(f"{text} is more than two years away, and no day or moment may be.")
    return at


def _only(on: date, hour: str, where: str, zone: tzinfo) -> datetime:
    """The one moment at which a clock shows that. Raises Unclear where it never does, or twice."""
    on, hour = (on + timedelta(days=1), "00:00") if hour == "24:00" else (on, hour)
    first, last = local_moments(on, time.fromisoformat(hour), zone)
    if first == last:
        return first
    naive = f"{on.isoformat()} {hour}"
    if f"{first.astimezone(zone):%Y-%m-%d %H:%M}" != naive:
        offers = [f"{at.astimezone(zone):%Y-%m-%d %H:%M}" for at in (first, last)]
        raise Unclear(
            f"No clock shows {naive} in {where}, where summer time begins: write {' or '.join(offers)}.", offers
        )
    offers = [f"{naive} {at.astimezone(zone).isoformat()[-6:]}" for at in (first, last)]
    raise Unclear(f"Clocks show {naive} twice in {where}, where summer time ends: write {' or '.join(offers)}.", offers)


def local_moments(day: date, hour: time, zone: tzinfo) -> tuple[datetime, datetime]:
    """The earlier and the later moment that a time of the day can mean, in UTC: they differ where clocks show it twice or never."""
    naive = datetime.combine(day, hour)
    one, other = sorted(naive.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    return one, other


def spans(text: str) -> Sequence[timedelta]:
    """The spans of time that a text consists of, such as "12h 2 days"; () when it has anything else in it. Raises Unclear."""
    words = [word for word in words_of(text) if word.casefold() not in ("and", "und", "et", "y", ",")]
    found: list[timedelta] = []
    at = 0
    while at < len(words):
        span = span_at(words, at)
        if span is None:
            return ()
        found.append(timedelta(seconds=seconds_of(span[0])))
        at += span[1]
    return found
