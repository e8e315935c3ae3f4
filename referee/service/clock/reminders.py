"""What a player wishes for himself in all his matches: when he is reminded."""

from __future__ import annotations

from datetime import timedelta

from referee.moments import spans
from referee.service import notes
from referee.service.clock.away import player_of
from referee.service.match.playing import Playing
from referee.service.ports import Player, Step

_FURTHEST_LEAD = timedelta(days=30).total_seconds() / 3600


def read_leads(written: str) -> tuple[float, ...] | None:
    """Hours before a deadline at which to remind, the longest first; () for "none", None for what cannot be read."""
    if written.strip().casefold() in ("none", "off"):
        return ()
    hours = [span / timedelta(hours=1) for span in spans(written)]
    if not hours or not all(0 < lead <= _FURTHEST_LEAD for lead in hours) or len(hours) > 6:
        return None
    return tuple(sorted(set(hours), reverse=True))


def keep_leads(step: Step, player: Player, leads: tuple[float, ...] | None) -> None:
    """Keep when a player is reminded; None: as each match says."""
    notes.REMINDERS.of(player.id).keep(step, leads)


def leads_of(step: Step, playing: Playing, seat: str) -> tuple[float, ...]:
    """Hours before a deadline at which the player of a seat is reminded."""
    kept = notes.REMINDERS.of(player_of(step, playing.row.name, seat)).read(step)
    return playing.settings.reminder_hours if kept is None else kept
