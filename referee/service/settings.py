"""A match's own clock settings, kept beside its options."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal

import msgspec

from referee.core.question import Pace
from referee.service.manners import Manners
from referee.service.timetable import Timetable


class ClockSettings(msgspec.Struct, frozen=True):
    """Lengths of a slot and of a reply in hours, reminders in hours before a deadline, change of mind in minutes.

    `waits` says whether decisions in the middle of a turn are mailed and waited for. `late` says what becomes of a slot
    at its deadline: it is played ("auto"), or once its grace is over ("after grace"), or it waits, its grace being over,
    until any other player rolls its player out ("on call"). `slots` and `replies` are the timetables of both lengths.
    Who is late is named to nobody else where the match `hides_late`. An absence of up to `absence_days` is granted
    without asking; `bank_hours` are each player's own, to spend with EXTEND. The `manners` are those of press and votes. One that
    `starts_full` starts by itself when its last seat is taken. The `beacon` says what has a share in its dice beside the
    secret: its letters alone, or a round of drand too.
    """

    slot_hours: float = 24
    reply_hours: float = 12
    reminder_hours: tuple[float, ...] = (12, 2)
    mind_minutes: float = 30
    waits: bool = False
    late: Literal["auto", "after grace", "on call"] = "auto"
    slots: Timetable = Timetable()
    replies: Timetable = Timetable()
    hides_late: bool = False
    absence_days: float = 14
    bank_hours: float = 0
    manners: Manners = Manners()
    starts_full: bool = False
    beacon: Literal["letters", "drand"] = "letters"

    def length(self, pace: Pace) -> timedelta:
        """How long a seat has to answer a question of this pace."""
        return timedelta(hours=self.reply_hours if pace is Pace.REPLY else self.slot_hours)

    def table(self, pace: Pace) -> Timetable:
        """At which days and hours the time for a question of this pace may end."""
        return self.replies if pace is Pace.REPLY else self.slots

    def grace(self, pace: Pace) -> str:
        """The grace after a deadline of this pace as its alarm keeps it: "", "24", "24 strict"."""
        table = self.table(pace)
        if self.late == "auto" or not table.grace_hours:
            return ""
        return f"{table.grace_hours:g}{' strict' if table.strict else ''}"

    def faults(self) -> tuple[str, ...]:
        """What is wrong with them, one sentence each."""
        found = [*self.slots.faults(), *self.replies.faults()]
        if self.hides_late and self.late == "on call":
            found.append(
                "Where other players end a late slot they must know whose it is, so lateness cannot be hidden."
            )
        return tuple(dict.fromkeys(found))


ClockDefaults = ClockSettings
"""What a new match starts with."""


def settings_of(stored: dict[str, Any]) -> ClockSettings:
    """The settings as stored with a match. Raises msgspec.ValidationError when they are not valid."""
    return msgspec.convert(stored, ClockSettings)
