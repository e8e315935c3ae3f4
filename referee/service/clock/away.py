"""Absences as they are kept: of a person in a match, so that they end with his part in it."""

from __future__ import annotations

from datetime import UTC

from referee.service import notes
from referee.service.ports import Step
from referee.service.remembered import Away
from referee.service.timetable import Absence


def player_of(step: Step, match: str, seat: str) -> int:
    """The person who plays a seat now, 0 when nobody does."""
    return next((m.player for m in step.members(match) if m.seat == seat and m.status == "playing"), 0)


def away_of(step: Step, match: str, seat: str) -> tuple[Away, ...]:
    """Everything the player of a seat announced in a match, the earliest first."""
    return notes.ABSENCES.of(match, seat, player_of(step, match, seat)).read(step) or ()


def keep_away(step: Step, match: str, seat: str, absences: tuple[Away, ...]) -> None:
    """Keep what the player of a seat announced."""
    ordered = tuple(sorted(absences, key=lambda absence: (absence.away, absence.number)))
    notes.ABSENCES.of(match, seat, player_of(step, match, seat)).keep(step, ordered or None)


def absences_of(step: Step, match: str, seat: str) -> tuple[Absence, ...]:
    """The absences of a seat that are granted."""
    granted = (a for a in away_of(step, match, seat) if a.state == "granted")
    return tuple(Absence(a.away.astimezone(UTC), a.back.astimezone(UTC)) for a in granted)
