"""The dice of a sealed match fall: its round was found, or was waited for long enough."""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from referee.core.record import Opened, Record, Sealed
from referee.service.clock.slot_life import DICE
from referee.service.clock.standing_still import go_on
from referee.service.match.playing import Playing, Stuck
from referee.service.office import At, Office
from referee.service.people.abandonment import look_after
from referee.service.ports import Alarm, MatchRow
from referee.service.turns.advance import run
from referee.service.turns.awaiting import Underway, look_after_then, look_again, underway
from referee.service.turns.halting import release
from referee.service.turns.renewing import ready

_AHEAD = timedelta(days=1)
"""Looks for rounds that lie further ahead than this are due when they are."""


def found_now(at: At, limit: int) -> list[Alarm]:
    """The looks for rounds that are due later, of which the round was found meanwhile."""
    if at.office.randomness is None:
        return []
    beacon, now = at.office.randomness.beacon, at.now
    later = (alarm for alarm in at.step.due_alarms(now + _AHEAD, limit, DICE) if alarm.due_at > now)
    return [alarm for alarm in later if beacon.found(int(alarm.key))]


def dice_fall(at: At, row: MatchRow, alarm: Alarm) -> Playing | None:
    """Open the seal by its round, or without it after the longest wait, and run on; else look again soon."""
    playing = ready(at, row)
    if playing.fault:
        raise Stuck(playing.fault)
    seal, now = playing.outcome.sealed, at.now
    opened: list[Record] = []
    before = underway(alarm).looks(now.timestamp())
    if seal is not None:
        record = _opened(at.office, seal, before)
        if record is None:
            look_again(at.step, alarm, seal.round, before, now)
            return None
        opened.append(record)
    return _fall(at, playing, opened, before)


def _fall(at: At, playing: Playing, opened: list[Record], before: Underway) -> Playing:
    """The clock goes on, letters that were held come back, and what was under way is run to its end."""
    go_on(at.step, playing, at.now)
    row = replace(playing.row, status="running")
    at.step.save_match(row)
    release(at.step, row.name)
    late, asked = before.at_deadline, set(before.asked)
    ran = run(at, replace(playing, row=row), opened, before.cause, at_deadline=late, by=before.by, asked=asked)
    after = ran.playing
    for key, seat in before.seats.items():
        if after.outcome.sealed:
            look_after_then(at.step, row.name, seat, key)
        else:
            after = look_after(at, after, seat, key)
    return after


def _opened(office: Office, seal: Sealed, so_far: Underway) -> Opened | None:
    """The round, or why there is none; None while it may still come."""
    number = seal.again or seal.number
    if office.randomness is None:
        return Opened(number, why="the beacon is set up no longer")
    beacon, longest = office.randomness.beacon, office.randomness.longest
    beacon.seek(seal.round)
    signature = beacon.found(seal.round)
    if signature is not None:
        return Opened(number, signature.hex())
    if not so_far.waited or timedelta(seconds=so_far.waited) < longest:
        return None
    minutes = longest.total_seconds() / 60
    return Opened(number, why=f"no relay of {beacon.name} brought round {seal.round} within {minutes:g} minutes")
