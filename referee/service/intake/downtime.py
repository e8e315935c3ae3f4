"""Time in which nobody could be heard: the service was down, its mailbox or relay away; what an upgrade means for open matches."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta

import msgspec

from referee.core.question import slot_of
from referee.kit.game import why_missing
from referee.service.base import notes
from referee.service.base.note_values import Leap, Loss, Outage
from referee.service.base.office import At, Office
from referee.service.base.ports import Alarm, Conflict, NotNow, Step
from referee.service.base.times import both_stamps, iso, length, stamp
from referee.service.intake.deadlines import shunt
from referee.service.match.clocks import from_on, move, opened_after, table_of, total, uncounted
from referee.service.match.members import YOURS
from referee.service.match.playing import Playing, Stuck, remember, restored
from referee.service.match.result import Denial
from referee.service.match.slot_life import OVERDUE, TOLD, Happening, question_of
from referee.service.match.suspension import (
    last_beat,
    losses,
    note_loss,
    pending_outage,
    put_pending,
    waits_for_clock,
)
from referee.service.post.refusals import report_lost_contact
from referee.service.turn.advance import HELD, release
from referee.service.turn.clock_overrides import resume_match
from referee.service.turn.knowledge import called
from referee.service.turn.mended_rules import ready
from referee.service.turn.writer import THE_CLOCK, Hand

# ---------------------------------------------------------------- an outage gives its time back
# Every deadline that was open meanwhile moves later by it, and everybody is told once.


_log = logging.getLogger(__name__)

_Moved = list[tuple[Alarm, datetime]]

_RUNNING, _ALL_BEGUN = ("running",), ("running", "paused", "sealed", "shunted")
"""The matches whose time an outage takes, and the people who hear of a restore."""


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
    "I lost what I knew, and was restored from a backup: I know this match as it was on {since}, at {turn}. My letters to "
    "you after that do not count, nor do dice of which they told; from here on they are thrown anew.",
    "Of your letters after that I know only those that I have answered, or answer from now on{mailbox}. If you want anything else "
    "done, write it again, in reply to this letter.",
)
_FOUND = ": letters that still lie in my mailbox I read again now"
_AND_LASTS = {
    "mailbox": "It still cannot be reached, and deadlines wait for it no longer: your letters are read when they can be.",
    "relay": "It still cannot be reached, and deadlines wait for it no longer: this letter went out when it could be.",
}
_MORE = "Everybody who had a deadline has that much more time"
_AS_LOST = "Everybody who had a deadline meanwhile has as much more time as he lost of it"


def _sentences(outage: Outage, zone: str) -> tuple[str, ...]:
    """The part that was out of reach, from when to when, and how much of it counts."""
    counted, whole = length(total(outage.counts)), length(outage.until - outage.since)
    lost = counted if counted == whole else f"{counted} of it, as the rest was given back before"
    said = _WHAT[outage.what].format(since=stamp(outage.since, zone), until=stamp(outage.until, zone), lost=lost)
    return (said, _AND_LASTS[outage.what]) if outage.lasts else (said,)


def _tell(hand: Hand, outage: Outage, moved: _Moved, more: str) -> None:
    """One letter to everybody about all of it."""
    of_backup = outage.what == "backup"
    turn = called(hand.step, hand.match, hand.playing.turn, hand.playing)

    def said(zone: str) -> tuple[str, ...]:
        return _of_backup(hand.office, turn, outage, zone) if of_backup else _sentences(outage, zone)

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


def _of_backup(office: Office, turn: str, outage: Outage, zone: str) -> tuple[str, ...]:
    mailbox = _FOUND if office.restores and office.restores[-1].mailbox else ""
    return tuple(text.format(since=stamp(outage.since, zone), turn=turn, mailbox=mailbox) for text in _BACKUP)


# ---------------------------------------------------------------- downtime is measured
# By a heartbeat that of the service, by what the post notes that of its mailbox and relay.
#
# A leap of the clock while the machine ran on is told apart from it: all waits some minutes whether the clock is put right.
#
# Time that several of them were away is given back once, and a deadline that falls into it waits until it is.


_EVERY = timedelta(minutes=1)
_PUT_RIGHT = timedelta(minutes=10)
"""A clock that leapt may be put right for so long, and all waits for it."""
_TOLD_FOR = timedelta(days=1)
_COUNTED = 50
"""So many stretches are kept that were given back: an older one can hardly overlap with what is measured now."""


def beat(office: Office) -> bool:
    """Note that the service is alive, once a minute; after an outage first give every match its time back.

    To be called before anything is done that is due, and before letters are taken out of the mailbag: only here does a
    deadline cease to wait for a mailbox. The outage is written down in the transaction that measures it. Returns whether
    there was an outage.
    """
    now = office.clock.now()
    with office.store.look() as step:
        last, pending, lost, waits = last_beat(step), pending_outage(step), losses(step), waits_for_clock(step)
    if pending is not None and not give_back(office, pending):
        return True
    gave = pending is not None
    if waits or last is None or not timedelta() <= now - last < _EVERY:
        gave |= _given(office, _silence(office, last, now))
    for kind, loss in lost.items():
        if loss.until is not None or _too_long(office, loss, now):
            gave |= _given(office, _settled(office, kind, now))
    return gave


def tell_of_restore(office: Office) -> bool:
    """After a restore, once: every match has its time back from the backup on, and everybody is told; whether there was one.

    To be called before `beat`, to which the time since the backup is then no outage of its own.
    """
    with office.store.look() as step:
        untold, pending = notes.RESTORED_UNTOLD.of().read(step), pending_outage(step)
    if not untold and (pending is None or pending.what != "backup"):
        return False
    if untold and office.restores:
        now, restored = office.clock.now(), office.restores[-1]
        pending = Outage(restored.made, max(restored.made, now), "backup")
        with office.step() as at:
            notes.RESTORED_UNTOLD.of().forget(at.step)
            _alive(at, now)
            given = notes.GIVEN_BACK.of().read(at.step) or []
            notes.GIVEN_BACK.of().keep(at.step, [*given, (pending.since, pending.until)][-_COUNTED:])
            put_pending(at.step, pending)
    return pending is not None and give_back(office, pending)


def leaps(office: Office) -> bool:
    """Whether all waits for the clock to be put right."""
    with office.store.look() as step:
        return waits_for_clock(step)


def is_measured(office: Office) -> bool:
    """Whether somebody keeps the heartbeat, and all matches have their time back: then others may handle what is due."""
    with office.store.look() as step:
        last, pending, waits = last_beat(step), pending_outage(step), waits_for_clock(step)
    return not waits and pending is None and last is not None and office.clock.now() - last < office.downtime.least


def _given(office: Office, outage: Outage | None) -> bool:
    if outage is not None:
        give_back(office, outage)
    return outage is not None


def _silence(office: Office, last: datetime | None, now: datetime) -> Outage | None:
    """The heartbeat, unless it waits for the clock; the outage if the last one is long ago, or the clock stays ahead."""
    with office.step() as at:
        before, ran, leap = notes.UPTIME.of().read(at.step), office.uptime(), notes.LEAP.of().read(at.step)
        what = ""
        if last and before and ran and ran.boot == before.boot and ran.seconds >= before.seconds:
            by = now - last - timedelta(seconds=ran.seconds - before.seconds)
            if abs(by) >= office.downtime.least:
                first = leap if leap and leap.waits else Leap(by, ran.seconds)
                if first is not leap:
                    until = f"it is put right, or has stayed so for {length(_PUT_RIGHT)}"
                    _log.warning("the clock of this machine leapt %s: nothing is done until %s", first.how, until)
                leap = Leap(by, first.at, waits=ran.seconds - first.at < _PUT_RIGHT.total_seconds())
                notes.LEAP.of().keep(at.step, leap)
                if leap.waits:
                    return None
                what = "clock"
            elif leap and (leap.waits or ran.seconds - leap.at >= _TOLD_FOR.total_seconds()):
                notes.LEAP.of().forget(at.step)
        else:
            notes.LEAP.of().forget(at.step)
        _alive(at, now)
        return _counted(at, Outage(last, now, what)) if last else None


def _alive(at: At, now: datetime) -> None:
    notes.HEARTBEAT.of().keep(at.step, now)
    notes.UPTIME.of().keep(at.step, at.office.uptime())


def _too_long(office: Office, loss: Loss, now: datetime) -> bool:
    return loss.given_up is None and now - loss.waits_from >= office.downtime.longest


def _settled(office: Office, kind: str, now: datetime) -> Outage | None:
    """A server is back, or is waited for no longer: what that counts as."""
    with office.step() as at:
        loss = losses(at.step).get(kind)
        if loss is None or (loss.until is None and not _too_long(office, loss, now)):
            return None
        lasts, end = loss.until is None, loss.until or now
        note_loss(at.step, kind, msgspec.structs.replace(loss, given_up=now) if lasts else None)
        if lasts:
            _log.error("%s is not reached since %s; deadlines wait no longer", loss.server, iso(loss.since))
            report_lost_contact(at, kind, loss)
        if loss.given_up is not None or end - loss.since < office.downtime.least:
            return None
        return _counted(at, Outage(loss.since, end, kind, lasts=lasts))


def _counted(at: At, outage: Outage) -> Outage | None:
    """The outage without what was given back already, noted as pending; None when too little of it is left."""
    # A stretch that ends after now was measured by a clock that ran ahead and was set back.
    known = [stretch for stretch in notes.GIVEN_BACK.of().read(at.step) or () if stretch[1] <= at.now]
    parts = uncounted((outage.since, outage.until), known)
    if total(parts) < at.office.downtime.least:
        return None
    given = sorted([*known, (outage.since, outage.until)], key=lambda stretch: stretch[1])[-_COUNTED:]
    notes.GIVEN_BACK.of().keep(at.step, given)
    outage = msgspec.structs.replace(outage, parts=parts)
    put_pending(at.step, outage)
    return outage


# ---------------------------------------------------------------- another program starts on what one before it left
# Each match is looked after at once, and what broke is tried again.


_BEFORE_THIS_PROGRAM = 1_000_000


def look_after_all(office: Office) -> int:
    """Once for each program that works here: how many matches were looked after.

    Open phases go on by the rules as they are, so that everybody hears at once what differs; matches that stood still for a
    fault go on where they can, with the letters that were kept for them; letters that broke the program before are tried again.
    """
    with office.store.look() as step:
        if not office.build or notes.BUILD.of().read(step) == office.build:
            return 0
        kept = {letter.match for letter in step.letters(HELD, limit=_BEFORE_THIS_PROGRAM)}
        begun = [row for row in step.matches() if row.status != "forming"]
        names = [
            row.name for row in begun if row.status in ("running", "paused", "sealed", "shunted") or row.name in kept
        ]
    for name in names:
        _look_after(office, name)
    with office.store.step() as step:
        for letter in step.letters("shunted", limit=_BEFORE_THIS_PROGRAM):
            step.finish_letter(letter.id, "new", f"tried again by another program: {letter.verdict}", was="shunted")
        notes.MISSING.of().keep(step, {name: why for name, game in office.games.items() if (why := why_missing(game))})
        notes.BUILD.of().keep(step, office.build)
    return len(names)


def _look_after(office: Office, match: str) -> None:
    try:
        with office.step() as at:
            playing = _gone_on(at, match)
    except NotNow:
        raise
    except Exception:  # of this match alone, and it stands as it stood: letters to it, and its deadlines, meet it again
        _log.exception("%s could not be looked after", match)
        return
    if playing is not None:
        remember(playing)
        office.ran(match)


def _gone_on(at: At, match: str) -> Playing | None:
    row = at.step.match(match)
    if row is None:
        return None
    playing = ready(at, row)
    if playing.fault:
        return None
    if row.status == "shunted":
        hand = Hand(at.office, at.step, playing, by=at.office.name, reason="a newer version of the referee runs")
        with suppress(Denial):
            resume_match(hand)
        return hand.playing
    release(at.step, match)
    return playing
