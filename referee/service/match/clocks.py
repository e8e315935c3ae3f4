"""A match's clock: deadlines, how long a question is open, absences, when reminders go out, delays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import msgspec

from referee.core.question import Pace, Question, slot_of
from referee.core.record import Entry
from referee.moments import FURTHEST, spans
from referee.service.base import notes
from referee.service.base.match_settings import Absence, Timetable, begins, falls_due
from referee.service.base.note_values import Away, KeptAlarm, Stretch
from referee.service.base.ports import Alarm, MatchRow, Player, Step
from referee.service.base.times import iso
from referee.service.match.bots import thought_over
from referee.service.match.playing import BareHand, Playing, as_of
from referee.service.match.slot_life import (
    DEADLINE,
    GRACE,
    IN_GRACE,
    MIND,
    OF_SLOTS,
    ON_CALL,
    OVERDUE,
    REMINDER,
    AlarmKind,
    Happening,
    State,
    borne,
    happens,
    kinds_of,
    question_of,
    slot_state,
    stands_still,
    state_of,
)

# ---------------------------------------------------------------- absences as they are kept
# Of a person in a match, so that they end with his part in it.


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


# ---------------------------------------------------------------- the change-of-mind delay
# How long a complete order sheet waits before its turn runs, also while the clock stands.


_NEXT = "next"


def kept_clock(step: Step, match: str) -> list[KeptAlarm]:
    """The alarms with which a paused match will go on."""
    return notes.PAUSED.of(match).read(step) or []


def keep_clock(step: Step, match: str, kept: list[KeptAlarm] | None) -> None:
    """Keep it, or forget it (None)."""
    notes.PAUSED.of(match).keep(step, kept)


def start_delay(hand: BareHand, key: str, seat: str, now: datetime) -> None:
    """The turn runs after the delay, unless WAIT holds it; in a match that stands still the delay runs from RESUME."""
    if hand.status == "over":
        return
    if is_held(hand, key, seat):
        stop_delay(hand, key)
        return
    match, minutes = hand.match, hand.playing.settings.mind_minutes
    if stands_still(hand.playing.row):
        happens(hand.step, hand.playing.row, key, Happening.COMPLETE)
        keep_clock(hand.step, match, [*_without_delay(hand.step, match, key), KeptAlarm(MIND, key, seat, minutes * 60)])
    else:
        runs = Alarm(match, MIND, key, now + timedelta(minutes=minutes), seat)
        happens(hand.step, hand.playing.row, key, Happening.COMPLETE, sets=[runs])


def stop_delay(hand: BareHand, key: str) -> None:
    """The turn does not run before its deadline; in a match that was ended no turn runs at all."""
    if hand.status == "over":
        return
    happens(hand.step, hand.playing.row, key, Happening.RECONSIDERED)
    if stands_still(hand.playing.row):
        keep_clock(hand.step, hand.match, _without_delay(hand.step, hand.match, key))


def _without_delay(step: Step, match: str, key: str) -> list[KeptAlarm]:
    return [k for k in kept_clock(step, match) if (k.kind, k.key) != (MIND, key)]


def hold(hand: BareHand, key: str, seat: str) -> None:
    """WAIT: this turn, or the seat's next one when it has none now (key ""), waits for its deadline."""
    notes.WAIT.of(hand.match, seat).keep(hand.step, key or _NEXT)
    if key:
        stop_delay(hand, key)


def release(hand: BareHand, seat: str) -> None:
    """NO WAIT: turns run after the delay again."""
    notes.WAIT.of(hand.match, seat).forget(hand.step)


def is_held(hand: BareHand, key: str, seat: str) -> bool:
    """Whether WAIT holds this turn; a WAIT written ahead is spent on it."""
    held = notes.WAIT.of(hand.match, seat).read(hand.step)
    if held == _NEXT:
        notes.WAIT.of(hand.match, seat).keep(hand.step, key)
    return held in (key, _NEXT)


# ---------------------------------------------------------------- what a player wishes for himself in all his matches
# When he is reminded.


_FURTHEST_LEAD = timedelta(days=30).total_seconds() / 3600


def read_leads(written: str) -> tuple[float, ...] | None:
    """Hours before a deadline at which to remind, the longest first; () for "none", None for what cannot be read."""
    if written.strip().casefold() in ("none", "off"):
        return ()
    hours = [span / timedelta(hours=1) for span in spans(written)]
    if not hours or not all(0 < lead <= _FURTHEST_LEAD for lead in hours) or len(hours) > 6:
        return None
    return tuple(sorted(set(hours), reverse=True))


