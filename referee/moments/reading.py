"""Words as people write them -> one way to write each: `24 Dec`, `2026-12-24`, `Monday`, `in 3 days`, `tomorrow 18:00`, `+12h`.

The day and year of that depend on now and on the writer's zone: see meaning. Each function looks at the words from one
place on and says what it found and how many words that took, or None where nothing of its kind stands.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from importlib.resources import files

from referee.core.normal_text import as_typed, fold

Found = tuple[str, int] | None
"""Something in its one way to be written, and how many words it took; None where nothing of its kind stands."""

FURTHEST = timedelta(days=731)
"""No span of time is longer, and no day or moment that is to come is further away."""

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_WORD = re.compile(r"[^\s,;()]+|[,()]")
_NUMBERS = re.compile(r"([0-9]{1,2})([./-])([0-9]{1,2})(?:\2([0-9]{4}|[0-9]{2}))?\.?")
_ISO = re.compile(r"([0-9]{4})([./-])([0-9]{1,2})\2([0-9]{1,2})")
_NAMED = re.compile(r"([0-9]{1,2})[.-]+([^\W\d]{3,})\.?(?:-([0-9]{4}|[0-9]{2}))?")
_ORDINAL = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|er|\.|º)?", re.IGNORECASE)
_HOUR = re.compile(r"([0-9]{1,2})(?:[:.h]([0-9]{2})(?::[0-9]{2})?h?|h)?([ap]\.?m\.?)?", re.IGNORECASE)
_DIGITS = re.compile(r"([01][0-9]|2[0-4])([0-5][0-9])")
_SPAN = re.compile(r"([+-]?)([0-9]+)([.,][0-9]+)?([^\W\d_]*)")
_STAMP = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:\s+|t)([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?(z|\s?[+-].+)?", re.IGNORECASE
)
_DASHES = ("-", "\u2013", "\u2014")
_RANGE = re.compile(r"(.*?[^\s\W]\.?)[-\u2013\u2014]([0-9].*)")
_SECONDS = {"min": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_LEAP, _FIRST_YEAR = 2_024, 2_000


class Unclear(ValueError):
    """Words that are no moment, day, span or zone: one sentence, and what could stand there instead.

    It is about words[at : at + size] of what was looked at.
    """

    def __init__(self, sentence: str, offers: Sequence[str] = (), at: int = 0, size: int = 1) -> None:
        super().__init__(sentence)
        self.sentence, self.offers, self.at, self.size = sentence, tuple(offers), at, size


def words_of(text: str) -> list[str]:
    """The words of a text, commas and brackets apart."""
    return _WORD.findall(text)


@cache
def table(name: str) -> Mapping[str, str]:
    """Words of all languages, folded, with what each means."""
    data = tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8"))[name]
    return {
        typed: meant
        for meant, columns in data.items()
        for column in columns.values()
        for word in column
        for typed in as_typed(word)
    }


def _word(words: Sequence[str], i: int, name: str) -> Found:
    """The meaning of a table's word that stands there; the longest of up to four."""
    for size in (4, 3, 2, 1):
        meant = table(name).get(" ".join(map(fold, words[i : i + size]))) if i + size <= len(words) else None
        if meant is not None:
            return meant, size
    return None


def _after(words: Sequence[str], i: int, name: str) -> int:
    """The place after the words of a table that change nothing."""
    while found := _word(words, i, name):
        i += found[1]
    return i


# ---------------------------------------------------------------- days


def day_at(words: Sequence[str], i: int) -> Found:
    """The day that is written from word i on. Raises Unclear for one that is two."""
    at = _after(words, i, "before")
    found = _in_days(words, at) or _by_word(words, at) or _on_the_calendar(words, at) or _before_its_month(words, at)
    return (found[0], at - i + found[1]) if found else None


