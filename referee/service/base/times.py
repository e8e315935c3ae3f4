"""Times as letters give them: absolute, in the reader's zone and in UTC; and the zone guessed from a first letter."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache

from referee.kit.wording import counted, date_and_hour
from referee.moments import COMMONEST, zone_named
from referee.service.base.letter_facts import Deadline


def guessed_zone(dated: datetime | None, club: str) -> str:
    """Where somebody may live, by the Date field of his first letter: an offset is no zone.

    That of the club if its clocks agreed with his at that moment, else the commonest with this offset. Many programs write
    +0000 wherever they run, so that says nothing.
    """
    offset = dated.utcoffset() if dated else None
    if dated is None or not offset or _offset(dated, club) == offset:
        return club
    return next((zone for zone in COMMONEST if _offset(dated, zone) == offset), club)


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
    """The zone in which somebody's letters give times, and how he changes it: it was guessed."""
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
    parts = [counted(days, "days")] if days else []
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


def second(at: datetime) -> str:
    """The moment of an entry of the log, in whole seconds: a part of a second would be one of a million that a host may choose."""
    return iso(at.replace(microsecond=0))


def iso(at: datetime) -> str:
    """UTC in ISO 8601, as the log keeps it."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")
