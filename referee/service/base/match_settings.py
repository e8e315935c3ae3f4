"""The settings of a match: its clock, its manners, the days and hours on which a slot may end, its holidays."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Any, Literal
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from referee.core.question import Pace
from referee.moments import local_moments, zone_named

# ---------------------------------------------------------------- manners
# How the players of a match may write to each other and decide together, and whether they know each other's names.


class Unmannerly(ValueError):
    """A setting of the manners that cannot be read: one sentence, with what would be right."""


class Manners(msgspec.Struct, frozen=True):
    """Settings of a match that are neither the game's nor the clock's.

    `press`: "none" is relayed but to the game master, or it is "signed" with the seat, or "grey" where its writer likes. A
    player who is late writes none unless `late_press`; where press is `ordered_press`, neither does who owes an order sheet and
    has none on file.

    Broadcasts go to observers where it is `observed`. A seat may send so many `letters_a_day`, each of so many characters
    (`size`). `votes` says who must agree to a motion. In an `anonymous` match nobody but the game master learns who plays which
    seat before the end.
    """

    press: Literal["none", "signed", "grey"] = "signed"
    anonymous: bool = False
    late_press: bool = True
    ordered_press: bool = False
    observed: bool = True
    letters_a_day: int = 20
    size: int = 10_000
    votes: Literal["majority", "two thirds", "all"] = "majority"


def _yes(written: str, what: str) -> bool:
    if written.casefold() not in ("yes", "no"):
        raise Unmannerly(f"{what} is yes or no, not {written or 'nothing'}.")
    return written.casefold() == "yes"


def _count(written: str, what: str, most: int) -> int:
    if not re.fullmatch(r"\d{1,6}", written) or not 1 <= int(written) <= most:
        raise Unmannerly(f"{what} is a number from 1 to {most:,}, not {written or 'nothing'}.")
    return int(written)


def _press(manners: Manners, written: str) -> Manners:
    name, _, value = written.casefold().partition(" ")
    match name:
        case "none" | "signed" | "grey" | "gray" if not value:
            return replace(manners, press="none" if name == "none" else "signed" if name == "signed" else "grey")
        case "late":
            return replace(manners, late_press=_yes(value, "press late"))
        case "ordered":
            return replace(manners, ordered_press=_yes(value, "press ordered"))
        case "observers":
            return replace(manners, observed=_yes(value, "press observers"))
        case "letters":
            return replace(manners, letters_a_day=_count(value, "press letters", 500))
        case "size":
            return replace(manners, size=_count(value, "press size", 100_000))
    raise Unmannerly(
        f"press is none, signed or grey, and press late, press ordered, press observers, press letters and press size have "
        f"settings of their own; {written or 'nothing'} is none of these."
    )


def _anonymous(manners: Manners, written: str) -> Manners:
    return replace(manners, anonymous=_yes(written, "anonymous"))


def _votes(manners: Manners, written: str) -> Manners:
    match " ".join(written.casefold().split()):
        case "majority":
            return replace(manners, votes="majority")
        case "two thirds":
            return replace(manners, votes="two thirds")
        case "all":
            return replace(manners, votes="all")
    raise Unmannerly(f"votes is majority, two thirds or all, not {written or 'nothing'}.")


_WORDS: Mapping[str, Callable[[Manners, str], Manners]] = {"press": _press, "anonymous": _anonymous, "votes": _votes}
MANNERS_WORDS = frozenset(_WORDS)
"""The words that begin a setting of the manners, as in `press grey` or `anonymous yes`."""


def with_manners(manners: Manners, name: str, value: str) -> Manners:
    """Manners with one more set. Raises Unmannerly, a sentence."""
    return _WORDS[name](manners, value)


_PRESS = {
    "none": "No press is relayed, but PRESS TO game master.",
    "signed": "Press is relayed, signed with the seat.",
    "grey": "Press is relayed, signed with the seat or grey, as its writer likes.",
}
_AGREE = {"majority": "more than half", "two thirds": "two thirds", "all": "all"}


def manners_sentences(manners: Manners) -> tuple[str, ...]:
    """The manners as STATUS and CLOCK tell them."""
    said = [_PRESS[manners.press]]
    if manners.press != "none":
        said.append(
            f"A seat may send {manners.letters_a_day} press letters a day, of {manners.size:,} characters each."
        )
        said += [] if manners.late_press else ["A late player may send none before he has played."]
        said += ["A player who owes orders sends none before they are on file."] if manners.ordered_press else []
        said += [] if manners.observed else ["Observers read no press."]
    said += ["Nobody but the game master knows who plays which seat before the end."] if manners.anonymous else []
    said.append(f"A motion is carried by {_AGREE[manners.votes]} of the players.")
    return tuple(said)


def manners_rows(manners: Manners) -> tuple[tuple[str, str, str], ...]:
    """The first letter's rows on manners that are not the usual ones: name, value, meaning."""
    usual, rows = Manners(), []
    if manners.anonymous:
        rows.append(("anonymous", "yes", "nobody but the game master knows who plays which seat before the end"))
    if manners.press != usual.press:
        rows.append(("press", manners.press, _PRESS[manners.press].rstrip(".")))
    if not manners.late_press:
        rows.append(("press late", "no", "a late player may send no press before he has played"))
    if manners.ordered_press:
        rows.append(("press ordered", "yes", "a player who owes orders may send no press before they are on file"))
    if not manners.observed:
        rows.append(("press observers", "no", "observers read no press"))
    if manners.votes != usual.votes:
        rows.append(("votes", manners.votes, f"a motion is carried by {_AGREE[manners.votes]} of the players"))
    return tuple(rows)


