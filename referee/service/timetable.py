"""When a slot ends: fixed hours, allowed weekdays, holidays, a minimum, grace and absences. Pure arithmetic of moments."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

import msgspec

from referee.moments import local_moments, zone_named

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
"""Days of the week as a match's timetable and its letters name them."""

_DAY = timedelta(days=1)
_SLACK = timedelta(minutes=30)
_FURTHEST = 366
"""Days that are looked at for one that is allowed."""


class Absence(msgspec.Struct, frozen=True):
    """A time in which a player is away, `back` not included."""

    away: datetime
    back: datetime


class Timetable(msgspec.Struct, frozen=True):
    """The days and hours at which slots of a match may end.

    `clock` is a time of the day such as "18:00" in `zone`, or empty; `days` the weekdays that are allowed (none named:
    all), `free` single dates that are not, `calendars` countries whose public holidays are not, such as "DE" or "US-CA".
    A slot lasts `least_hours` at any rate. After its end a late player has `grace_hours`, in which his orders still
    count; where it is `strict`, only a player has them whose slot before this one was not late too.
    """

    clock: str = ""
    zone: str = "UTC"
    days: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    calendars: tuple[str, ...] = ()
    least_hours: float = 0
    grace_hours: float = 0
    strict: bool = False

    def faults(self) -> tuple[str, ...]:
        """What is wrong with it, one sentence each."""
        found = [f"{day} is no weekday; they are {', '.join(WEEKDAYS)}." for day in self.days if day not in WEEKDAYS]
        found += [f"{name} is no country whose holidays I know." for name in self.calendars if not _known(name)]
        if self.clock and _hour(self.clock) is None:
            found.append(f"{self.clock} is no time of the day; write it as 18:00.")
        found += [f"{day} is no date; write it as 2026-12-24." for day in self.free if _date(day) is None]
        if zone_named(self.zone) is None:
            found.append(f"{self.zone} is no time zone; write it as Europe/Berlin.")
        return tuple(found)

    def allows(self, day: date) -> bool:
        """Whether a slot may end on a day."""
        if self.days and WEEKDAYS[day.weekday()] not in self.days:
            return False
        if day.isoformat() in self.free:
            return False
        return all(day not in _calendar(name, day.year) for name in self.calendars)

    def pushed(self, due: datetime) -> datetime:
        """A moment to which a deadline is moved, or the same hour of the next day that is allowed."""
        return msgspec.structs.replace(self, clock="").next_end(due)

    def next_end(self, at: datetime, days: int = 0) -> datetime:
        """The first moment from `at` on at which a slot may end, so many days of its zone later where the hour is fixed.

        Raises ValueError when a year has no day for it.
        """
        zone = ZoneInfo(self.zone)
        here = at.astimezone(zone)
        hour = _hour(self.clock) if self.clock else None
        day, at_hour = here.date(), hour or here.time().replace(tzinfo=None)
        if hour is None and self.allows(day):
            return at
        while local_moment(day, at_hour, zone) < at:
            day += _DAY
        for ahead in range(days, days + _FURTHEST + 1):
            if self.allows(day + ahead * _DAY):
                return local_moment(day + ahead * _DAY, at_hour, zone)
        raise ValueError("no day of a whole year is allowed")

    def later(self, at: datetime, span: timedelta) -> datetime:
        """So much later; where the hour is fixed whole days are those of its zone, so that it stays."""
        zone = ZoneInfo(self.zone)
        days, rest = divmod(span, _DAY) if self.clock else (0, span)
        here = at.astimezone(zone)
        moved = local_moment(here.date() + days * _DAY, here.time(), zone) if days else at
        return moved + rest

    def odd_ends(self, now: datetime) -> tuple[str, ...]:
        """Of the next year the days on which the clock never shows the fixed hour, or twice, one sentence each."""
        hour, zone = _hour(self.clock) if self.clock else None, ZoneInfo(self.zone)
        if hour is None:
            return ()
        today, found = now.astimezone(zone).date(), []
        for day in (today + ahead * _DAY for ahead in range(_FURTHEST)):
            first, last = local_moments(day, hour, zone)
            if first != last:
                never = last.astimezone(zone).time() != hour
                meant = f"slots end at {last.astimezone(zone):%H:%M}" if never else "slots end at the second"
                shown = f"no clock shows {self.clock}" if never else f"clocks show {self.clock} twice"
                found.append(f"On {day.isoformat()} {shown} in {self.zone}; {meant} then.")
        return tuple(found)


def _hour(text: str) -> time | None:
    try:
        return time.fromisoformat(text)
    except ValueError:
        return None


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def local_moment(day: date, hour: time, zone: tzinfo) -> datetime:
    """A time of the day in a zone, in UTC. Where the clock shows it twice or never, the later moment it can mean."""
    return local_moments(day, hour, zone)[1]


def _countries() -> Mapping[str, Collection[str]]:
    """The countries and their parts."""
    # The package takes a tenth of a second to import, and most matches keep no holidays.
    from holidays import list_supported_countries

    return list_supported_countries()


def _known(name: str) -> bool:
    country, _, part = name.partition("-")
    supported = _countries()
    return country in supported and (not part or part in supported[country])


@lru_cache(maxsize=256)
def _calendar(name: str, year: int) -> frozenset[date]:
    from holidays import country_holidays

    country, _, part = name.partition("-")
    return frozenset(country_holidays(country, subdiv=part or None, years=year))


def falls_due(opens: datetime, length: timedelta, table: Timetable, absences: Iterable[Absence] = ()) -> datetime:
    """When a slot ends that opens at a moment: its length, at least the minimum, then the first moment that is allowed.

    Where the hour is fixed whole days are those of its zone, of which one a year has 23 hours and one 25. A player who is away
    at its end has it moved behind his absence. Back, he has a day, or the whole length where that is shorter, and at least the
    minimum.
    """
    least = timedelta(hours=table.least_hours)

    def after(begin: datetime, span: timedelta) -> datetime:
        days, rest = divmod(span, _DAY) if table.clock else (0, span)
        return table.next_end(begin + rest, days)

    due = after(opens, max(length, least))
    for absence in sorted(absences, key=lambda absence: absence.away):
        if absence.away <= due < absence.back:
            due = after(absence.back, max(least, min(length, _DAY)))
    return due


def begins(opens: datetime, table: Timetable) -> datetime:
    """From when a slot counts that opens at a moment.

    A turn that runs at a fixed hour ends a little after it; what follows it within half an hour is counted from the hour,
    or each slot of a day would last two.
    """
    if not table.clock:
        return opens
    hour = table.next_end(opens - _SLACK)
    return min(opens, hour)