def _before_its_month(words: Sequence[str], i: int) -> Found:
    """A number whose month stands after the other day alone: `24. bis zum 27. Dezember`, `24 and 27 Dec`."""
    if i >= len(words) or _ordinal(words[i]) is None:
        return None
    at = i + 1 + (words[i + 1 : i + 2] == ["."])
    joint = _joint(words, at) or _word(words, at, "and")
    last = day_at(words, at + joint[1]) if joint and at + joint[1] < len(words) else None
    dated = (
        re.fullmatch(r"(?:[A-Z][a-z]+ )?(?:([0-9]{4})-([0-9]{2})-[0-9]{2}|[0-9]+ ([A-Z][a-z]{2}))", last[0])
        if last
        else None
    )
    if dated is None:
        return None
    month = MONTHS.index(dated[3]) + 1 if dated[3] else int(dated[2])
    return _written(int(dated[1] or 0), month, _ordinal(words[i]) or 0, at - i)


def _joint(words: Sequence[str], i: int) -> Found:
    """The words between two days: a dash, `to`, `bis zum`."""
    return ("-", 1) if i < len(words) and words[i] in _DASHES else _word(words, i, "to")


def weekday_at(words: Sequence[str], i: int) -> Found:
    """The weekday that is written there, in full or shortened."""
    return _word(words, i, "weekdays") or _word(words, i, "short")


def _in_days(words: Sequence[str], i: int) -> Found:
    """`in 3 days`, `in 2 Wochen`."""
    before = _word(words, i, "in")
    at = i + before[1] if before else i
    unit = _word(words, at + 1, "spans") if before and at < len(words) and words[at].isdecimal() else None
    days = int(words[at][:9]) * {"d": 1, "w": 7}.get(unit[0], 0) if unit else 0
    return (f"in {days} days", at + 2 - i) if days else None


def _by_word(words: Sequence[str], i: int) -> Found:
    """`tomorrow`, `Montag`, `Thursday 24 Dec`, `Do, 24.12.`."""
    if found := _word(words, i, "days"):
        return found
    weekday = weekday_at(words, i)
    if weekday is None:
        return None
    at = i + 1
    while at < len(words) and (words[at] in (",", ".") or fold(words[at]) in table("before")):
        at += 1
    dated = _on_the_calendar(words, at)
    if dated is None:
        return (weekday[0], 1) if _word(words, i, "weekdays") else None
    return f"{weekday[0]} {dated[0]}", at - i + dated[1]


def _on_the_calendar(words: Sequence[str], i: int) -> Found:
    if i >= len(words):
        return None
    if found := _ISO.fullmatch(words[i]):
        return _written(int(found[1]), int(found[3]), int(found[4]), 1)
    return _in_numbers(words, i) or _with_a_month(words, i)


def _in_numbers(words: Sequence[str], i: int) -> Found:
    """`24.12.`, `24/12`, `12/24/2026`; with dots the day stands first. `18.12 Uhr` is an hour."""
    found = _NUMBERS.fullmatch(words[i])
    if found is None or (not found[4] and words[i][-1] != "." and _clock_word(words, i + 1)):
        return None
    one, other, year = int(found[1]), int(found[3]), _year(found[4])
    days = {_written(year, month, day, 1) for day, month in ((one, other), (other, one))[: 1 if found[2] == "." else 2]}
    meant = [name for name, _ in sorted(filter(None, days))]
    if len(meant) == 2:
        raise Unclear(f'"{words[i]}" can be read as {meant[0]} and as {meant[1]}.', meant, i)
    return (meant[0], 1) if meant else None


def _year(typed: str | None) -> int:
    number = int(typed) if typed else 0
    return number + _FIRST_YEAR if typed and number < 100 else number


def _with_a_month(words: Sequence[str], i: int) -> Found:
    """`24 Dec`, `Dec 24`, `24. Dezember 2026`, `24 de diciembre`, `24-Dec-2026`."""
    if (joined := _NAMED.fullmatch(words[i])) and (month := _month(joined[2])):
        return _of_year(words, i, _year(joined[3]), month, int(joined[1]), i + 1)
    number, at = _ordinal(words[i]), i + 1
    if number is not None and at < len(words) and (words[at] == "." or fold(words[at]) in table("of")):
        at += 1
    if at >= len(words):
        return None
    month = _month(words[i]) if number is None else _month(words[at])
    number = _ordinal(words[at]) if number is None else number
    return _of_year(words, i, 0, month, number, at + 1) if month and number is not None else None