def keep_leads(step: Step, player: Player, leads: tuple[float, ...] | None) -> None:
    """Keep when a player is reminded; None: as each match says."""
    notes.REMINDERS.of(player.id).keep(step, leads)


def leads_of(step: Step, playing: Playing, seat: str) -> tuple[float, ...]:
    """Hours before a deadline at which the player of a seat is reminded."""
    kept = notes.REMINDERS.of(player_of(step, playing.row.name, seat)).read(step)
    return playing.settings.reminder_hours if kept is None else kept


# ---------------------------------------------------------------- the clocks of open questions
# Deadlines, reminders, grace, slots that are overdue, and by how many full periods.


PERIOD = timedelta(hours=24)
"""A slot is late by 1 at its deadline, and by 1 more for each full period after it."""


def too_far(due: Iterable[datetime], now: datetime) -> str:
    """Why deadlines cannot be moved as far as these; "" where they can."""
    if max(due, default=now) - now <= FURTHEST:
        return ""
    return "That is more than two years away, and no deadline may be; name an earlier moment, or less time."


def is_late(row: MatchRow, alarms: Iterable[Alarm], key: str) -> bool:
    """Whether a slot has outlived its deadline."""
    return slot_state(row, alarms, key) in (IN_GRACE, ON_CALL)


def late_by(alarms: Iterable[Alarm], key: str) -> int:
    """By how many full periods a question is late: as many as have rung.

    Rings are counted, not the clock: time under a pause or a suspension does not ring, and a letter that came in
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
    """The alarms of closed questions are dropped, and every question that is open and has no alarm begins its life.

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
    for question in thought_over(hand.step, hand.playing):
        hand.step.set_alarm(Alarm(row.name, AlarmKind.BOT, question.key, now + THOUGHT_OVER, question.seat))


THOUGHT_OVER = timedelta(hours=1)
"""A strong bot answers when nothing else is to be done, but at the latest then, as if that were a deadline."""


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
    """The alarms of a question that opens now, or with the end of a suspension; never due earlier than was promised."""
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


# ---------------------------------------------------------------- stretches of time
# The part of a stretch that was not counted before.


def total(stretches: Iterable[Stretch]) -> timedelta:
    """How long stretches are together that do not overlap."""
    return sum((until - since for since, until in stretches), timedelta())


def uncounted(stretch: Stretch, counted: Iterable[Stretch]) -> tuple[Stretch, ...]:
    """The rest of a stretch without those counted before, in order."""
    since, until = stretch
    left = []
    for begin, end in sorted(counted):
        if end > since and begin < until:
            left.append((since, begin))
            since = end
    left.append((since, until))
    return tuple((begin, end) for begin, end in left if begin < end)


def from_on(stretches: Iterable[Stretch], moment: datetime) -> tuple[Stretch, ...]:
    """The part of stretches that lies after a moment."""
    return tuple((max(since, moment), until) for since, until in stretches if until > moment)


# ---------------------------------------------------------------- open since
# Since when the open questions of a match are open, as far as they opened after a moment.


def opened_after(step: Step, playing: Playing, since: datetime) -> dict[str, datetime]:
    """The slots (see `slot_of`) that are open now and were not at that moment, with the moment each opened.

    It is looked up in the log: a match of which nothing was written since then costs next to nothing.
    """
    entries, moment = step.entries(playing.row.name), iso(since)
    # In the order of the log: a clock that was set back wrote later entries with earlier moments.
    begun = max((count for count, entry in enumerate(entries, 1) if entry.at <= moment), default=0)
    ends = [count for count in range(begun + 1, len(entries)) if entries[count].at != entries[count - 1].at]
    if begun == len(entries):
        return {}

    @cache
    def open_at(count: int) -> frozenset[str]:
        return _slots(playing, entries[:count])

    fresh = {slot_of(question.key) for question in playing.outcome.open} - open_at(begun)
    first = {slot: _first(slot, (*ends, len(entries)), open_at) for slot in sorted(fresh)}
    return {slot: datetime.fromisoformat(entries[count - 1].at) for slot, count in first.items()}


def _slots(playing: Playing, entries: Sequence[Entry]) -> frozenset[str]:
    open_then = as_of(playing, entries).outcome.open if entries else ()
    return frozenset(slot_of(question.key) for question in open_then)


def _first(slot: str, ends: Sequence[int], open_at: Callable[[int], frozenset[str]]) -> int:
    """After how many entries it was open, by halves: a slot that is open now has been since it opened."""
    low, high = 0, len(ends) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if slot in open_at(ends[middle]) else (middle + 1, high)
    return ends[low]
