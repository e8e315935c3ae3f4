"""A match's clock in words: read from CREATE, CLOCK, DAYS, GRACE and HOLIDAYS, and said again by STATUS."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta

import msgspec
from msgspec.structs import replace

from referee.kit.wording import in_a_row
from referee.moments import (
    Unclear,
    called,
    day,
    day_at,
    find_zone,
    hour_at,
    spans,
    weekday_at,
    words_of,
    zone_named,
)
from referee.service.base.match_settings import (
    MANNERS_WORDS,
    WEEKDAYS,
    ClockSettings,
    Timetable,
    Unmannerly,
    manners_sentences,
    with_manners,
)
from referee.service.match.clocks import read_leads
from referee.service.match.result import Denial, need, understood

_ALL = ("all", "any", "every day", "none", "no", "off")
_NONE = ("none", "no", "off")
_BETWEEN = ("and", "und", "et", "y", "on", "only")
_THROUGH = ("-", "\u2013", "to", "through", "till", "bis", "a", "\u00e0", "au", "al", "hasta")


class _Wrong(Exception):
    """A setting that cannot be read: one sentence, with what would be right."""


def _one(written: str, what: str, least: float = 0) -> float:
    """One span of time, in hours."""
    hours = [0.0] if written.casefold() in _NONE else [span / timedelta(hours=1) for span in spans(written)]
    if len(hours) != 1 or hours[0] < least:
        raise _Wrong(f"{written or 'Nothing'} is no time for {what}; write it as 12h or 2 days.")
    return hours[0]


class _Now(msgspec.Struct, frozen=True):
    """Where and when the game master writes."""

    zone: str
    at: datetime


def _pieces(written: str) -> list[str]:
    return [word for word in re.split(r"[\s,]+", written) if word and word.casefold() not in ("and", "on", "at")]


# ---------------------------------------------------------------- the timetable


def _clock(table: Timetable, written: str, now: _Now) -> Timetable:
    words = words_of(written) or ["none"]
    if words[0].casefold() in _NONE:
        return replace(table, clock="")
    found = hour_at(words, 0)
    if found is None:
        raise _Wrong(f"{words[0]} is no time of the day; write it as 18:00.")
    where = " ".join(words[found[1] :])
    return replace(
        table,
        clock=found[0].replace("24:", "00:"),
        zone=find_zone(re.sub(r"^in ", "", where, flags=re.IGNORECASE)) if where else now.zone,
    )


def _days(table: Timetable, written: str, now: _Now) -> Timetable:
    """Without a fixed hour they are days of the game master's own zone, unless he names another behind them."""
    if written.casefold() in _ALL:
        return replace(table, days=())
    words = [word for word in re.findall(r"[^\s,\u2013-]+|[\u2013-]", written) if word.casefold() not in _BETWEEN]
    found: set[int] = set()
    at, begin = 0, None
    while at < len(words) and (day := _weekday(words[at])) is not None:
        first = day if begin is None else begin
        found |= {(first + step) % 7 for step in range((day - first) % 7 + 1)}
        at += 1
        begin = day if at < len(words) and words[at].casefold() in _THROUGH else None
        at += begin is not None
    where = written[written.index(words[at]) :] if at < len(words) else ""
    if not found or begin is not None or (where and not _may_be_zone(where)):
        raise _Wrong(f"{where or written or 'Nothing'} is no weekday; they are {', '.join(WEEKDAYS)}.")
    zone = find_zone(where) if where else table.zone if table.clock else now.zone
    return replace(table, days=tuple(WEEKDAYS[day] for day in sorted(found)), zone=zone)


def _may_be_zone(text: str) -> bool:
    """The word behind weekdays is a zone if it names one, or is written as zones are."""
    try:
        return bool(find_zone(text))
    except Unclear as wrong:
        return "/" in text or bool(wrong.offers)


def _weekday(word: str) -> int | None:
    found = weekday_at([word], 0)
    return WEEKDAYS.index(found[0][:3]) if found else None


def _holidays(table: Timetable, written: str, now: _Now) -> Timetable:
    """Countries and single dates in place of those before; without a fixed hour they are days of the game master's own zone."""
    if written.casefold() in _NONE:
        return replace(table, calendars=(), free=())
    words = [word for word in words_of(written) if word.casefold() not in (",", "and", "und")]  # AT is Austria
    dates, names, at = set(), set(), 0
    today = now.at.astimezone(zone_named(now.zone) or UTC).date()
    while at < len(words):
        if found := day_at(words, at) if words[at][:1].isdecimal() or len(words[at]) > 6 else None:
            dates.add(day(found[0], today).isoformat())
        elif words[at][:1].isdecimal():
            raise _Wrong(f"{words[at]} is no date; write it as 2026-12-24.")
        else:
            names.add(words[at].upper())
        at += found[1] if found else 1
    zone = table.zone if table.clock or table.days else now.zone
    return replace(table, calendars=tuple(sorted(names)), free=tuple(sorted(dates)), zone=zone)


