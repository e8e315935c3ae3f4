"""The clocks of open questions: deadlines, reminders, grace, slots that are overdue, and by how many full periods."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

import msgspec

from referee.core.question import Pace, Question
from referee.moments import FURTHEST
from referee.service import notes
from referee.service.clock.away import absences_of
from referee.service.clock.delay import kept_clock, start_delay
from referee.service.clock.reminders import leads_of
from referee.service.clock.slot_life import (
    DEADLINE,
    GRACE,
    MIND,
    OF_SLOTS,
    OVERDUE,
    REMINDER,
    Happening,
    State,
    borne,
    happens,
    kinds_of,
    question_of,
    state_of,
)
from referee.service.match.hand import BareHand
from referee.service.match.playing import Playing
from referee.service.ports import Alarm, Step
from referee.service.timetable import Timetable, begins, falls_due

PERIOD = timedelta(hours=24)
"""A slot is late by 1 at its deadline, and by 1 more for each full period after it."""


def too_far(due: Iterable[datetime], now: datetime) -> str:
    """Why deadlines cannot be moved as far as these; "" where they can."""
    if max(due, default=now) - now <= FURTHEST:
        return ""
    return "That is more than two years away, and no deadline may be; name an earlier moment, or less time."


def slot_of(key: str) -> str:
    """The slot of an orders question: further parts of a sheet have its key with a number, `T3/Arcadia/orders 2`."""
    slot, _, part = key.rpartition(" ")
    return slot if slot and part.isdecimal() else key


def late_by(alarms: Iterable[Alarm], key: str) -> int:
    """By how many full periods a question is late: as many as have rung.

    What rings is counted, not the clock: time under a pause or a suspension does not ring, and a letter that came in
    before a period was full is not late because it was read after it.
    """
    rung = [int(a.key.partition("|")[2]) for a in borne(alarms, key) if a.kind == OVERDUE]
    return max(rung, default=0)


def next_period(alarm: Alarm) -> Alarm:
    """The alarm that follows a deadline that passed, or a full period after it; `KEY|2` says that two are full."""
    key, _, full = alarm.key.partition("|")
    return Alarm(alarm.match, OVERDUE, f"{key}|{int(full or 0) + 1}", alarm.due_at + PERIOD, alarm.seat)


def suspended_until(step: Step, match: str) -> datetime | None:
    """The end of a suspension that the players voted for."""
    return notes.SUSPENDED.of(match).read(step)


def set_alarms(hand: BareHand, adopted: Collection[str] = ()) -> None:
    """What questions that are closed bore is dropped, and every question that is open and has no alarm begins its life.

    A question answered by a sheet filed ahead (`adopted`) runs after the change-of-mind delay.
    """
    row, now = hand.playing.row, hand.now
    known = hand.step.alarms(row.name)
    have, open_keys = slots_in(known), {question.key for question in hand.playing.outcome.open}
    for key in sorted(have - open_keys):
        happens(hand.step, row, key, Happening.ANSWERED, State.CLOSED)
    if row.status != "running":
        return
    earlier = {slot_of(key): key for key in sorted(have - open_keys)}
    for question in hand.playing.outcome.open:
        if question.key in have:
            continue
        before = borne(known, earlier.get(slot_of(question.key), ""))
        if not _goes_on(hand.step, hand.playing, question, before, now):
            happens(
                hand.step,
                row,
                question.key,
                Happening.ASKED,
                State.OPEN,
                first_alarms(hand.step, hand.playing, question, now),
            )
        if question.key in adopted:
            start_delay(hand, question.key, question.seat, now)


def slots_in(alarms: Iterable[Alarm]) -> set[str]:
    """The keys of the slots that bear some of these alarms."""
    return {question_of(alarm) for alarm in alarms if alarm.kind in OF_SLOTS}


def _goes_on(step: Step, playing: Playing, question: Question[Any], before: Collection[Alarm], now: datetime) -> bool:
    """Whether a question is a further part of a slot: then it takes over the time and the lateness of the part before."""
    state = state_of(playing.row, kinds_of(before) - {REMINDER, MIND})
    if state is State.CLOSED:
        return False
    told = next((alarm for alarm in before if alarm.kind == DEADLINE), None)
    if told is not None:
        alarms = deadline_alarms(step, playing, question.key, question.seat, told.due_at, now, told.payload)
    else:
        alarms = [
            msgspec.structs.replace(alarm, key=question.key + alarm.key.removeprefix(question_of(alarm)))
            for alarm in before
            if alarm.kind in (GRACE, OVERDUE)
        ]
    happens(step, playing.row, question.key, Happening.CONTINUED, state, alarms)
    return True


def first_alarms(step: Step, playing: Playing, question: Question[Any], now: datetime) -> list[Alarm]:
    """What a question bears that opens now, or with the end of a suspension; never due earlier than was promised."""
    match = playing.row.name
    opens = max(now, suspended_until(step, match) or now)
    settings = playing.settings
    table, away = settings.table(question.pace), absences_of(step, playing.row.name, question.seat)
    due = falls_due(begins(opens, table), settings.length(question.pace), table, away)
    due = max(due, _promised(step, match).get(question.key, due))
    return deadline_alarms(step, playing, question.key, question.seat, due, now)


def _pace_of(playing: Playing, key: str) -> Pace:
    return next((question.pace for question in playing.outcome.open if question.key == key), Pace.SLOT)


def table_of(playing: Playing, key: str) -> Timetable:
    """The timetable of an open question."""
    return playing.settings.table(_pace_of(playing, key))


def deadline_alarms(
    step: Step, playing: Playing, key: str, seat: str, due: datetime, now: datetime, grace: str = ""
) -> list[Alarm]:
    """A question's deadline, and its reminders that still lie ahead.

    The grace is the longer of what was promised with the deadline (`grace`) and what the settings say now.
    """
    graces = [grace, playing.settings.grace(_pace_of(playing, key))]
    told = Alarm(playing.row.name, DEADLINE, key, due, seat, max(graces, key=_grace_hours))
    return [told, *reminder_alarms(step, playing, told, now)]


def reminder_alarms(step: Step, playing: Playing, told: Alarm, now: datetime) -> list[Alarm]:
    """The reminders of a deadline that still lie ahead."""
    leads = {
        f"{told.key}|{hours:g}": told.due_at - timedelta(hours=hours) for hours in leads_of(step, playing, told.seat)
    }
    return [Alarm(told.match, REMINDER, name, at, told.seat) for name, at in leads.items() if at > now]


def remind_anew(step: Step, playing: Playing, seat: str, now: datetime) -> None:
    """Set the reminders of a seat's deadlines by what its player wishes now."""
    for told in step.alarms(playing.row.name):
        if told.kind == DEADLINE and told.seat == seat:
            reminders = reminder_alarms(step, playing, told, now)
            happens(step, playing.row, told.key, Happening.REMINDERS_SET, sets=reminders)


