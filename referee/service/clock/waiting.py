"""What deadlines wait for: a server that cannot be reached, and an outage that has not given every match its time back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from referee.service import notes
from referee.service.clock.contact import losses
from referee.service.clock.slot_life import AlarmKind
from referee.service.ports import Alarm, Step
from referee.service.remembered import Outage

_GO_ON = (AlarmKind.REMINDER, AlarmKind.RESUME, AlarmKind.DICE)
"""The kinds of alarm that ring though players cannot be heard: they end nobody's time."""


def pending_outage(step: Step) -> Outage | None:
    """The outage that some match may not have its time back from yet."""
    return notes.OUTAGE.of().read(step)


def put_pending(step: Step, outage: Outage | None) -> None:
    """Note an outage in the transaction that measures it; None when every match has its time back."""
    notes.OUTAGE.of().keep(step, outage)


def waits_for_clock(step: Step) -> bool:
    """Whether the clock leapt just now, so that nobody knows yet what time it is: then nothing is done."""
    leap = notes.LEAP.of().read(step)
    return leap is not None and leap.waits


def due_now(step: Step, now: datetime, limit: int) -> list[Alarm]:
    """The alarms to ring, the oldest first; while deadlines wait, only what was due before and what ends nobody's time."""
    since = deadlines_wait_since(step)
    if since is None:
        return step.due_alarms(now, limit)
    before = step.due_alarms(min(since, now), limit)
    return before or [alarm for kind in _GO_ON for alarm in step.due_alarms(now, limit, kind)]


def ringing(step: Step, now: datetime) -> Callable[[Alarm], bool]:
    """Which alarms may ring now: while deadlines wait, only what was due before and what ends nobody's time."""
    since = deadlines_wait_since(step)
    until = now if since is None else min(since, now)
    return lambda alarm: alarm.due_at <= (now if alarm.kind in _GO_ON else until)


def deadlines_wait_since(step: Step) -> datetime | None:
    """Since when deadlines wait; None where they run."""
    pending = pending_outage(step)
    lost = [loss.since for loss in losses(step).values() if loss.given_up is None]
    return min((*lost, pending.since) if pending else lost, default=None)
