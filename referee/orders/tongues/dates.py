"""Days and hours as people write them -> one way to write each: `24 Dec`, `2026-12-24`, `Monday`, `in 3 days`, `tomorrow 18:00`.

What day that is in which year depends on now and on the writer's zone, and is not known here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from importlib.resources import files

from referee.core.order import Portion
from referee.orders.misread import Misread, number_part, word_part
from referee.orders.shape import Part, Sort
from referee.orders.spelling import as_typed

Day = tuple[str, int] | None
"""A day in its one way to be written, and how many parts it took; None where no day stands."""

_NUMBERS = re.compile(r"([0-9]{1,2})([./-])([0-9]{1,2})(?:\2([0-9]{4}|[0-9]{2}))?\.?")
_ORDINAL = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|er|\.)?", re.IGNORECASE)
_HOUR = re.compile(r"([0-9]{1,2})(?:[:h]([0-9]{2})|h)?(am|pm)?", re.IGNORECASE)
_LEAP = 2_024
_FIRST_YEAR = 2_000


@cache
def _table(name: str) -> Mapping[str, str]:
    """Words of all languages, folded, with what each means."""
    data = tomllib.loads(files(__package__).joinpath("dates.toml").read_text("utf-8"))[name]
    return {
        typed: meant
        for meant, columns in data.items()
        for column in columns.values()
        for word in column
        for typed in as_typed(word)
    }


def span_units() -> Mapping[str, str]:
    """Words for lengths of time, folded, each with the unit it means: min, h, d or w."""
    return _table("spans")


def day_at(parts: Sequence[Part], i: int) -> Day:
    """The day that is written from part i on. Raises Misread for one that is two."""
    start = i
    while i < len(parts) and parts[i].folded in _table("before"):
        i += 1
    found = _in_days(parts, i) or _by_word(parts, i) or _on_the_calendar(parts, i)
    return (found[0], i - start + found[1]) if found else None


def _in_days(parts: Sequence[Part], i: int) -> Day:
    """`in 3 days`, `in 2 Wochen`."""
    if i + 2 >= len(parts) or parts[i].folded not in _table("in"):
        return None
    number, unit = _number(parts[i + 1]), _table("units").get(parts[i + 2].folded)
    if number is None or unit is None:
        return None
    return f"in {number * (7 if unit == 'weeks' else 1)} days", 3


def _number(part: Part) -> int | None:
    quantity = part.quantity
    return quantity.number if quantity is not None and quantity.portion is Portion.EXACTLY else None


def _by_word(parts: Sequence[Part], i: int) -> Day:
    """`tomorrow`, `Montag`, `Thursday 24 Dec`."""
    for size in (3, 2, 1):
        typed = " ".join(part.folded for part in parts[i : i + size])
        if i + size <= len(parts) and typed in _table("days"):
            return _table("days")[typed], size
    weekday = _table("weekdays").get(parts[i].folded) if i < len(parts) else None
    if weekday is None:
        return None
    at = i + 1
    while at < len(parts) and (parts[at].sort is Sort.COMMA or parts[at].folded in _table("before")):
        at += 1
    dated = _on_the_calendar(parts, at)
    return (f"{weekday} {dated[0]}", at - i + dated[1]) if dated else (weekday, 1)


def _on_the_calendar(parts: Sequence[Part], i: int) -> Day:
    if i >= len(parts):
        return None
    if parts[i].sort is Sort.DATE:
        year, month, day = map(int, parts[i].text.split("-"))
        return _written(year, month, day, 1)
    return _in_numbers(parts, i) or _with_a_month(parts, i)


def _in_numbers(parts: Sequence[Part], i: int) -> Day:
    """`24.12.`, `24/12`, `12/24/2026`; with dots the day stands first."""
    found = _NUMBERS.fullmatch(parts[i].text) if parts[i].sort is Sort.WORD else None
    if found is None:
        return None
    one, other, year = int(found[1]), int(found[3]), _year(found[4])
    days = {_written(year, month, day, 1) for day, month in ((one, other), (other, one))[: 1 if found[2] == "." else 2]}
    meant = sorted(filter(None, days))
    if len(meant) == 2:
        (first, _), (second, _) = meant
        sentence = f'"{parts[i].text}" can be read as {first} and as {second}.'
        raise Misread(sentence, i, i + 1, [_parts(first), _parts(second)], ambiguous=True)
    return meant[0] if meant else None


def _parts(written: str) -> tuple[Part, ...]:
    number, _, month = written.partition(" ")
    return (number_part(number, 0), word_part(month)) if month else (Part(Sort.DATE, written, written, 0, 0),)


def _year(typed: str | None) -> int:
    number = int(typed) if typed else 0
    return number + _FIRST_YEAR if typed and number < 100 else number


def _with_a_month(parts: Sequence[Part], i: int) -> Day:
    """`24 Dec`, `Dec 24`, `24. Dezember 2026`, `24 de diciembre`."""
    day_first = _ordinal(parts[i])
    at = i + 1
    if day_first is not None and at < len(parts) and (parts[at].text == "." or parts[at].folded in _table("of")):
        at += 1
    month = _month(parts[at]) if day_first is not None and at < len(parts) else _month(parts[i])
    day = day_first if day_first is not None else _ordinal(parts[at]) if at < len(parts) else None
    if month is None or day is None:
        return None
    at += 1
    comma = at + 1 < len(parts) and (parts[at].sort is Sort.COMMA or parts[at].folded in _table("of"))
    year = _number(parts[at + comma]) if at + comma < len(parts) else None
    if year is not None and year > _FIRST_YEAR:
        return _written(year, month, day, at + comma + 1 - i)
    return _written(0, month, day, at - i)


def _ordinal(part: Part) -> int | None:
    found = _ORDINAL.fullmatch(part.text) if part.sort in (Sort.WORD, Sort.QUANTITY) else None
    return int(found[1]) if found else None


def _month(part: Part) -> int | None:
    name = _table("months").get(part.folded)
    return _MONTHS.index(name) + 1 if name else None


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _written(year: int, month: int, day: int, size: int) -> Day:
    try:
        on = date(year or _LEAP, month, day)
    except ValueError:
        return None
    return (on.isoformat() if year else f"{day} {_MONTHS[month - 1]}"), size


def hour_at(parts: Sequence[Part], i: int) -> Day:
    """The hour that is written from part i on: `18:00`, `18h30`, `6pm`, `um 18 Uhr`."""
    start = i
    for size in (2, 1):
        if " ".join(part.folded for part in parts[i : i + size]) in _table("at"):
            i += size
            break
    if i >= len(parts):
        return None
    found = _HOUR.fullmatch(parts[i].text)
    follows = parts[i + 1].folded if i + 1 < len(parts) else ""
    half = (found[3] or (follows if follows in ("am", "pm") else "")).lower() if found else ""
    said = follows in _table("oclock") or (follows in ("am", "pm"))
    if found is None or not (half or said or not parts[i].text.isdecimal()):
        return None
    hour, minute = int(found[1]) % 12 + 12 * (half == "pm") if half else int(found[1]), int(found[2] or 0)
    if hour > 23 or minute > 59 or (half and not 1 <= int(found[1]) <= 12):
        return None
    return f"{hour:02}:{minute:02}", i - start + 1 + said
