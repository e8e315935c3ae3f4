"""Whether all is well with the service, in figures and sentences that name no player, no address and no match.

The figures come out of the store, so that any program can ask, whether the service runs or not; what only the running service
knows, its parts and the machine, is handed in.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import msgspec

from referee.kit.wording import counted, in_number
from referee.service.base import notes
from referee.service.base.ports import Step, Tally
from referee.service.base.times import length
from referee.service.match.suspension import deadlines_wait_since, last_beat, losses


class Part(msgspec.Struct, frozen=True):
    """A part of the running service: whether it runs, and how many seconds ago it last looked for work.

    `idle` is None for what waits to be called. `memory` is that of its process in bytes, 0 for a part that has none of its own.
    """

    name: str
    runs: bool = True
    idle: float | None = None
    memory: int = 0


class Around(msgspec.Struct, frozen=True):
    """The machine's figures: free bytes of the disk and how many are to stay free; letters that lie in the mailbag, and when
    the oldest came; the parts of the service, where it asks itself; whether it found its database damaged; how many letters
    of the mailbag it does not take.
    """

    free: int
    reserve: int = 0
    in_bag: int = 0
    first_in_bag: datetime | None = None
    parts: tuple[Part, ...] = ()
    damaged: bool = False
    aside: int = 0


class Health(msgspec.Struct, frozen=True):
    """The faults, a sentence each, and the figures; spans in seconds, None where there is nothing to measure.

    `letters_waiting` are new ones; `clock_leap` is by how much the clock leapt, ahead or back, within the last day; `desk_idle`
    is how long ago the desk that keeps house was last alive, `late` how late the oldest of the `overdue` alarms is,
    `out_of_reach` how long a mail server of ours has not been reached.
    """

    at: datetime
    wrong: tuple[str, ...]
    letters_in: dict[str, int]
    letters_waiting: int
    oldest_in: float | None
    letters_out: dict[str, dict[str, int]]
    oldest_out: float | None
    tried_in_vain: int
    overdue: int
    late: float
    matches: dict[str, int]
    desk_idle: float | None
    out_of_reach: dict[str, float]
    clock_leap: float | None
    disk_free: int
    disk_reserve: int
    backup: datetime | None
    parts: tuple[Part, ...]

    @property
    def well(self) -> bool:
        """Whether nothing is wrong."""
        return not self.wrong

    def out(self, status: str) -> dict[str, int]:
        """The letters out that have a status, by kind."""
        return {kind: found for kind, of in self.letters_out.items() if (found := of.get(status, 0))}


def as_data(found: Health) -> dict[str, Any]:
    """Health as programs are told it."""
    return {"well": found.well, **msgspec.structs.asdict(found)}


def health(now: datetime, step: Step, around: Around, patience: timedelta) -> Health:
    """How all is now. Work that is late by less than `patience` is not wrong yet."""
    tally, leap = step.tally(), notes.LEAP.of().read(step)
    if leap and leap.waits:
        now -= leap.by
    wait_since = deadlines_wait_since(step)
    overdue, first_due = step.overdue(now if wait_since is None else min(wait_since, now))
    beat, backed_up = last_beat(step), notes.BACKED_UP.of().read(step)
    lost = {kind: _ago(now, loss.since) for kind, loss in losses(step).items() if loss.until is None}
    came = min(filter(None, (tally.first_in, around.first_in_bag)), default=None)
    found = Health(
        now,
        (),
        tally.letters_in,
        tally.letters_in.get("new", 0) + around.in_bag,
        _ago(now, came) if came else None,
        tally.letters_out,
        _ago(now, tally.first_out) if tally.first_out else None,
        tally.failed,
        overdue,
        _ago(now, first_due) if first_due else 0.0,
        tally.matches,
        _ago(now, beat) if beat else None,
        lost,
        leap.by.total_seconds() if leap else None,
        around.free,
        around.reserve,
        backed_up.at if backed_up else None,
        around.parts,
    )
    fails = [
        f"The desk fails at its {duty}, for {length(now - failing.since)} now: the log says where."
        for duty, failing in (notes.FAILING.of().read(step) or {}).items()
    ]
    wrong = [
        *(f"{why}." for why in (notes.MISSING.of().read(step) or {}).values()),
        *([f"The clock leapt {leap.how} within the last day: {_WAITS if leap.waits else _KEEP}"] if leap else ()),
        *_of_parts(around, found, patience),
        *fails,
        *_of_work(found, tally, patience),
        *_of_machine(found, patience),
    ]
    return msgspec.structs.replace(found, wrong=tuple(wrong))


_KEEP = "keep it right by NTP, with chrony for instance."
_WAITS = f"nothing is done for some minutes, in which it may be put right; {_KEEP}"


def _ago(now: datetime, then: datetime) -> float:
    return round(max(0.0, (now - then).total_seconds()), 1)


def _long(seconds: float | None, patience: timedelta) -> str:
    """A span in words, "" where it is shorter than the patience or nothing was measured."""
    span = timedelta(seconds=seconds or 0)
    return length(span) if span > patience else ""


def _of_parts(around: Around, found: Health, patience: timedelta) -> Iterator[str]:
    if around.damaged:
        yield "The database is damaged: restore your last backup."
    if around.aside:
        lie = f"{counted(around.aside, 'letters')} {in_number(around.aside, 'lie')}"
        yield f"{lie} aside, which the database does not take: referee desk list names them, the log says why."
    for part in around.parts:
        if not part.runs:
            yield f"{_named(part)} does not run: start the service anew."
        elif said := _long(part.idle, patience):
            yield f"{_named(part)} has not looked for work for {said}: the log says what keeps it; start the service anew."
    if not around.parts and (said := _long(found.desk_idle, patience)):
        yield f"No desk has been at work for {said}: does referee serve run?"


def _named(part: Part) -> str:
    """At the beginning of a sentence; of the desks there may be several."""
    return part.name.capitalize() if part.name[-1].isdigit() else f"The {part.name}"


def _of_work(found: Health, tally: Tally, patience: timedelta) -> Iterator[str]:
    if said := _long(found.oldest_in, patience):
        waiting, verb = counted(found.letters_waiting, "letters"), in_number(found.letters_waiting, "wait")
        yield f"{waiting} came and {verb} for the desk, the oldest for {said}: referee desk list names them."
    if said := _long(_ago(found.at, tally.due_out) if tally.due_out else None, patience):
        yield f"Letters wait to be sent, one that was due {said} ago: referee doctor tries the way out."
    if said := _long(found.late, patience):
        verb = in_number(found.overdue, "ring")
        yield f"{counted(found.overdue, 'alarms')} of matches {verb} late, the first by {said}: the log says what keeps them."


def _of_machine(found: Health, patience: timedelta) -> Iterator[str]:
    for server, seconds in found.out_of_reach.items():
        if said := _long(seconds, patience):
            yield f"The {server} has not been reached for {said}: referee doctor says why."
    if found.disk_free < found.disk_reserve:
        free, reserve = found.disk_free // 2**20, found.disk_reserve // 2**20
        yield f"{free} MB are free on the disk, less than the {reserve} of [limits] reserve_mb, so letters are put off: make room."
