"""The clock of a match stops and goes on: a pause, a match that cannot be run on, a rewind, the end."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from referee.core.question import Question
from referee.service import notes
from referee.service.clock.clocks import deadline_alarms, first_alarms, keep_promises, slots_in, table_of
from referee.service.clock.delay import keep_clock, kept_clock
from referee.service.clock.slot_life import (
    DEADLINE,
    DICE,
    MIND,
    OF_SLOTS,
    REMINDER,
    TOLD,
    Happening,
    State,
    happens,
    kinds_of,
    question_of,
    stands_still,
    state_of,
)
from referee.service.match.hand import BareHand
from referee.service.ports import Alarm, MatchRow, Step
from referee.service.remembered import KeptAlarm
from referee.service.times import iso


def stop_clock(step: Step, row: MatchRow, now: datetime, why: Happening) -> None:
    """No slot of a match bears an alarm any more; what was left of each is kept. To be called before its status changes."""
    alarms = step.alarms(row.name)
    if not stands_still(row):
        left = [a for a in alarms if a.kind in OF_SLOTS - {REMINDER}]
        keep_clock(step, row.name, [_kept(alarm, now) for alarm in left])
    elif dice := [a for a in alarms if a.kind == DICE]:
        keep_clock(step, row.name, [*kept_clock(step, row.name), *(_kept(alarm, now) for alarm in dice)])
    _drop(step, row, why, State.STILL)


def _kept(alarm: Alarm, now: datetime) -> KeptAlarm:
    left = (alarm.due_at - now).total_seconds()
    return KeptAlarm(alarm.kind, alarm.key, alarm.seat, left, alarm.payload, iso(alarm.due_at))


def start_clock(hand: BareHand) -> None:
    """The slots of a match that stands still go on with the time that was left. To be called before its status changes."""
    hand.step.clear_alarms(hand.match)
    kept, now = kept_clock(hand.step, hand.match), hand.now
    for question in hand.playing.outcome.open:
        alarms = [a for k in kept for a in _again(hand, question.key, k, now)]
        if not kinds_of(alarms) - {MIND}:
            alarms += first_alarms(hand.step, hand.playing, question, now)
        state = state_of(replace(hand.playing.row, status="running"), kinds_of(alarms) - {MIND})
        happens(hand.step, hand.playing.row, question.key, Happening.RESUMED, state, alarms)
    keep_clock(hand.step, hand.match, None)


def go_on(hand: BareHand) -> None:
    """Every slot of a sealed match has what it had when it was sealed, with the time that was left. To be called as above."""
    hand.step.clear_alarms(hand.match)
    kept, now = kept_clock(hand.step, hand.match), hand.now
    slots = (Alarm(hand.match, k.kind, k.key, now) for k in kept if k.kind in OF_SLOTS)
    keys = dict.fromkeys(map(question_of, slots))
    for key in keys:
        alarms = [alarm for k in kept for alarm in _again(hand, key, k, now)]
        state = state_of(replace(hand.playing.row, status="running"), kinds_of(alarms) - {MIND})
        if state is not State.CLOSED:
            happens(hand.step, hand.playing.row, key, Happening.FELL, state, alarms)
    keep_clock(hand.step, hand.match, None)


def seek_again(step: Step, row: MatchRow, now: datetime) -> None:
    """The round of a sealed match is looked for again at once, where a fault had stopped it; its slots stand still as before."""
    kept = kept_clock(step, row.name)
    for dice in (k for k in kept if k.kind == DICE):
        step.set_alarm(Alarm(row.name, DICE, dice.key, now, payload=dice.payload))
    keep_clock(step, row.name, [k for k in kept if k.kind != DICE])


def _again(hand: BareHand, key: str, kept: KeptAlarm, now: datetime) -> list[Alarm]:
    """The alarms that come of one that was kept, where it is of this question."""
    alarm = Alarm(hand.match, kept.kind, kept.key, _due_again(kept, now), kept.seat, kept.payload)
    if question_of(alarm) != key:
        return []
    if kept.kind != DEADLINE:
        return [alarm]
    due = table_of(hand.playing, key).pushed(alarm.due_at)
    return deadline_alarms(hand.step, hand.playing, key, kept.seat, due, now, kept.payload)


def _due_again(kept: KeptAlarm, now: datetime) -> datetime:
    """When an alarm is due that was kept: what was left, and not earlier than was told before."""
    due = now + timedelta(seconds=max(kept.seconds, 0))
    told = datetime.fromisoformat(kept.due) if kept.due and kept.kind in TOLD else due
    return max(due, told)


def set_aside(step: Step, row: MatchRow, now: datetime) -> None:
    """The course of a match is changed: its slots are no more, and what it opens again is due no earlier than was told."""
    keep_promises(step, row.name, now)
    _drop(step, row, Happening.REWOUND, State.CLOSED)
    keep_clock(step, row.name, None)
    notes.SUSPENDED.of(row.name).forget(step)


def ask_anew(hand: BareHand, question: Question[Any]) -> None:
    """A question that is put otherwise to who had it already has its full time again, and no less than he was told."""
    now = hand.now
    keep_promises(hand.step, hand.match, now)
    alarms = first_alarms(hand.step, hand.playing, question, now)
    if stands_still(hand.playing.row):
        others = [k for k in kept_clock(hand.step, hand.match) if k.key.partition("|")[0] != question.key]
        keep_clock(hand.step, hand.match, [*others, *(_kept(a, now) for a in alarms if a.kind == DEADLINE)])
    else:
        happens(hand.step, hand.playing.row, question.key, Happening.ANSWERED, State.CLOSED)
        happens(hand.step, hand.playing.row, question.key, Happening.ASKED, State.OPEN, alarms)


def end_clock(step: Step, row: MatchRow) -> None:
    """The match is over: nothing falls due in it any more."""
    _drop(step, row, Happening.FINISHED, State.CLOSED)


def _drop(step: Step, row: MatchRow, why: Happening, to: State) -> None:
    for key in sorted(slots_in(step.alarms(row.name))):
        happens(step, row, key, why, to)
    step.clear_alarms(row.name)
