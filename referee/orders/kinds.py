"""Things the language knows by their looks: numbers, hexes, spans of time, moments, dates, addresses, texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from itertools import pairwise

from referee.core.order import Portion, Quantity, Thing
from referee.orders.shape import Part, Sort
from referee.orders.tongues.dates import day_at, hour_at, span_units

Found = tuple[Thing, int] | None
"""A thing and how many parts it took, or None."""

_SPAN = re.compile(r"([+-]?)([0-9]+)([a-z]+)", re.IGNORECASE)
_HEX = re.compile(r"c?([0-9]+)[,r]([0-9]+)", re.IGNORECASE)
_MOMENT = re.compile(r"([0-9-]{10})(?:\s+|t)([0-9]{1,2}):([0-9]{2})(:[0-9]{2})?(z|\s?[+-].+)?", re.IGNORECASE)
_ZONE = re.compile(r"[A-Z]{1,5}|[A-Za-z_]+(?:/[A-Za-z_+-]+)+")
_ESCAPE = re.compile(r'\\(?:(["\\])|u\{([0-9a-fA-F]{1,6})\})')

_UNITS = span_units()
_SECONDS = {"min": 60, "h": 3_600, "d": 86_400, "w": 604_800}


def unquote(quoted: str) -> str:
    """The text between the quotation marks, escapes undone."""
    return _ESCAPE.sub(_escaped, quoted[1:-1]) if quoted[:1] == '"' else quoted[1:-1]


def _escaped(found: re.Match[str]) -> str:
    if found[1]:
        return found[1]
    code = int(found[2], 16)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else found[0]


def duration_seconds(name: str) -> int:
    """Seconds in a canonical span of time such as "+12h" or "-90min"."""
    found = _SPAN.fullmatch(name)
    if found is None or found[3].lower() not in _UNITS:
        raise ValueError(f"{name!r} is no span of time")
    seconds = int(found[2]) * _SECONDS[_UNITS[found[3].lower()]]
    return -seconds if found[1] == "-" else seconds


def _duration(parts: Sequence[Part], i: int) -> Found:
    part, size = parts[i], 1
    text = part.text
    if part.sort is Sort.QUANTITY and i + 1 < len(parts) and parts[i + 1].folded in _UNITS:
        text, size = text + parts[i + 1].folded, 2
    found = _SPAN.fullmatch(text)
    if found is None or found[3].lower() not in _UNITS:
        return None
    name = f"{found[1]}{int(found[2])}{_UNITS[found[3].lower()]}"
    return Thing("duration", name, Quantity(Portion.EXACTLY, duration_seconds(name))), size


def _moment(parts: Sequence[Part], i: int) -> Found:
    if parts[i].sort is not Sort.MOMENT:
        return _spoken_moment(parts, i)
    found = _MOMENT.fullmatch(parts[i].text)
    if found is None or not _on_the_calendar(found[1]) or int(found[2]) > 23 or int(found[3]) > 59:
        return None
    name = f"{found[1]} {int(found[2]):02}:{found[3]}"
    if found[5]:
        return Thing("moment", f"{name} {_offset(found[5])}"), 1
    following = parts[i + 1].text if i + 1 < len(parts) and parts[i + 1].sort is Sort.WORD else ""
    if _ZONE.fullmatch(following):
        return Thing("moment", f"{name} {following}"), 2
    return Thing("moment", name), 1


def _spoken_moment(parts: Sequence[Part], i: int) -> Found:
    """`tomorrow 18:00`, `24 Dec 6pm`, `18 Uhr`; a day without an hour is one too, and its reader says what it lacks."""
    day = day_at(parts, i)
    at = i + (day[1] if day else 0)
    at += day is not None and at + 1 < len(parts) and parts[at].sort is Sort.COMMA
    hour = hour_at(parts, at)
    if day is None and hour is None:
        return None
    at += hour[1] if hour else 0
    zone = parts[at].text if hour and at < len(parts) and _ZONE.fullmatch(parts[at].text) else ""
    name = " ".join(filter(None, (day[0] if day else "", hour[0] if hour else "", zone)))
    return Thing("moment", name), at + bool(zone) - i


def _offset(zone: str) -> str:
    hours = zone.lstrip()[:3]
    return "UTC" if zone in ("Z", "z") else f"{hours}:{zone[-2:]}"


def _on_the_calendar(day: str) -> bool:
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return True


def _date(parts: Sequence[Part], i: int) -> Found:
    part = parts[i]
    good = part.sort is Sort.DATE and _on_the_calendar(part.text)
    if good:
        return Thing("date", part.text), 1
    day = day_at(parts, i)
    return (Thing("date", day[0]), day[1]) if day else None


def hex_numbers(text: str) -> tuple[int, int]:
    """Column and row of a hex written 12,7 or c12r7."""
    found = _HEX.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no hex")
    return int(found[1]), int(found[2])


_COLUMN, _ROW = re.compile(r"[cC]\d{1,3}"), re.compile(r"[rR]\d{1,3}")


def _hex(parts: Sequence[Part], i: int) -> Found:
    """`c12r7` or `12,7`, and `c12, r7` as people write it."""
    if _COLUMN.fullmatch(parts[i].text):
        row = i + 2 if i + 1 < len(parts) and parts[i + 1].sort is Sort.COMMA else i + 1
        if row < len(parts) and _ROW.fullmatch(parts[row].text):
            return Thing("hex", f"c{int(parts[i].text[1:])}r{int(parts[row].text[1:])}"), row + 1 - i
    if parts[i].sort is not Sort.HEX:
        return None
    column, row = hex_numbers(parts[i].text)
    return Thing("hex", f"c{column}r{row}"), 1


def _address(parts: Sequence[Part], i: int) -> Found:
    """An address as it stands, with the name before its bracket and what a program hangs on it: `anna@a.org<mailto:anna@a.org>`."""
    at = i
    while at < len(parts) and parts[at].sort in (Sort.WORD, Sort.QUOTED):
        at += 1
    if at == len(parts) or parts[at].sort is not Sort.ADDRESS or (at > i and parts[at].text[0] != "<"):
        return None
    end = at + 1
    while end < len(parts) and _hangs_on(parts[end - 1], parts[end]):
        end += 1
    return Thing("address", parts[i].text.strip("<>") if end == i + 1 else _as_typed(parts[i:end])), end - i


def _as_typed(parts: Sequence[Part]) -> str:
    gaps = ("" if part.column == before.end else " " for before, part in pairwise(parts))
    return parts[0].text + "".join(gap + part.text for gap, part in zip(gaps, parts[1:], strict=True))


def _hangs_on(before: Part, part: Part) -> bool:
    bracketed = part.sort is Sort.ADDRESS and part.text[0] in "<[("
    return bracketed or (part.column == before.end and part.sort not in (Sort.COMMA, Sort.AND))


def _text(parts: Sequence[Part], i: int) -> Found:
    return (Thing("text", unquote(parts[i].text)), 1) if parts[i].sort is Sort.QUOTED else None


def _any(parts: Sequence[Part], i: int) -> Found:
    meant = parts[i].sort is Sort.STAR or parts[i].folded in ("any", "anything", "everything", "all")
    return (Thing("any", "any"), 1) if meant else None


RECOGNISED: dict[str, Callable[[Sequence[Part], int], Found]] = {
    "any": _any,
    "duration": _duration,
    "moment": _moment,
    "date": _date,
    "hex": _hex,
    "address": _address,
    "text": _text,
    "words": _text,
}
"""How each such kind is recognised at a place of a line; numbers and free words depend on what follows."""
