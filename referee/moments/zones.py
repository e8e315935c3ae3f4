"""One look-up for zones of time: what people write for them -> the name in the IANA database, or a sentence that offers some."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from referee.core.normal_text import fold
from referee.moments.reading import Found, Unclear, table

COMMONEST = (
    "Europe/Berlin", "Europe/London", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles",
    "Asia/Kolkata", "Asia/Shanghai", "Asia/Tokyo", "America/Sao_Paulo", "Europe/Helsinki", "Europe/Istanbul", "Europe/Moscow",
    "Asia/Dubai", "Asia/Karachi", "Asia/Dhaka", "Asia/Bangkok", "Australia/Sydney", "Australia/Brisbane", "Pacific/Auckland",
    "America/Halifax", "Australia/Adelaide", "Australia/Darwin", "America/St_Johns", "Asia/Tehran", "Asia/Kabul",
    "Asia/Kathmandu", "Asia/Yangon", "America/Anchorage", "Pacific/Honolulu", "Atlantic/Azores", "America/Noronha",
    "Pacific/Noumea", "America/Panama",
)  # fmt: skip
"""Zones in which people write letters, of zones with one offset the commoner first."""

_NO_ZONES = frozenset({"Factory", "localtime", "posixrules"})
_NO_PLACES = _NO_ZONES | {"EST", "MST", "HST", "UCT", "Zulu", "Universal", "Greenwich"}
"""Files of the database that are no zone, and those whose name means another one to most people."""

_OFFSET = re.compile(r"(?:(?:utc|gmt)\s*)?([+\u2212-])\s*([0-9]{1,2})(?::?([0-5][0-9]))?(?:\s*h)?", re.IGNORECASE)
_ETC = re.compile(r"Etc/GMT([+-])([0-9]+)")
_ABOUT = re.compile(
    r"^\(.*?\)\s*|^(?:heure|hora|zone|zona) (?:de |d'|du )?|(?:\s+(?:standard|daylight|summer))?\s+(?:time|zeit)$",
    re.IGNORECASE,
)
_LOOKS = re.compile(r"[A-Z]{2,5}|[A-Za-z_]+/[A-Za-z_/+-]+|(?:UTC|GMT)\S+", re.IGNORECASE)
_SAMPLED = [datetime(2030, 1, 1, tzinfo=UTC) + timedelta(days=10 * number) for number in range(37)]
_OFFERED = 4


def zone_named(name: str) -> ZoneInfo | None:
    """The zone of that name of the IANA database, or None when there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def tz(name: str) -> tzinfo:
    """The zone, or the offset such as "+05:30", of a moment in its one way to be written."""
    if name[:1] in ("+", "-"):
        span = timedelta(hours=int(name[1:3]), minutes=int(name[4:6]))
        return timezone(-span if name[0] == "-" else span)
    return zone_named(name) or UTC


def is_zone(name: str) -> bool:
    """Whether the database has a zone of exactly that name; some of its files are none."""
    return name in available_timezones() and name not in _NO_ZONES


@cache
def _names() -> Mapping[str, str]:
    """All places of the database, folded, with their names."""
    return {fold(name.replace("_", " ")): name for name in sorted(available_timezones() - _NO_PLACES)}


@cache
def _rules(name: str) -> tuple[timedelta | None, ...]:
    """The clock of a zone through a year: zones that have the same are one to the people who live there."""
    zone = ZoneInfo(name)
    return tuple(at.astimezone(zone).utcoffset() for at in _SAMPLED)


@cache
def _abbreviated() -> Mapping[str, Mapping[str, timedelta]]:
    """Abbreviations such as CEST, the zones whose clocks say so, and by how much they are then ahead of UTC."""
    found: dict[str, dict[str, timedelta]] = {}
    for name in _names().values():
        zone = ZoneInfo(name)
        for at in (_SAMPLED[1], _SAMPLED[19]):
            local = at.astimezone(zone)
            found.setdefault(local.tzname() or "", {})[name] = local.utcoffset() or timedelta()
    return found


@cache
def _countries() -> Mapping[str, Sequence[str]]:
    """The zones of each country, by its English name, folded."""
    try:
        folder = files("tzdata").joinpath("zoneinfo")
        codes = dict(_columns(folder.joinpath("iso3166.tab").read_text("utf-8"), 0, 1))
        rows = _columns(folder.joinpath("zone.tab").read_text("utf-8"), 0, 2)
    except (ModuleNotFoundError, OSError):
        return {}
    found: dict[str, list[str]] = {}
    for code, name in rows:
        found.setdefault(fold(codes.get(code, code)), []).append(name)
    return found


def _columns(text: str, one: int, other: int) -> list[tuple[str, str]]:
    rows = (line.split("\t") for line in text.splitlines() if line and line[0] != "#")
    return [(row[one], row[other]) for row in rows]


