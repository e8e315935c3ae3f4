"""Whether the time of a match runs: paused, forming, out of contact, waiting for players; and what rings all the same while it
does not.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.event import Event
from referee.core.game import Suspends
from referee.core.question import Question
from referee.service.base import notes
from referee.service.base.note_values import KeptAlarm, Loss, Outage
from referee.service.base.office import log_failure
from referee.service.base.ports import Alarm, Clock, MatchRow, Step, Store
from referee.service.base.times import both_stamps, iso, stamp
from referee.service.match.clocks import (
    deadline_alarms,
    first_alarms,
    keep_clock,
    keep_promises,
    kept_clock,
    move,
    slots_in,
    suspended_until,
    table_of,
)
from referee.service.match.playing import BareHand
from referee.service.match.slot_life import (
    DEADLINE,
    DICE,
    MIND,
    OF_SLOTS,
    OVERDUE,
    REMINDER,
    TOLD,
    AlarmKind,
    Happening,
    State,
    happens,
    kinds_of,
    question_of,
    stands_still,
    state_of,
)

# ---------------------------------------------------------------- the clock of a match stops and goes on
# A pause, a match that cannot be run on, a rewind, the end.


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
    """A question that is put otherwise to a player who had it already has its full time again, and no less than he was told."""
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


# ---------------------------------------------------------------- suspensions that the players vote for
# Every open deadline moves later, and nothing that is past changes.


@dataclass(frozen=True)
class Suspension:
    """A suspension that has begun: its hours, and the deadlines it moved with the times to which it moved them."""

    hours: int
    moved: tuple[tuple[Alarm, datetime], ...]

    def sentences(self, zone: str, whole: bool = True) -> tuple[str, ...]:
        """The words to a reader in this zone; one who may not know whose deadlines run is not told them (`whole`)."""
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


# ---------------------------------------------------------------- whether our mail servers can be reached
# Noted when contact is lost and when it is found, so that no crash forgets it.


_log = logging.getLogger(__name__)


def losses(step: Step) -> dict[str, Loss]:
    """Our servers that cannot be reached, and those whose return is not settled yet: "mailbox", "relay"."""
    return notes.CONTACT_LOST.every(step)


def note_loss(step: Step, kind: str, loss: Loss | None) -> None:
    """Keep what is known of a server; None when it is reached and all is settled."""
    notes.CONTACT_LOST.of(kind).keep(step, loss)


def last_beat(step: Step) -> datetime | None:
    """When the service was last alive, as far as it noted that."""
    return notes.HEARTBEAT.of().read(step)


def leave_alone(store: Store, now: datetime, used: Collection[str]) -> None:
    """A server that the settings name no more is waited for no more: what it cost until now is given back."""
    with store.look() as step:
        idle = losses(step).keys() - set(used)
    if idle:
        with store.step() as step:
            for kind, loss in losses(step).items():
                if kind in idle:
                    note_loss(step, kind, msgspec.structs.replace(loss, until=loss.until or now))


class Contact:
    """Our contact with a mail server. This one notes nothing: for folders on this machine, and for a clock in a file."""

    @property
    def is_lost(self) -> bool:
        """Whether the server could not be reached when it was last tried."""
        return False

    def made(self) -> None:
        """The server was reached."""

    def lost(self, why: str) -> None:
        """The server could not be reached."""

    def count(self, counts: bool) -> None:
        """Whether deadlines wait for what this machine cannot reach: not while another machine's desk keeps them."""


class NotedContact(Contact):
    """Contact with one server, for one thread. `kind` is "mailbox" or "relay", `server` its name for the keeper.

    A mailbox is looked at all the time, so it is out of reach since it was last reached; a relay since a letter waits.

    A note that the store does not take now is made at the next attempt: the caller goes on with his own work.
    """

    def __init__(self, store: Store, clock: Clock, kind: str, server: str) -> None:
        self._store = store
        self._clock = clock
        self._kind = kind
        self._server = server
        self._last: datetime | None = None
        self._why: str | None = None
        self._lost: bool | None = None
        self._counts = True

    @property
    def is_lost(self) -> bool:
        """Whether the server could not be reached when it was last tried, be it by a service that has died since."""
        if self._lost is None and not self._counts:
            return False
        if self._lost is None:
            with self._store.look() as step:
                loss = losses(step).get(self._kind)
            self._lost = loss is not None and loss.until is None
        return self._lost

    def count(self, counts: bool) -> None:
        """From now on its contact is noted, or is its own affair; what was noted meanwhile is read anew."""
        self._counts = counts
        self._lost = self._why = None

    def expect(self, least: timedelta) -> None:
        """At the start: not reached since the service was last alive, until `made` is called.

        So no deadline runs before the letters that came meanwhile are read. A silence of the service of `least` or more
        counts by itself: the server is waited for from now on then.
        """
        now = self._clock.now()

        def note(step: Step) -> None:
            beat, loss = last_beat(step), losses(step).get(self._kind)
            alive = beat if beat is not None and timedelta() <= now - beat < least else now
            waits_from = loss.waits_from if loss and alive < now else alive
            first = loss or Loss(self._server, alive, alive)
            note_loss(
                step,
                self._kind,
                msgspec.structs.replace(first, server=self._server, waits_from=waits_from, until=None),
            )

        self._noted(note, True)

    def made(self) -> None:
        """The server was reached; the store is written to only when it had not been."""
        now = self._clock.now()
        self._last = now if self._kind == "mailbox" else None
        if self._lost is False:
            return

        def note(step: Step) -> None:
            loss = losses(step).get(self._kind)
            if loss is not None and loss.until is None:
                note_loss(step, self._kind, msgspec.structs.replace(loss, until=now))
                if loss.why or self._why:  # else it was only not reached yet, since the start
                    _log.warning("%s is reached again; it was not since %s", self._server, iso(loss.since))

        self._noted(note, False)
        self._why = None

    def lost(self, why: str) -> None:
        """The server could not be reached. The store is written to when that is news."""
        if self._lost and self._why == why:
            return
        since = self._last or self._clock.now()

        def note(step: Step) -> None:
            loss = losses(step).get(self._kind) or Loss(self._server, since, since)
            note_loss(step, self._kind, msgspec.structs.replace(loss, server=self._server, why=why, until=None))

        if self._noted(note, True):
            self._why = why

    def _noted(self, note: Callable[[Step], None], lost: bool) -> bool:
        if not self._counts:
            self._lost = lost
            return True
        try:
            with self._store.step() as step:
                note(step)
        except Exception as problem:
            # Letters must be read and sent whatever keeps this from being written; a store raises what its driver does.
            log_failure(_log, problem, "contact with %s could not be noted", self._server)
            return False
        self._lost = lost
        return True


# ---------------------------------------------------------------- what deadlines wait for
# A server that cannot be reached, and an outage that has not given every match its time back.


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
    """The alarms that may ring now: while deadlines wait, only those due before, and those that end nobody's time."""
    since = deadlines_wait_since(step)
    until = now if since is None else min(since, now)
    return lambda alarm: alarm.due_at <= (now if alarm.kind in _GO_ON else until)


def deadlines_wait_since(step: Step) -> datetime | None:
    """Since when deadlines wait; None where they run."""
    pending = pending_outage(step)
    lost = [loss.since for loss in losses(step).values() if loss.given_up is None]
    return min((*lost, pending.since) if pending else lost, default=None)