def _of_year(words: Sequence[str], i: int, year: int, month: int, day: int, at: int) -> Found:
    """The day, and the year that may follow it."""
    comma = at + 1 < len(words) and (words[at] == "," or fold(words[at]) in table("of"))
    if not year and at + comma < len(words) and re.fullmatch("[0-9]{4}", words[at + comma]):
        year, at = int(words[at + comma]), at + comma + 1
    return _written(year, month, day, at - i)


def _ordinal(word: str) -> int | None:
    found = _ORDINAL.fullmatch(word)
    return int(found[1]) if found else None


def _month(word: str) -> int:
    """Its number, 0 for what is no month."""
    name = table("months").get(fold(word))
    return MONTHS.index(name) + 1 if name else 0


def _written(year: int, month: int, day: int, size: int) -> Found:
    try:
        on = date(year or _LEAP, month, day)
    except ValueError:
        return None
    return (on.isoformat() if year else f"{day} {MONTHS[month - 1]}"), size


def days_at(words: Sequence[str], i: int) -> Found:
    """The first day and the last as `24 Dec - 2 Jan`: also `24.-27. Dezember`, `from 24 Dec to 2 Jan`, or one day alone."""
    parted, owner = [*words[:i]], list(range(i))
    for place in range(i, len(words)):
        found = _RANGE.fullmatch(words[place])
        month_follows = place + 1 < len(words) and _month(words[place + 1])
        cut = (
            (found[1], "-", found[2])
            if found and (month_follows or not _on_the_calendar(words, place))
            else (words[place],)
        )
        parted += cut
        owner += [place] * len(cut)
    between = _word(parted, i, "between")
    start = i + (between[1] if between else 0)
    first = day_at(parted, start) if start < len(parted) else None
    if first is None:
        return None
    at = start + first[1]
    joint = (_word(parted, at, "and") if between else None) or _joint(parted, at)
    if joint is None:
        return None if between else (f"{first[0]} - {first[0]}", owner[at - 1] + 1 - i)
    after = at + joint[1]
    last = (day_at(parted, after) or _after_its_month(parted, after, first[0])) if after < len(parted) else None
    if last is None:
        return None
    end = _after_inclusive(parted, after + last[1])
    return f"{first[0]} - {last[0]}", owner[end - 1] + 1 - i


def _after_inclusive(words: Sequence[str], i: int) -> int:
    """The place after `inclusive`, `, inklusive`, `(inclus)`: the last day is always one of those that are meant."""
    at = i + (words[i : i + 1] in ([","], ["("]))
    found = _word(words, at, "inclusive")
    return at + found[1] + (words[at + found[1] :][:1] in (["."], [")"])) if found else i


def _after_its_month(words: Sequence[str], i: int, first: str) -> Found:
    """The last day, where its month stands with the first alone: `Dec 24-27`, `Dec 24 to 27, 2026`."""
    at = _after(words, i, "before")
    number = _ordinal(words[at]) if at < len(words) else None
    month = _month(first[-3:])
    return _of_year(words, i, 0, month, number, at + 1) if month and number is not None else None


# ---------------------------------------------------------------- hours and moments


def _clock_word(words: Sequence[str], i: int) -> Found:
    """`Uhr`, `o'clock`, `pm`."""
    half = fold(words[i]) if i < len(words) else ""
    return (half, 1) if half in ("am", "pm") else _word(words, i, "oclock")