def _offset(written: str) -> str:
    """`+05:30` for an offset such as GMT+5:30, "" for what is none."""
    found = _OFFSET.fullmatch(written)
    if found is None or int(found[2]) > 14:
        return ""
    return f"{'+' if found[1] == '+' else '-'}{int(found[2]):02}:{found[3] or '00'}"


def _zone_of_offset(offset: str) -> str:
    """The zone whose clocks have always that offset, "" where there is none."""
    hours = int(offset[:3])
    if offset[1:] == "00:00":
        return "UTC"
    if offset.endswith(":00") and -12 <= hours <= 14:
        return f"Etc/GMT{-hours:+}"
    wanted = (tz(offset).utcoffset(None),) * len(_SAMPLED)
    return next(iter(_ranked(name for name in _names().values() if _rules(name) == wanted)), "")


def _ranked(names: Iterable[str]) -> list[str]:
    """Zones, those that people live in first."""
    order = {name: place for place, name in enumerate(COMMONEST)}
    return sorted(set(names), key=lambda name: (order.get(name, len(order)), "/" not in name, name))


def _meant(written: str) -> list[str]:
    """The zones that a name may mean, one for each clock that differs, the commonest first."""
    folded = fold(written.replace("_", " "))
    if name := _names().get(folded):
        return [name]
    if name := table("zones").get(folded):
        return _meant(name)
    tails = [name for key, name in _names().items() if key.endswith(f"/{folded}")]
    found: Iterable[str] = tails or _countries().get(folded) or _abbreviated().get(written.upper()) or ()
    apart: dict[tuple[timedelta | None, ...], str] = {}
    for name in _ranked(found):
        apart.setdefault(_rules(name), name)
    return list(apart.values())


def find_zone(written: str) -> str:
    """The name of the zone that is meant, where that is one. Raises Unclear, with zones that may be meant."""
    text = _ABOUT.sub("", " ".join(written.split()).strip(" .,;\"'")).strip(" ()")
    if offset := _offset(text):
        if name := _zone_of_offset(offset):
            return name
        raise Unclear(f"No place has the time {written} all year; write the name of yours, such as Europe/Berlin.")
    found = _meant(text) if text else []
    if len(found) == 1:
        return found[0]
    if found:
        offered = found[:_OFFERED]
        said = f"{', '.join(offered[:-1])} or {offered[-1]}"
        raise Unclear(f"{written} may be the time of several zones: write {said}.", offered)
    near = _near(text)
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    raise Unclear(f"{written or 'Nothing'} is no time zone I know; write it as Europe/Berlin or UTC+2.{meant}", near)


def _near(text: str) -> list[str]:
    """Zones whose names are most like it."""
    folded = fold(text.replace("_", " ")).rpartition("/")[2]
    tails: dict[str, list[str]] = {}
    for key, name in _names().items():
        tails.setdefault(key.rpartition("/")[2], []).append(name)
    tails |= {said: [name] for said, name in table("zones").items() if "/" in name}
    likest = get_close_matches(folded, tails, 2, 0.75)
    return _ranked(name for tail in likest for name in tails[tail])[:3] if len(folded) > 2 else []


def zone_at(words: Sequence[str], i: int) -> Found:
    """The zone that stands after an hour, of up to four words: a place, or what its clock shows then (CEST, +02:00).

    Raises Unclear for one that is several, and for what looks like a zone and is none.
    """
    for size in range(min(4, len(words) - i), 0, -1):
        typed = " ".join(words[i : i + size])
        text = _ABOUT.sub("", typed).strip(" .,()")
        if offset := _offset(text):
            return offset, size
        found = _meant(text) if text and text[0].isalpha() else []
        shown = table("zones").get(fold(text), text).upper()
        offsets = set(_abbreviated().get(shown, {}).values())
        if found and offsets and shown not in _names().values():
            if len(offsets) > 1:
                raise Unclear(f"{typed} is the time of several zones.", found[:_OFFERED], i, size)
            return _as_offset(offsets.pop()), size
        if len(found) > 1:
            raise Unclear(f"{typed} may be the time of several zones.", found[:_OFFERED], i, size)
        if found:
            return found[0], size
    if i < len(words) and _LOOKS.fullmatch(words[i]) and not words[i].islower():
        try:
            find_zone(words[i])
        except Unclear as wrong:
            raise Unclear(wrong.sentence, wrong.offers, i) from None
    return None


def _as_offset(span: timedelta) -> str:
    minutes = round(span.total_seconds() / 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def called(zone: str) -> str:
    """A zone as sentences name it: Etc/GMT-2, which is two hours ahead, is UTC+2 to everybody but its database."""
    found = _ETC.fullmatch(zone)
    if found is None or found[2] == "0":
        return zone
    ahead = found[1] == "-"
    return (
        f"UTC{'+' if ahead else '-'}{found[2]} ({found[2]} h {'ahead of' if ahead else 'behind'} UTC all year, {zone})"
    )
