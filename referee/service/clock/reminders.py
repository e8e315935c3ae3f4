"""What a player wishes for himself in all his matches: when he is reminded."""

from __future__ import annotations

import re
from datetime import timedelta

from referee.service import notes
from referee.service.clock.away import player_of
from referee.service.match.playing import Playing
from referee.service.ports import Player, Step

_SPAN = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([a-z]+)", re.IGNORECASE)
_HOURS = {
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 1 / 60),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 1.0),
    **dict.fromkeys(("d", "day", "days"), 24.0),
    **dict.fromkeys(("w", "week", "weeks"), 168.0),
}
_FURTHEST_LEAD = timedelta(days=30).total_seconds() / 3600


def hours_in(text: str) -> tuple[float, ...] | None:
    """The spans of time a text consists of, such as "12h 2 days", in hours; None when it has anything else in it."""
    found = _SPAN.findall(text)
    rest = re.sub(r"[\s,]|\band\b", "", _SPAN.sub("", text))
    if not found or rest or any(unit.lower() not in _HOURS for _, unit in found):
        return None
    return tuple(float(number) * _HOURS[unit.lower()] for number, unit in found)


def read_leads(written: str) -> tuple[float, ...] | None:
    """Hours before a deadline at which to remind, the longest first; () for "none", None for what cannot be read."""
    if written.strip().casefold() in ("none", "off"):
        return ()
    hours = hours_in(written)
    if hours is None or not all(0 < lead <= _FURTHEST_LEAD for lead in hours) or len(hours) > 6:
        return None
    return tuple(sorted(set(hours), reverse=True))


def keep_leads(step: Step, player: Player, leads: tuple[float, ...] | None) -> None:
    """Keep when a player is reminded; None: as each match says."""
    notes.REMINDERS.of(player.id).keep(step, leads)


def leads_of(step: Step, playing: Playing, seat: str) -> tuple[float, ...]:
    """Hours before a deadline at which the player of a seat is reminded."""
    kept = notes.REMINDERS.of(player_of(step, playing.row.name, seat)).read(step)
    return playing.settings.reminder_hours if kept is None else kept