# ---------------------------------------------------------------- when a slot ends
# Fixed hours, allowed weekdays, holidays, a minimum, grace and absences. Pure arithmetic of moments.


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
        """Its faults, one sentence each."""
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
    """The moment from which a slot counts that opens at another.

    A turn that runs at a fixed hour ends a little after it; what follows it within half an hour is counted from the hour,
    or each slot of a day would last two.
    """
    if not table.clock:
        return opens
    hour = table.next_end(opens - _SLACK)
    return min(opens, hour)


# ---------------------------------------------------------------- settings
# A match's own clock settings, kept beside its options.


class ClockSettings(msgspec.Struct, frozen=True):
    """Lengths of a slot and of a reply in hours, reminders in hours before a deadline, change of mind in minutes.

    `waits` says whether decisions in the middle of a turn are mailed and waited for. `late` says what becomes of a slot at its
    deadline: it is played ("auto"), or once its grace is over ("after grace"), or it waits, its grace being over, until any
    other player rolls its player out ("on call").

    Where nothing is on file then, the `late_sheet` is played: an empty one, or that of a steady bot ("sound"). `slots` and
    `replies` are the timetables of both lengths. Late players are named to nobody else where the match `hides_late`.

    An absence of up to `absence_days` is granted without asking; `bank_hours` are each player's own, to spend with EXTEND. The
    `manners` are those of press and votes. One that `starts_full` starts by itself when its last seat is taken. The `beacon`
    says what has a share in its dice beside the secret: its letters alone, or a round of drand too.
    """

    slot_hours: float = 24
    reply_hours: float = 12
    reminder_hours: tuple[float, ...] = (12, 2)
    mind_minutes: float = 30
    waits: bool = False
    late: Literal["auto", "after grace", "on call"] = "auto"
    late_sheet: Literal["empty", "sound"] = "empty"
    slots: Timetable = Timetable()
    replies: Timetable = Timetable()
    hides_late: bool = False
    absence_days: float = 14
    bank_hours: float = 0
    manners: Manners = Manners()
    starts_full: bool = False
    beacon: Literal["letters", "drand"] = "letters"

    def length(self, pace: Pace) -> timedelta:
        """How long a seat has to answer a question of this pace."""
        return timedelta(hours=self.reply_hours if pace is Pace.REPLY else self.slot_hours)

    def table(self, pace: Pace) -> Timetable:
        """The days and hours at which the time for a question of this pace may end."""
        return self.replies if pace is Pace.REPLY else self.slots

    def grace(self, pace: Pace) -> str:
        """The grace after a deadline of this pace as its alarm keeps it: "", "24", "24 strict"."""
        table = self.table(pace)
        if self.late == "auto" or not table.grace_hours:
            return ""
        return f"{table.grace_hours:g}{' strict' if table.strict else ''}"

    def faults(self) -> tuple[str, ...]:
        """Their faults, one sentence each."""
        found = [*self.slots.faults(), *self.replies.faults()]
        if self.hides_late and self.late == "on call":
            found.append(
                "Where other players end a late slot they must know whose it is, so lateness cannot be hidden."
            )
        return tuple(dict.fromkeys(found))


ClockDefaults = ClockSettings
"""The settings of a new match."""


def settings_of(stored: dict[str, Any]) -> ClockSettings:
    """The settings as stored with a match. Raises msgspec.ValidationError when they are not valid."""
    return msgspec.convert(stored, ClockSettings)