def move(step: Step, playing: Playing, alarm: Alarm, due: datetime, now: datetime, why: Happening) -> None:
    """Move a deadline with its reminders, the end of a grace, or of a full period, to another time."""
    alarms = [msgspec.structs.replace(alarm, due_at=due)]
    if alarm.kind == DEADLINE:
        alarms = deadline_alarms(step, playing, alarm.key, alarm.seat, due, now, alarm.payload)
    happens(step, playing.row, question_of(alarm), why, None, alarms)


def _grace_hours(grace: str) -> float:
    return float(grace.partition(" ")[0] or 0)


# ---------------------------------------------------------------- promises


def _promised(step: Step, match: str) -> dict[str, datetime]:
    return notes.PROMISED.of(match).read(step) or {}


def keep_promises(step: Step, match: str, now: datetime) -> None:
    """Before alarms are cleared that may be set anew: no deadline that a player was told comes back earlier."""
    told = {key: due for key, due in _promised(step, match).items() if due > now}
    running = [(a.key, a.due_at) for a in step.alarms(match) if a.kind == DEADLINE]
    running += [(k.key, datetime.fromisoformat(k.due)) for k in kept_clock(step, match) if k.kind == DEADLINE and k.due]
    told |= {key: max(due, told.get(key, due)) for key, due in running}
    notes.PROMISED.of(match).keep(step, told or None)
