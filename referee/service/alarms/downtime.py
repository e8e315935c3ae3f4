"""Downtime is measured: by a heartbeat that of the service, by what the post notes that of its mailbox and relay.

What the clock leapt while the machine ran on is told apart from it: all waits some minutes whether the clock is put right.

Time that several of them were away is given back once, and a deadline that falls into it waits until it is.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

import msgspec

from referee.service import notes
from referee.service.alarms.outage import give_back
from referee.service.clock.contact import last_beat, losses, note_loss
from referee.service.clock.stretches import total, uncounted
from referee.service.clock.waiting import pending_outage, put_pending, waits_for_clock
from referee.service.office import At, Office
from referee.service.outgoing.alerts import report_lost_contact
from referee.service.remembered import Leap, Loss, Outage
from referee.service.times import iso, length

_log = logging.getLogger(__name__)

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
    # What ends after now was measured by a clock that ran ahead and was set back.
    known = [stretch for stretch in notes.GIVEN_BACK.of().read(at.step) or () if stretch[1] <= at.now]
    parts = uncounted((outage.since, outage.until), known)
    if total(parts) < at.office.downtime.least:
        return None
    given = sorted([*known, (outage.since, outage.until)], key=lambda stretch: stretch[1])[-_COUNTED:]
    notes.GIVEN_BACK.of().keep(at.step, given)
    outage = msgspec.structs.replace(outage, parts=parts)
    put_pending(at.step, outage)
    return outage
