"""A match waits for a round of the beacon: its log is sealed, its dice have not fallen, and its clock stands still."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from referee.core.record import Sealed
from referee.service.clock.slot_life import AlarmKind, Happening
from referee.service.clock.standing_still import stop_clock
from referee.service.letters import Notice
from referee.service.match.members import everybody
from referee.service.match.playing import Playing
from referee.service.office import Office
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.ports import Alarm, MatchRow, Step
from referee.service.times import stamp

SEALED = "sealed"
"""The status of a match that waits for its dice."""

AGAIN_IN = timedelta(seconds=3)
"""So long after a look for a round comes the next."""


class Underway(msgspec.Struct, frozen=True):
    """What a run was about when it was sealed, for when it goes on: see `turns.advance.run`."""

    asked: tuple[str, ...]
    at_deadline: dict[str, int]
    by: str
    cause: str


def wait_for_dice(office: Office, step: Step, playing: Playing, underway: Underway) -> Playing:
    """Stop the clock, tell everybody head and round, and have the round looked for; the match as it then is."""
    row, seal = playing.row, playing.outcome.sealed
    assert seal is not None and office.randomness is not None
    beacon, due = office.randomness.beacon, office.randomness.beacon.time_of(seal.round)
    if row.status != SEALED:
        stop_clock(step, row, office.clock.now(), Happening.SEALED)
        row = msgspec.structs.replace(row, status=SEALED, turn=playing.turn)
        step.save_match(row)
        alarm = Alarm(row.name, AlarmKind.DICE, "", due, payload=msgspec.json.encode(underway).decode())
        step.set_alarm(alarm)
    playing = msgspec.structs.replace(playing, row=row)
    beacon.seek(seal.round)
    _tell(office, step, playing, seal, due)
    return playing


def _tell(office: Office, step: Step, playing: Playing, seal: Sealed, due: datetime) -> None:
    """The head by which the log was sealed, before its round is made."""
    assert office.randomness is not None
    name, longest = office.randomness.beacon.name, office.randomness.longest
    phase = playing.outcome.phase
    what = phase.title if phase else playing.row.name
    head = playing.seals.keys[seal.number].head
    for member, player in everybody(step, playing.row.name):
        when, at_most = stamp(due, player.zone), stamp(due + longest, player.zone)
        said = (
            f"All that was written for {what} is sealed: it stands in the log, and its hash is {head}.",
            f"Its dice come of that and of round {seal.round} of {name}, which is made at {when} and which nobody can know before.",
            f"You need do nothing: the report follows, at {at_most} at the latest. Clocks stand still until then.",
        )
        letter = Notice(
            frame(office, step, playing, member, player), "The dice are about to fall", said, "", office.name
        )
        mail = Mail("notice", f"the dice of {what} fall at {when}", letter, f"{seal.number}.sealed")
        post(office, step, player, mail, About(playing, member))


def underway(alarm: Alarm) -> Underway:
    """What the run was about that this alarm goes on with."""
    return msgspec.json.decode(alarm.payload, type=Underway)


def is_sealed(row: MatchRow) -> bool:
    """Whether nothing can be taken until the dice of a match have fallen."""
    return row.status == SEALED


def going_on(at_deadline: Mapping[str, int] | None, by: str, asked: Sequence[str], cause: str) -> Underway:
    """What is to be known of a run when it goes on."""
    return Underway(tuple(sorted(asked)), dict(at_deadline or {}), by, cause)
