"""What deadlines wait for: a server that cannot be reached, and an outage that has not given every match its time back."""

from __future__ import annotations

from datetime import datetime

import msgspec

from referee.service.clock.contact import losses
from referee.service.clock.slot_life import AlarmKind
from referee.service.clock.stretches import Stretch
from referee.service.ports import Alarm, Step
from referee.service.times import iso

_GO_ON = (AlarmKind.REMINDER, AlarmKind.RESUME)
"""The kinds of alarm that ring though players cannot be heard: they end nobody's time."""


class Outage(msgspec.Struct, frozen=True):
    """Players could not be heard or were not told from a moment until another.

    `what` was out of reach: "" the service itself, "mailbox" or "relay". `parts` are what of it no outage has given back
    before. It `lasts` where deadlines wait no longer, though the server is still out of reach.
    """

    since: datetime
    until: datetime
    what: str = ""
    parts: tuple[Stretch, ...] = ()
    lasts: bool = False

    @property
    def counts(self) -> tuple[Stretch, ...]:
        """What it gives back."""
        return self.parts or ((self.since, self.until),)

    @property
    def mark(self) -> str:
        """What a match keeps to know that it has its time back already."""
        return f"{self.what} {iso(self.since)} {iso(self.until)}" if self.what else iso(self.since)


def pending_outage(step: Step) -> Outage | None:
    """The outage that some match may not have its time back from yet."""
    kept = step.note("", "", "outage")
    return msgspec.json.decode(kept, type=Outage) if kept else None


def put_pending(step: Step, outage: Outage | None) -> None:
    """Note an outage in the transaction that measures it; None when every match has its time back."""
    step.put_note("", "", "outage", msgspec.json.encode(outage).decode() if outage else None)


def due_now(step: Step, now: datetime, limit: int) -> list[Alarm]:
    """The alarms to ring, the oldest first; while deadlines wait, only what was due before and what ends nobody's time."""
    since = _wait_since(step)
    if since is None:
        return step.due_alarms(now, limit)
    before = step.due_alarms(min(since, now), limit)
    return before or [alarm for kind in _GO_ON for alarm in step.due_alarms(now, limit, kind)]


def _wait_since(step: Step) -> datetime | None:
    pending = pending_outage(step)
    lost = [loss.since for loss in losses(step).values() if loss.given_up is None]
    return min((*lost, pending.since) if pending else lost, default=None)
