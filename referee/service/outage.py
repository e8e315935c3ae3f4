"""Downtime of the service: it is measured by a heartbeat, and every deadline that was open meanwhile moves later by it."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

import msgspec

from referee.service.clocks import RUNNING, move, table_of
from referee.service.deadlines import shunt
from referee.service.office import Office
from referee.service.overrides import YOURS, log, notify
from referee.service.playing import Playing, load, remember
from referee.service.ports import Alarm, Conflict, Step
from referee.service.times import both_stamps, iso, length, stamp

__all__ = ["LEAST", "Outage", "beat"]

_log = logging.getLogger(__name__)

LEAST = timedelta(minutes=15)
"""A shorter silence is no outage: a restart costs nobody his turn."""

_EVERY = timedelta(minutes=1)


class Outage(msgspec.Struct, frozen=True):
    """The service was silent from its last beat until it was up again."""

    since: datetime
    until: datetime

    @property
    def span(self) -> timedelta:
        """How long it was."""
        return self.until - self.since


def beat(office: Office) -> bool:
    """Note that the service is alive, once a minute; after an outage first give every match its time back.

    To be called before anything is done that is due. The outage is written down in the transaction that measures it, and
    each match has its time back in one of its own, so a crash in the middle gives it neither twice nor never.
    Returns whether there was an outage.
    """
    now = office.clock.now()
    with office.store.look() as step:
        last, pending = _last(step), _pending(step)
    if pending is None and last is not None and timedelta() <= now - last < _EVERY:
        return False
    if pending is not None:
        _give_back(office, pending)
    with office.store.step() as step:
        step.put_note("", "", "heartbeat", iso(now))
        if last is None or now - last < LEAST:
            return pending is not None
        outage = Outage(last, now)
        step.put_note("", "", "outage", msgspec.json.encode(outage).decode())
    _give_back(office, outage)
    return True


def _last(step: Step) -> datetime | None:
    kept = step.note("", "", "heartbeat")
    return datetime.fromisoformat(kept) if kept else None


def _pending(step: Step) -> Outage | None:
    kept = step.note("", "", "outage")
    return msgspec.json.decode(kept, type=Outage) if kept else None


def _give_back(office: Office, outage: Outage) -> None:
    """Move the deadlines of every match, one transaction each; those that have it already are passed over."""
    with office.store.look() as step:
        names = [row.name for row in step.matches("running")]
    if all([_given_back(office, name, outage) for name in names]):
        with office.store.step() as step:
            step.put_note("", "", "outage", None)


def _given_back(office: Office, match: str, outage: Outage) -> bool:
    """Whether a match has its time back; False when another worker wrote to it first, and it is tried again."""
    try:
        changed = _of_match(office, match, outage)
    except Conflict:
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
    with office.store.step() as step:
        row, mark = step.match(match), iso(outage.since)
        if row is None or row.status != "running" or step.note(match, "", "outage") == mark:
            return None
        step.put_note(match, "", "outage", mark)
        playing = load(office, step, row)
        moved = _moved(step, playing, outage)
        return _tell(office, step, playing, outage, moved) if moved else None


def _moved(step: Step, playing: Playing, outage: Outage) -> list[tuple[Alarm, datetime]]:
    """Move what was to come when the service fell silent; what was due before that is done as it stands."""
    moved = []
    for alarm in step.alarms(playing.row.name):
        if alarm.due_at <= outage.since:
            continue
        if alarm.kind in RUNNING:
            due = table_of(playing, alarm.key).pushed(alarm.due_at + outage.span)
            move(step, playing, alarm, due, outage.until)
            moved.append((alarm, due))
        elif alarm.kind == "overdue":
            step.set_alarm(msgspec.structs.replace(alarm, due_at=alarm.due_at + outage.span))
    return moved


def _tell(office: Office, step: Step, playing: Playing, outage: Outage, moved: list[tuple[Alarm, datetime]]) -> Playing:
    """One letter to everybody about all of it."""
    lost = length(outage.span)

    def first(zone: str) -> str:
        return f"I was out of order from {stamp(outage.since, zone)} to {stamp(outage.until, zone)}: {lost}."

    def told(zone: str) -> tuple[str, ...]:
        times = (
            f"{a.seat} now has until {both_stamps(due, zone)}; it was {stamp(a.due_at, zone)}." for a, due in moved
        )
        return (first(zone), "Everybody who had a deadline has that much more time.", *times)

    def others(zone: str) -> tuple[str, ...]:
        return (first(zone), f"Everybody who had a deadline has that much more time; {YOURS}")

    playing = log(office, step, playing, f"OUTAGE {iso(outage.since)} to {iso(outage.until)}", "the clock", "")
    notify(office, step, playing, "deadlines moved after an outage", told, "the clock", others=others)
    return playing