def _least(table: Timetable, written: str, _: _Now) -> Timetable:
    return replace(table, least_hours=_one(written, "the least a slot lasts"))


def _grace(table: Timetable, written: str, _: _Now) -> Timetable:
    strict = bool(re.search(r"\bstrict\b", written, re.IGNORECASE))
    span = re.sub(r"\bstrict\b", "", written, flags=re.IGNORECASE).strip()
    return replace(table, grace_hours=_one(span, "grace"), strict=strict)


_OF_TABLE: Mapping[str, Callable[[Timetable, str, _Now], Timetable]] = {
    "clock": _clock,
    "days": _days,
    "holidays": _holidays,
    "least": _least,
    "grace": _grace,
}


# ---------------------------------------------------------------- the rest


def _late(settings: ClockSettings, written: str) -> ClockSettings:
    match " ".join(_pieces(written.casefold())):
        case "auto":
            return replace(settings, late="auto")
        case "after grace":
            return replace(settings, late="after grace")
        case "call" | "oncall":  # "on" is no piece
            return replace(settings, late="on call")
        case "sheet sound":
            return replace(settings, late_sheet="sound")
        case "sheet empty":
            return replace(settings, late_sheet="empty")
        case sheet if sheet.startswith("sheet"):
            raise _Wrong(f"late sheet is sound or empty, not {sheet.removeprefix('sheet').strip() or 'nothing'}.")
        case _:
            raise _Wrong(f"late is auto, after grace or on call, not {written or 'nothing'}.")


def _lateness(settings: ClockSettings, written: str) -> ClockSettings:
    if written.casefold() not in ("hidden", "shown"):
        raise _Wrong(f"lateness is shown or hidden, not {written or 'nothing'}.")
    return replace(settings, hides_late=written.casefold() == "hidden")


def _reminders(settings: ClockSettings, written: str) -> ClockSettings:
    leads = read_leads(written)
    if leads is None:
        raise _Wrong(f"{written or 'Nothing'} names no times for reminders; write 12h 2h, or none.")
    return replace(settings, reminder_hours=leads)


def _bank(settings: ClockSettings, written: str) -> ClockSettings:
    return replace(settings, bank_hours=_one(written, "the time bank"))


def _absences(settings: ClockSettings, written: str) -> ClockSettings:
    return replace(settings, absence_days=_one(written, "an absence") / 24)


def _mind(settings: ClockSettings, written: str) -> ClockSettings:
    return replace(settings, mind_minutes=round(_one(written, "a change of mind") * 60, 3))


def _slot(settings: ClockSettings, written: str) -> ClockSettings:
    return replace(settings, slot_hours=_one(written, "a slot", 1 / 60))


def _reply(settings: ClockSettings, written: str) -> ClockSettings:
    return replace(settings, reply_hours=_one(written, "a reply", 1 / 60))


_WHEN_FULL = ("full", "when full", "when it is full", "automatic", "by itself")
_BY_HAND = ("by hand", "hand", "manual", *_NONE)


def _start(settings: ClockSettings, written: str) -> ClockSettings:
    how = " ".join(written.casefold().split())
    if how not in (*_WHEN_FULL, *_BY_HAND):
        raise _Wrong(f"start is full (by itself, when the last seat is taken) or by hand, not {written or 'nothing'}.")
    return replace(settings, starts_full=how in _WHEN_FULL)


def _beacon(settings: ClockSettings, written: str) -> ClockSettings:
    match written.casefold():
        case "drand":
            return replace(settings, beacon="drand")
        case "letters":
            return replace(settings, beacon="letters")
        case _:
            raise _Wrong(f"beacon is drand or letters, not {written or 'nothing'}.")


_OF_MATCH: Mapping[str, Callable[[ClockSettings, str], ClockSettings]] = {
    "slot": _slot,
    "slots": _slot,
    "reply": _reply,
    "replies": _reply,
    "late": _late,
    "lateness": _lateness,
    "reminders": _reminders,
    "bank": _bank,
    "absences": _absences,
    "mind": _mind,
    "start": _start,
    "beacon": _beacon,
}
CLOCK_WORDS = frozenset({*_OF_TABLE, *_OF_MATCH, *MANNERS_WORDS})
"""The words that begin a setting of the clock, as in `slot 48h` or `reply clock 9:00`."""

_KNOWN = (
    "slot, reply, clock, days, holidays, least, grace, late, lateness, reminders, mind, absences, bank, start, "
    "beacon, press, anonymous, votes"
)


