"""An outage gives its time back: every deadline that was open meanwhile moves later by it, and everybody is told once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from referee.service import notes
from referee.service.alarms.deadlines import shunt
from referee.service.clock.clocks import move, slot_of, table_of
from referee.service.clock.open_since import opened_after
from referee.service.clock.slot_life import OVERDUE, TOLD, Happening, question_of
from referee.service.clock.stretches import from_on, total
from referee.service.clock.waiting import put_pending
from referee.service.match.hidden_lateness import YOURS
from referee.service.match.playing import Playing, Stuck, remember, restored
from referee.service.office import Office
from referee.service.overrides.hand import THE_CLOCK, Hand
from referee.service.ports import Alarm, Conflict, NotNow, Step
from referee.service.remembered import Outage
from referee.service.times import both_stamps, iso, length, stamp
from referee.service.turns.renewing import ready

_log = logging.getLogger(__name__)

_Moved = list[tuple[Alarm, datetime]]

_RUNNING, _ALL_BEGUN = ("running",), ("running", "paused", "sealed", "shunted")
"""Whose time an outage takes, and who hears of a restore."""


def give_back(office: Office, outage: Outage) -> bool:
    """Move the deadlines of every match, one transaction each; those that have it already are passed over.

    So a crash in the middle gives no match its time twice, and none never. False when one could not be written to now.
    """
    of = _concerned(outage)
    with office.store.look() as step:
        names = [row.name for row in step.matches() if row.status in of]
    if not all([_given_back(office, name, outage) for name in names]):
        return False
    with office.store.step() as step:
        put_pending(step, None)
    return True


def _concerned(outage: Outage) -> tuple[str, ...]:
    return _ALL_BEGUN if outage.what == "backup" else _RUNNING


def _given_back(office: Office, match: str, outage: Outage) -> bool:
    """Whether a match has its time back; False when another worker wrote to it first, and it is tried again."""
    try:
        changed = _of_match(office, match, outage)
    except (Conflict, NotNow):
        return False
    except Exception as problem:  # a broken match must not keep the others from their time
        _log.exception("%s could not be given its time back", match)
        shunt(office, match, f"{type(problem).__name__}: {problem}")
        return True
    if changed is not None:
        remember(changed)
        office.ran(match)
    return True


def _of_match(office: Office, match: str, outage: Outage) -> Playing | None:
    with office.step() as at:
        row = at.step.match(match)
        if (
            row is None
            or row.status not in _concerned(outage)
            or notes.OUTAGE_OVER.of(match).read(at.step) == outage.mark
        ):
            return None
        notes.OUTAGE_OVER.of(match).keep(at.step, outage.mark)
        playing = ready(at, row)
        if outage.what == "backup":
            playing = restored(at, playing, f"from the backup of {outage.since:%Y-%m-%dT%H:%M:%SZ}")
        elif playing.fault:
            raise Stuck(playing.fault)
        opened = opened_after(at.step, playing, outage.since)
        moved = _moved(at.step, playing, outage, opened) if playing.row.status == "running" else []
        if not moved and outage.what != "backup":
            return None
        hand = Hand(at.office, at.step, playing, by="the keeper" if outage.what == "backup" else THE_CLOCK)
        _tell(hand, outage, moved, _AS_LOST if opened else _MORE)
        return hand.playing


def _moved(step: Step, playing: Playing, outage: Outage, opened: Mapping[str, datetime]) -> _Moved:
    """Move what was to come when the outage began; what was due before that is done as it stands."""
    moved = []
    gained = _gains(opened, outage)
    for alarm in step.alarms(playing.row.name):
        if alarm.due_at <= outage.since:
            continue
        span = gained(alarm)
        if alarm.kind in TOLD and span:
            due = table_of(playing, alarm.key).pushed(alarm.due_at + span)
            move(step, playing, alarm, due, outage.until, Happening.OUT_OF_REACH)
            moved.append((alarm, due))
        elif alarm.kind == OVERDUE and span:
            move(step, playing, alarm, alarm.due_at + span, outage.until, Happening.OUT_OF_REACH)
    return moved


def _gains(opened: Mapping[str, datetime], outage: Outage) -> Callable[[Alarm], timedelta]:
    """By how much an alarm moves: by what of the outage its question was open."""

    def gained(alarm: Alarm) -> timedelta:
        slot = slot_of(question_of(alarm))
        return total(from_on(outage.counts, opened.get(slot, outage.since)))

    return gained


_WHAT = {
    "": "I was out of order from {since} to {until}: {lost}.",
    "clock": "My clock was wrong: it leapt from {since} to {until}: {lost}.",
    "mailbox": "My mailbox could not be reached from {since} to {until}, so I read no letters there: {lost}.",
    "relay": "My mail server could not be reached from {since} to {until}, so my letters did not go out: {lost}.",
}
_BACKUP = (
    "I lost what I knew, and was restored from a backup: I know this match as it was on {since}, at turn {turn}. What I wrote to "
    "you after that does not count, nor do dice of which it told; from here on they are thrown anew.",
    "Of what you wrote me after that I know only what I have answered, or answer from now on{mailbox}. Whatever else you want "
    "done, write again, in reply to this letter.",
)
_FOUND = ": letters that still lie in my mailbox I read again now"
_AND_LASTS = {
    "mailbox": "It still cannot be reached, and deadlines wait for it no longer: what you write is read when it can be.",
    "relay": "It still cannot be reached, and deadlines wait for it no longer: this letter went out when it could be.",
}
_MORE = "Everybody who had a deadline has that much more time"
_AS_LOST = "Everybody who had a deadline meanwhile has as much more time as he lost of it"


def _sentences(outage: Outage, zone: str) -> tuple[str, ...]:
    """What was out of reach, from when to when, and how much of it counts."""
    counted, whole = length(total(outage.counts)), length(outage.until - outage.since)
    lost = counted if counted == whole else f"{counted} of it, as the rest was given back before"
    said = _WHAT[outage.what].format(since=stamp(outage.since, zone), until=stamp(outage.until, zone), lost=lost)
    return (said, _AND_LASTS[outage.what]) if outage.lasts else (said,)


def _tell(hand: Hand, outage: Outage, moved: _Moved, more: str) -> None:
    """One letter to everybody about all of it."""
    of_backup = outage.what == "backup"

    def said(zone: str) -> tuple[str, ...]:
        return _of_backup(hand.office, hand.playing.turn, outage, zone) if of_backup else _sentences(outage, zone)

    def told(zone: str) -> tuple[str, ...]:
        times = (
            f"{a.seat} now has until {both_stamps(due, zone)}; it was {stamp(a.due_at, zone)}." for a, due in moved
        )
        return (*said(zone), *((f"{more}.", *times) if moved else ()))

    def others(zone: str) -> tuple[str, ...]:
        return (*said(zone), *((f"{more}; {YOURS}",) if moved else ()))

    if of_backup:
        hand.tell("restored from a backup", told, others=others, forms=True)
        return
    action = f"OUTAGE {iso(outage.since)} to {iso(outage.until)}{outage.what and f' of the {outage.what}'}"
    hand.log(action)
    after = "my clock was wrong" if outage.what == "clock" else "an outage"
    hand.tell(f"deadlines moved after {after}", told, others=others)


def _of_backup(office: Office, turn: int, outage: Outage, zone: str) -> tuple[str, ...]:
    mailbox = _FOUND if office.restores and office.restores[-1].mailbox else ""
    return tuple(text.format(since=stamp(outage.since, zone), turn=turn, mailbox=mailbox) for text in _BACKUP)