def hour_at(words: Sequence[str], i: int) -> Found:
    """The hour that is written from word i on: `18:00`, `18h30`, `6pm`, `18.30`, `um 18 Uhr 30`, `noon`, `24:00`."""
    before = _word(words, i, "at")
    at = i + before[1] if before else i
    if named := _word(words, at, "hours"):
        return named[0], at - i + named[1]
    found = _HOUR.fullmatch(words[at]) if at < len(words) else None
    after = _clock_word(words, at + 1)
    if found is None:
        digits = _DIGITS.fullmatch(words[at]) if at < len(words) and after and after[0] == "oclock" else None
        return _hour(int(digits[1]), int(digits[2]), at + 2 - i) if digits else None
    half = fold(found[3] or (after[0] if after and after[0] != "oclock" else ""))
    if not (half or after) and words[at].isdecimal():
        return None
    number, minute, end = int(found[1]), int(found[2] or 0), at + 1 + (1 if after else 0)
    if half:
        return _hour(number % 12 + 12 * (half == "pm"), minute, end - i) if 1 <= number <= 12 else None
    if after and not found[2] and end < len(words) and re.fullmatch("[0-5][0-9]", words[end]):
        minute, end = int(words[end]), end + 1
    return _hour(number, minute, end - i)


def _hour(hour: int, minute: int, size: int) -> Found:
    """`24:00` is the end of a day."""
    return (f"{hour:02}:{minute:02}", size) if minute < 60 and (hour < 24 or (hour, minute) == (24, 0)) else None


def moment_at(words: Sequence[str], i: int) -> Found:
    """`tomorrow 18:00`, `24 Dec 6pm Berlin`, `18 Uhr`; a day without an hour is one too, and its reader says what it lacks.

    Raises Unclear for a day, an hour or a zone that is two, and for a zone that nobody knows.
    """
    from referee.moments.zones import zone_at  # it reads words of these tables

    day: Found
    hour: Found
    if stamp := _STAMP.fullmatch(words[i]):
        day, hour = _on_the_calendar([stamp[1]], 0), _hour(int(stamp[2]), int(stamp[3]), 1)
        if day is None or hour is None:
            return None
        if stamp[4]:
            zone = zone_at([stamp[4].strip()], 0)
            return (f"{day[0]} {hour[0]} {zone[0]}", 1) if zone else None
        at = i + 1
    else:
        day = day_at(words, i)
        at = i + (day[1] if day else 0)
        at += day is not None and at + 1 < len(words) and words[at] == ","
        hour = hour_at(words, at)
        at += hour[1] if hour else 0
    if day is None and hour is None:
        return None
    if day and hour and _word(words, at - 1, "hours") == ("24:00", 1):
        offers = [f"{day[0]} 00:00", f"{day[0]} 24:00"]
        raise Unclear(f"{day[0]} has a midnight at its beginning and one at its end.", offers, i, at - i)
    zone = zone_at(words, at) if hour else None
    name = " ".join(part[0] for part in (day, hour, zone) if part)
    return name, at + (zone[1] if zone else 0) - i


# ---------------------------------------------------------------- spans


def span_at(words: Sequence[str], i: int) -> Found:
    """The span of time that is written there, such as `+12h`, `90min`. Raises Unclear for one that is too long."""
    found = _SPAN.fullmatch(words[i])
    if found is None:
        return None
    typed = found[4] or (words[i + 1] if i + 1 < len(words) else "")
    unit, size = table("spans").get(fold(typed)), 1 if found[4] else 2
    if unit is None:
        return None
    number, part = found[2].lstrip("0")[:12] or "0", found[3]
    seconds = round(float(f"{number}.{part[1:9]}") * _SECONDS[unit]) if part else int(number) * _SECONDS[unit]
    if seconds > FURTHEST.total_seconds():
        raise Unclear(
            f"{' '.join(words[i : i + size])} is longer than two years, and no span of time may be.", (), i, size
        )
    return f"{found[1]}{seconds // 60}min" if part else f"{found[1]}{int(number)}{unit}", size


def seconds_of(name: str) -> int:
    """Seconds in a span of time in its one way to be written, such as "+12h" or "-90min"."""
    found = _SPAN.fullmatch(name)
    if found is None or found[3] or found[4] not in _SECONDS:
        raise ValueError(f"{name!r} is no span of time")
    return (-1 if found[1] == "-" else 1) * int(found[2]) * _SECONDS[found[4]]
