"""The clocks of open questions: deadlines, reminders, grace, slots that are overdue, and by how many full periods."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

import msgspec

from referee.core.question import Pace, Question
from referee.service.clock.away import absences_of
from referee.service.clock.delay import kept_clock, start_delay
from referee.service.clock.reminders import leads_of
from referee.service.match.playing import Playing
from referee.service.office import Office
from referee.service.ports import Alarm, Step
from referee.service.timetable import Timetable, begins, falls_due

RUNNING = ("deadline", "grace")
"""The kinds of alarm that are a time told to a player, by which he must have answered."""

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
    match, now = playing.row.name, office.clock.now()
    open_keys = {question.key for question in playing.outcome.open}
    known = step.alarms(match)
    for alarm in known:
        if (
            alarm.kind in ("deadline", "reminder", "mind", "overdue", "grace")
            and alarm.key.partition("|")[0] not in open_keys
        ):
            step.clear_alarms(match, alarm.kind, alarm.key)
    if playing.row.status != "running":
        return
    have = {alarm.key.partition("|")[0]: alarm for alarm in known if alarm.kind in ("deadline", "overdue")}
    slots = {slot_of(key): alarm for key, alarm in have.items() if key not in open_keys}
    opens, promised = max(now, suspended_until(step, match) or now), _promised(step, match)
    for question in playing.outcome.open:
        if question.key not in have:
            before = slots.get(slot_of(question.key))
            if before and before.kind == "overdue":
                step.set_alarm(msgspec.structs.replace(before, key=f"{question.key}|{before.key.partition('|')[2]}"))
                continue
            due = before.due_at if before else falls_due_for(step, playing, question, opens)
            due = max(due, promised.get(question.key, due))
            set_deadline(step, playing, question.key, question.seat, due, now)
            if question.key in adopted:
                start_delay(step, playing, question.key, question.seat, now)


def falls_due_for(step: Step, playing: Playing, question: Question[Any], opens: datetime) -> datetime:
    """When a question that opens at a moment falls due by the timetable and the absences of its player."""
    settings = playing.settings
    table, away = settings.table(question.pace), absences_of(step, playing.row.name, question.seat)
    return falls_due(begins(opens, table), settings.length(question.pace), table, away)


def _pace_of(playing: Playing, key: str) -> Pace:
    return next((question.pace for question in playing.outcome.open if question.key == key), Pace.SLOT)


def table_of(playing: Playing, key: str) -> Timetable:
    """The timetable of an open question."""
    return playing.settings.table(_pace_of(playing, key))


def set_deadline(
    step: Step, playing: Playing, key: str, seat: str, due: datetime, now: datetime, grace: str = ""
) -> None:
    """Set a question's deadline, and its reminders that still lie ahead.

    The grace is the longer of what was promised with the deadline (`grace`, or that of the alarm it replaces) and what
    the settings say now.
    """
    match = playing.row.name
    known = (a.payload for a in step.alarms(match) if a.kind == "deadline" and a.key == key)
    graces = [grace, next(known, ""), playing.settings.grace(_pace_of(playing, key))]
    step.set_alarm(Alarm(match, "deadline", key, due, seat, max(graces, key=_grace_hours)))
    leads = {f"{key}|{hours:g}": due - timedelta(hours=hours) for hours in leads_of(step, playing, seat)}
    for alarm in step.alarms(match):
        if alarm.kind == "reminder" and alarm.key.partition("|")[0] == key and alarm.key not in leads:
            step.clear_alarms(match, "reminder", alarm.key)
    for name, at in leads.items():
        if at > now:
            step.set_alarm(Alarm(match, "reminder", name, at, seat))
        else:
            step.clear_alarms(match, "reminder", name)


def move(step: Step, playing: Playing, alarm: Alarm, due: datetime, now: datetime) -> None:
    """Move a deadline, or the end of a grace, to another time."""
    if alarm.kind == "deadline":
        set_deadline(step, playing, alarm.key, alarm.seat, due, now, alarm.payload)
    else:
        step.set_alarm(msgspec.structs.replace(alarm, due_at=due))


def _grace_hours(grace: str) -> float:
    return float(grace.partition(" ")[0] or 0)


# ---------------------------------------------------------------- promises


def _promised(step: Step, match: str) -> dict[str, datetime]:
    kept = step.note(match, "", "promised")
    return msgspec.json.decode(kept, type=dict[str, datetime]) if kept else {}


def keep_promises(step: Step, match: str, now: datetime) -> None:
    """Before alarms are cleared that may be set anew: no deadline that a player was told comes back earlier."""
    told = {key: due for key, due in _promised(step, match).items() if due > now}
    running = [(a.key, a.due_at) for a in step.alarms(match) if a.kind == "deadline"]
    running += [
        (k.key, datetime.fromisoformat(k.due)) for k in kept_clock(step, match) if k.kind == "deadline" and k.due
    ]
    told |= {key: max(due, told.get(key, due)) for key, due in running}
    step.put_note(match, "", "promised", msgspec.json.encode(told).decode() if told else None)
