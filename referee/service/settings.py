"""A match's own clock settings, kept beside its options."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal

import msgspec

from referee.core.question import Pace

__all__ = ["ClockDefaults", "ClockSettings", "settings_of"]


class ClockSettings(msgspec.Struct, frozen=True):
    """Lengths of a slot and of a reply in hours, reminders in hours before a deadline, change of mind in minutes.

    `waits` says whether decisions in the middle of a turn are mailed and waited for; `late` whether a slot is played at
    its deadline or waits, once that is over, until any other player rolls its player out.
    """

    slot_hours: float = 24
    reply_hours: float = 12
    reminder_hours: tuple[float, ...] = (12, 2)
    mind_minutes: float = 30
    waits: bool = False
    late: Literal["auto", "on call"] = "auto"

    def length(self, pace: Pace) -> timedelta:
        """How long a seat has to answer a question of this pace."""
        return timedelta(hours=self.reply_hours if pace is Pace.REPLY else self.slot_hours)


ClockDefaults = ClockSettings
"""What a new match starts with."""


def settings_of(stored: dict[str, Any]) -> ClockSettings:
    """The settings as stored with a match. Raises msgspec.ValidationError when they are not valid."""
    return msgspec.convert(stored, ClockSettings)
