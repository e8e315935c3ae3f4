"""What a player wishes for himself in all his matches: when he is reminded."""

from __future__ import annotations

import re
from datetime import timedelta

from referee.core.normal import fold
from referee.orders.tongues.dates import span_units
from referee.service import notes
from referee.service.clock.away import player_of
from referee.service.match.playing import Playing
from referee.service.ports import Player, Step

_SPAN = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([^\W\d_]+)")
_HOURS = {"min": 1 / 60, "h": 1.0, "d": 24.0, "w": 168.0}
_FURTHEST_LEAD = timedelta(days=30).total_seconds() / 3600


def hours_in(text: str) -> tuple[float, ...] | None:
    """The spans of time a text consists of, such as "12h 2 days", in hours; None when it has anything else in it."""
    found = [(float(number), span_units().get(fold(unit), "")) for number, unit in _SPAN.findall(text)]
    rest = re.sub(r"[\s,]|\b(and|und|et|y)\b", "", _SPAN.sub("", text))
    if not found or rest or not all(unit for _, unit in found):
        return None
    return tuple(number * _HOURS[unit] for number, unit in found)


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
