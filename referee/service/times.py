"""Times as letters give them: absolute, in the reader's zone and in UTC."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from referee.kit.wording import date_and_hour
from referee.service.letters import Deadline


def zone_named(name: str) -> ZoneInfo | None:
    """The time zone of that IANA name, or None when there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


_COMMONEST = (
    "Europe/Berlin", "Europe/London", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles",
    "Asia/Kolkata", "Asia/Shanghai", "Asia/Tokyo", "America/Sao_Paulo", "Europe/Helsinki", "Europe/Istanbul", "Asia/Dubai",
    "Asia/Karachi", "Asia/Dhaka", "Asia/Bangkok", "Australia/Sydney", "Australia/Brisbane", "Pacific/Auckland",
    "America/Halifax", "Australia/Adelaide", "Australia/Darwin", "America/St_Johns", "Asia/Tehran", "Asia/Kabul",
    "Asia/Kathmandu", "Asia/Yangon", "America/Anchorage", "Pacific/Honolulu", "Atlantic/Azores", "America/Noronha",
    "Pacific/Noumea",
)  # fmt: skip
"""Zones in which people write letters, of zones with one offset the commoner first."""


def guessed_zone(dated: datetime | None, club: str) -> str:
    """Where somebody may live, by the Date field of his first letter: an offset is no zone.

    That of the club if its clocks agreed with his at that moment, else the commonest with this offset. Many programs write
    +0000 wherever they run, so that says nothing.
    """
    offset = dated.utcoffset() if dated else None
    if dated is None or not offset or _offset(dated, club) == offset:
        return club
    return next((zone for zone in _COMMONEST if _offset(dated, zone) == offset), club)


def _offset(at: datetime, zone: str) -> timedelta | None:
    return at.astimezone(zone_named(zone) or UTC).utcoffset()


def stamp(at: datetime, zone: str) -> str:
    """Such as "Sun 22 Nov 2026, 18:00 CET"; English whatever the host's locale."""
    # In UTC, for in the hour that a clock shows twice two moments of one zone are held equal.
    return _stamp(at.astimezone(UTC).replace(second=0, microsecond=0), zone)


@lru_cache(maxsize=1_024)
def _stamp(at: datetime, zone: str) -> str:
    """Letters of the same minute, and all that name one deadline, say the same."""
    local = at.astimezone(zone_named(zone) or UTC)
    name = local.tzname()
    label = "UTC" if name in ("UTC", "Etc/UTC") else (name or zone)
    written = date_and_hour(local.weekday(), (local.year, local.month, local.day), 60 * local.hour + local.minute)
    return f"{written} {label}"


def zone_sentence(zone: str, now: datetime) -> str:
    """In which zone somebody's letters give times, and how he changes that: it was guessed."""
    where = f"{zone} (now {stamp(now, zone)})"
    return f"Your letters give times in the zone {where}; SET zone and a name such as Europe/London changes it."


def both_stamps(at: datetime, zone: str) -> str:
    """A moment in a zone and, where that is another, in UTC."""
    local, utc = stamp(at, zone), stamp(at, "UTC")
    return local if local == utc else f"{local} ({utc})"


def length(span: timedelta) -> str:
    """A span in whole minutes, such as "1 day 3 h", "2 h 5 min"; "now" when nothing is left."""
    minutes = int(span.total_seconds() // 60)
    if minutes <= 0:
        return "now"
    days, rest = divmod(minutes, 1440)
    hours, minutes = divmod(rest, 60)
    parts = [f"{days} day{'s' if days > 1 else ''}"] if days else []
    parts += [f"{hours} h"] if hours else []
    parts += [f"{minutes} min"] if minutes and not days else []
    return " ".join(parts)


def as_deadline(due: datetime, now: datetime, zone: str) -> Deadline:
    """A deadline for a reader in that zone."""
    return Deadline(stamp(due, zone), stamp(due, "UTC"), length(due - now), _short(due, now, zone))


def _short(due: datetime, now: datetime, zone: str) -> str:
    """Such as "Mon 18:00"; with the date from the day on that has the same name as today."""
    local = due.astimezone(zone_named(zone) or UTC)
    weekday, day, month, _, hour, *_ = stamp(due, zone).split()
    near = (local.date() - now.astimezone(local.tzinfo).date()).days in range(7)
    return f"{weekday} {hour}" if near else f"{weekday} {day} {month} {hour}"


def iso(at: datetime) -> str:
    """UTC in ISO 8601, as the log keeps it."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def day(text: str, today: date) -> date | None:
    """The day that is meant, the next to come where no year is written: `2026-12-24`, `24 Dec`, `Monday`, `in 3 days`.

    None for no day, and for one that is no such weekday.
    """
    weekday, _, dated = text.partition(" ")
    if weekday in _WEEKDAYS and dated:
        found = day(dated, today)
        return found if found and found.weekday() == _WEEKDAYS.index(weekday) else None
    if weekday in _WEEKDAYS:
        return today + timedelta(days=(_WEEKDAYS.index(weekday) - today.weekday() - 1) % 7 + 1)
    if ahead := re.fullmatch(r"in (\d{1,4}) days|(today)|(tomorrow)", text):
        return today + timedelta(days=int(ahead[1] or bool(ahead[3])))
    return _dated(text, today)


def past_day(text: str, today: date) -> date | None:
    """The day that is meant where one that was is asked for: the last Monday, the last 24 Dec."""
    return day(text, today - timedelta(days=8 if text in _WEEKDAYS else 0 if text[:1] == "t" else 364))


def _dated(text: str, today: date) -> date | None:
    """In this year, or the next in which it is still to come: 29 Feb may be years away."""
    for year in range(today.year, today.year + 9):
        try:
            found = date.fromisoformat(text) if text[:4].isdecimal() else _in_year(text, year)
        except ValueError:
            continue
        if found >= today or text[:4].isdecimal():
            return found
    return None


def _in_year(text: str, year: int) -> date:
    number, _, month = text.partition(" ")
    return date(year, _MONTHS.index(month) + 1, int(number))


def moment(text: str, zone: str, now: datetime | None = None) -> datetime | None:
    """A written moment, "2026-11-22 18:00" with or without a zone after it; without one it is in `zone`.

    With `now` days may be written as people do, and an hour alone is the next such hour.
    """
    match = re.fullmatch(r"(?:(.*?)[ T])??(\d{1,2}:\d{2})(?::\d{2})?\s*(\S+)?", text.strip())
    where = zone_named(match[3] or zone) if match else None
    if match is None or where is None:
        return None
    if now is not None:
        return _moment_from(match[1] or "", match[2], where, now)
    try:
        return datetime.strptime(f"{match[1]} {match[2]}", "%Y-%m-%d %H:%M").replace(tzinfo=where).astimezone(UTC)
    except ValueError:
        return None


def _moment_from(written: str, hour: str, where: ZoneInfo, now: datetime) -> datetime | None:
    here = now.astimezone(where)
    on = day(written, here.date()) if written else here.date()
    if on is None:
        return None
    try:
        at = datetime.combine(on, time.fromisoformat(hour.rjust(5, "0")), where)
    except ValueError:
        return None
    return (at if written or at > here else at + timedelta(days=1)).astimezone(UTC)
