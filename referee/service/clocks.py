"""The clocks of open questions: deadlines, reminders, slots that are overdue, and by how many full periods."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

import msgspec

from referee.service.delay import start_delay
from referee.service.office import Office
from referee.service.playing import Playing
from referee.service.ports import Alarm, Step

__all__ = ["PERIOD", "late_by", "next_period", "set_alarms", "set_deadline", "slot_of", "suspended_until"]

PERIOD = timedelta(hours=24)
"""A slot is late by 1 at its deadline, and by 1 more for each full period after it."""


def slot_of(key: str) -> str:
    """The slot of an orders question: further parts of a sheet have its key with a number, `T3/Arcadia/orders 2`."""
    slot, _, part = key.rpartition(" ")
    return slot if slot and part.isdecimal() else key


def late_by(alarms: Iterable[Alarm], key: str) -> int:
    """By how many full periods a question is late: as many as have rung.

    What rings is counted, not the clock: time under a pause or a suspension does not ring, and a letter that came in
    before a period was full is not late because it was read after it.
    """
    rung = [int(a.key.partition("|")[2]) for a in alarms if a.kind == "overdue" and a.key.partition("|")[0] == key]
    return max(rung, default=0)


def next_period(alarm: Alarm) -> Alarm:
    """The alarm that follows a deadline that passed, or a full period after it; `KEY|2` says that two are full."""
    key, _, full = alarm.key.partition("|")
    return Alarm(alarm.match, "overdue", f"{key}|{int(full or 0) + 1}", alarm.due_at + PERIOD, alarm.seat)


def suspended_until(step: Step, match: str) -> datetime | None:
    """The end of a suspension that the players voted for."""
    kept = step.note(match, "", "suspended")
    return datetime.fromisoformat(kept) if kept else None


def set_alarms(office: Office, step: Step, playing: Playing, adopted: Collection[str] = ()) -> None:
    """A deadline and its reminders for every question that has none; none for questions that are closed.

    A further part of a slot keeps the deadline of the part before it. A question answered by a sheet filed ahead
    (`adopted`) runs after the change-of-mind delay.
    """
    match, settings, now = playing.row.name, playing.settings, office.clock.now()
    open_keys = {question.key for question in playing.outcome.open}
    known = step.alarms(match)
    for alarm in known:
        if alarm.kind in ("deadline", "reminder", "mind", "overdue") and alarm.key.partition("|")[0] not in open_keys:
            step.clear_alarms(match, alarm.kind, alarm.key)
    if playing.row.status != "running":
        return
    have = {alarm.key.partition("|")[0]: alarm for alarm in known if alarm.kind in ("deadline", "overdue")}
    slots = {slot_of(key): alarm for key, alarm in have.items() if key not in open_keys}
    begins = max(now, suspended_until(step, match) or now)
    for question in playing.outcome.open:
        if question.key not in have:
            before = slots.get(slot_of(question.key))
            if before and before.kind == "overdue":
                step.set_alarm(msgspec.structs.replace(before, key=f"{question.key}|{before.key.partition('|')[2]}"))
                continue
            due = before.due_at if before else begins + settings.length(question.pace)
            set_deadline(step, playing, question.key, question.seat, due, now)
            if question.key in adopted:
                start_delay(step, playing, question.key, question.seat, now)


def set_deadline(step: Step, playing: Playing, key: str, seat: str, due: datetime, now: datetime) -> None:
    """Set a question's deadline, and its reminders that still lie ahead."""
    match = playing.row.name
    step.set_alarm(Alarm(match, "deadline", key, due, seat))
    for hours in playing.settings.reminder_hours:
        at = due - timedelta(hours=hours)
        name = f"{key}|{hours:g}"
        if at > now:
            step.set_alarm(Alarm(match, "reminder", name, at, seat))
        else:
            step.clear_alarms(match, "reminder", name)