def _changed(settings: ClockSettings, written: str, now: _Now) -> ClockSettings:
    """Settings with one more set, such as "slot 48h", "days Mon-Fri", "reply clock 9:00". Raises ValueError, a sentence."""
    name, _, value = written.strip().partition(" ")
    name, value = name.casefold(), value.strip()
    second, _, rest = value.partition(" ")
    try:
        if name in ("reply", "replies") and second.casefold() in _OF_TABLE:
            table = _OF_TABLE[second.casefold()](settings.replies, rest.strip(), now)
            return _graced(replace(settings, replies=table), second.casefold(), table)
        if name in ("slot", "slots") and second.casefold() in _OF_TABLE:
            name, value = second.casefold(), rest.strip()
        if name in _OF_TABLE:
            table = _OF_TABLE[name](settings.slots, value, now)
            return _graced(replace(settings, slots=table), name, table)
        if name in _OF_MATCH:
            return _OF_MATCH[name](settings, value)
        if name in MANNERS_WORDS:
            return replace(settings, manners=with_manners(settings.manners, name, value))
    except (_Wrong, Unmannerly) as wrong:
        raise ValueError(str(wrong)) from wrong
    raise ValueError(f"{name or 'Nothing'} is no setting of the clock; they are {_KNOWN}.")


def _graced(settings: ClockSettings, name: str, table: Timetable) -> ClockSettings:
    """Grace that is given is meant to be used: a slot that was played at its deadline is played after its grace."""
    if name == "grace" and table.grace_hours and settings.late == "auto":
        return replace(settings, late="after grace")
    return settings


def read_clock(settings: ClockSettings, pieces: Iterable[str], zone: str, now: datetime) -> ClockSettings:
    """Settings with these set, one after the other; raises Denial where they cannot be."""
    with understood():
        for piece in pieces:
            settings = _changed(settings, piece, _Now(zone, now))
    faults = settings.faults()
    need(not faults, " ".join(faults))
    try:
        for table in (settings.slots, settings.replies):
            table.next_end(now)
    except ValueError as never:
        raise Denial("On no day of a whole year could a slot end then; allow more days.") from never
    return settings


# ---------------------------------------------------------------- said again


def _hours(hours: float) -> str:
    if hours >= 48 and hours % 24 == 0:
        return f"{hours / 24:g} days"
    return f"{hours:g} h" if hours >= 1 else f"{hours * 60:g} min"


def table_sentence(what: str, hours: float, table: Timetable) -> str:
    """How long a slot, or a reply, lasts and when it may end."""
    parts = [f"{what} lasts {_hours(hours)}"]
    parts += [f"at least {_hours(table.least_hours)}"] if table.least_hours > hours else []
    parts += [f"ends at {table.clock} {called(table.zone)}"] if table.clock else []
    parts += [f"ends on {', '.join(table.days)} only"] if table.days else []
    off = [*(f"public holidays of {name}" for name in table.calendars), *table.free]
    parts += [f"not on {in_a_row(off)}"] if off else []
    parts += [f"all days by the clocks of {called(table.zone)}"] if (table.days or off) and not table.clock else []
    return f"{', '.join(parts)}."


def timetable_told(settings: ClockSettings) -> tuple[str, ...]:
    """The clock for a player who joins: a sentence where slots end at fixed hours or not on every day."""
    table = settings.slots
    if not (table.clock or table.days or table.free or table.calendars):
        return ()
    return (table_sentence("A slot", settings.slot_hours, table),)


def grace_in_words(table: Timetable) -> str:
    """The grace of a timetable, such as "24 h of grace"."""
    strict = ", though not for two slots in a row (strict)" if table.strict else ""
    return f"{_hours(table.grace_hours)} of grace{strict}"


def clock_sentences(settings: ClockSettings) -> tuple[str, ...]:
    """The settings as STATUS and the words that change them tell them."""
    said = [table_sentence("A slot", settings.slot_hours, settings.slots)]
    if settings.waits or settings.replies != Timetable():
        said.append(table_sentence("A reply", settings.reply_hours, settings.replies))
    said.append(_late_sentence(settings))
    if settings.late_sheet == "sound":
        said.append("Where nothing is on file then, the sheet of a steady bot is played and not an empty one.")
    leads = in_a_row([_hours(lead) for lead in settings.reminder_hours])
    said.append(f"Reminders go out {leads} before a deadline." if leads else "No reminders go out.")
    if settings.bank_hours:
        said.append(f"Each player has a time bank of {_hours(settings.bank_hours)} for EXTEND.")
    if settings.absence_days:
        days = f"{settings.absence_days:g} day{'s' if settings.absence_days != 1 else ''}"
        said.append(f"An absence of up to {days} needs nobody's leave.")
    if settings.beacon == "drand":
        said.append(
            "Dice have a round of a public beacon in them, so they fall a little after their orders are sealed."
        )
    said += manners_sentences(settings.manners)
    return tuple(said)


def _late_sentence(settings: ClockSettings) -> str:
    graces = {grace_in_words(t) for t in (settings.slots, settings.replies) if t.grace_hours}
    hidden = " Nobody else is told of a late player." if settings.hides_late else ""
    after = f"after {' or '.join(sorted(graces))}" if graces else "at its deadline"
    match settings.late:
        case "auto":
            return f"A slot is played at its deadline.{hidden}"
        case "after grace":
            return f"A slot whose player is late is played {after}.{hidden}"
        case "on call":
            return f"A slot whose player is late waits until any other player ends it, {after} at the earliest."
