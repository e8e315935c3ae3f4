"""Suspensions that the players vote for: every open deadline moves later, and nothing that is past changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from referee.core.event import Event
from referee.core.game import Suspends
from referee.service import notes
from referee.service.clock.clocks import move, suspended_until
from referee.service.clock.delay import keep_clock, kept_clock
from referee.service.clock.slot_life import MIND, OVERDUE, TOLD, Happening, stands_still
from referee.service.match.hand import BareHand
from referee.service.ports import Alarm
from referee.service.times import both_stamps, stamp


@dataclass(frozen=True)
class Suspension:
    """A suspension that has begun: its hours, and the deadlines it moved with the times to which it moved them."""

    hours: int
    moved: tuple[tuple[Alarm, datetime], ...]

    def sentences(self, zone: str, whole: bool = True) -> tuple[str, ...]:
        """What is told to a reader in this zone; who may not know whose deadlines run is not told them (`whole`)."""
        return (
            f"The clock is suspended for {self.hours} hours from now, as the players voted; nothing that is past changes.",
            *(
                f"{a.seat} now has until {both_stamps(due, zone)}; it was {stamp(a.due_at, zone)}."
                for a, due in self.moved
                if whole
            ),
        )


def suspend(hand: BareHand, events: Sequence[Event]) -> Suspension | None:
    """Move all open deadlines by what these events suspend, and keep slots that open meanwhile from beginning."""
    game, match, now = hand.playing.game, hand.match, hand.now
    hours = sum(game.suspends(event) for event in events) if events and isinstance(game, Suspends) else 0
    if not hours or hand.playing.outcome.over:
        return None
    span = timedelta(hours=hours)
    notes.SUSPENDED.of(match).keep(hand.step, max(now, suspended_until(hand.step, match) or now) + span)
    moved = []
    for alarm in hand.step.alarms(match):
        if alarm.kind in (*TOLD, OVERDUE):
            move(hand.step, hand.playing, alarm, alarm.due_at + span, now, Happening.SUSPENDED)
        if alarm.kind in TOLD:
            moved.append((alarm, alarm.due_at + span))
    # In a match that stands still what was left of each deadline grows.
    if stands_still(hand.playing.row):
        longer = span.total_seconds()
        kept = kept_clock(hand.step, hand.match)
        grown = [msgspec.structs.replace(k, seconds=k.seconds + longer) if k.kind != MIND else k for k in kept]
        keep_clock(hand.step, hand.match, grown)
    return Suspension(hours, tuple(moved))
