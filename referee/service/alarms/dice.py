"""The dice of a sealed match fall: its round was found, or was waited for long enough."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.record import Opened, Record
from referee.service.clock.standing_still import go_on
from referee.service.match.playing import Playing
from referee.service.office import Office
from referee.service.ports import Alarm, MatchRow, Step
from referee.service.turns.advance import run
from referee.service.turns.awaiting import AGAIN_IN, underway
from referee.service.turns.halting import halt, release
from referee.service.turns.renewing import ready


def dice_fall(office: Office, step: Step, row: MatchRow, alarm: Alarm) -> Playing | None:
    """Open the seal by its round, or without it after the longest wait, and run on; else look again soon."""
    playing = ready(office, step, row)
    seal = playing.outcome.sealed
    if playing.fault:
        halt(office, step, row, playing.fault)
        return None
    opened: list[Record] = []
    if seal is not None:
        record = _opened(office, seal.number, seal.round)
        if record is None:
            step.set_alarm(replace(alarm, due_at=office.clock.now() + AGAIN_IN))
            return None
        opened.append(record)
    before = underway(alarm)
    go_on(step, playing, office.clock.now())
    row = replace(playing.row, status="running")
    step.save_match(row)
    release(step, row.name)
    playing = replace(playing, row=row)
    return run(
        office,
        step,
        playing,
        opened,
        before.cause,
        at_deadline=before.at_deadline,
        by=before.by,
        asked=set(before.asked),
    ).playing


def _opened(office: Office, number: int, round: int) -> Opened | None:
    """The round, or why there is none; None while it may still come."""
    if office.randomness is None:
        return Opened(number, why="the beacon is set up no longer")
    beacon = office.randomness.beacon
    beacon.seek(round)
    signature = beacon.found(round)
    if signature is not None:
        return Opened(number, signature.hex())
    if office.clock.now() < beacon.time_of(round) + office.randomness.longest:
        return None
    minutes = office.randomness.longest.total_seconds() / 60
    return Opened(number, why=f"no relay of {beacon.name} brought round {round} within {minutes:g} minutes")
