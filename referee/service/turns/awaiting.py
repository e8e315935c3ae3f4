"""A match waits for a round of the beacon: its log is sealed, its dice have not fallen, and its clock stands still."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from referee.core.record import Sealed
from referee.service.clock.delay import kept_clock
from referee.service.clock.slot_life import DICE, Happening
from referee.service.clock.standing_still import stop_clock
from referee.service.letters import Notice
from referee.service.match.hand import BareHand
from referee.service.match.members import everybody
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.ports import Alarm, MatchRow, Step
from referee.service.times import stamp

SEALED = "sealed"
"""The status of a match that waits for its dice."""

AGAIN_IN = timedelta(seconds=3)
"""So long after a look for a round comes the next."""

_AT_MOST = 60.0


class Underway(msgspec.Struct, frozen=True):
    """What a run was about when it was sealed, for when it goes on: see `turns.advance.run`.

    Of the `seats` slots ended at their deadline, by their keys: whether one is abandoned is looked at when the dice have
    fallen. The round was looked for during `waited` seconds, the last time at `looked`, in seconds since 1970.
    """

    asked: tuple[str, ...]
    at_deadline: dict[str, int]
    by: str
    cause: str
    seats: dict[str, str] = {}
    waited: float = 0
    looked: float = 0

    def looks(self, now: float) -> Underway:
        """With one more look; of a longer time without any, in which the service was down, a minute counts."""
        since = min(now - self.looked, _AT_MOST) if self.looked else 0
        return replace(self, waited=self.waited + max(since, 0), looked=now)


def wait_for_dice(hand: BareHand, underway: Underway) -> None:
    """Stop the clock, tell everybody head and round, and have the round looked for."""
    row, seal = hand.playing.row, hand.playing.outcome.sealed
    assert seal is not None and hand.office.randomness is not None
    beacon, due = hand.office.randomness.beacon, hand.office.randomness.beacon.time_of(seal.round)
    payload = _known_underway(hand.step, row) or _written(underway)
    if row.status != SEALED:
        stop_clock(hand.step, row, hand.now, Happening.SEALED)
        hand.save(status=SEALED, turn=hand.playing.turn, trouble="")
    for before in _looks_for(hand.step, row.name):
        hand.step.take_alarm(before)
    hand.step.set_alarm(Alarm(row.name, DICE, str(seal.round), due, payload=payload))
    beacon.seek(seal.round)
    _tell(hand, seal, due)


def _looks_for(step: Step, match: str) -> list[Alarm]:
    return [alarm for alarm in step.alarms(match) if alarm.kind == DICE]


def _known_underway(step: Step, row: MatchRow) -> str:
    """What was under way in a match that waited for its dice already when mended rules played its phase anew."""
    known = [alarm.payload for alarm in _looks_for(step, row.name)]
    known += [kept.payload for kept in kept_clock(step, row.name) if kept.kind == DICE]
    return next(iter(known), "")


def look_after_then(step: Step, match: str, seat: str, key: str) -> None:
    """A slot of a seat ended at its deadline, and its dice have not fallen: it is looked at then whether it is abandoned."""
    for alarm in _looks_for(step, match):
        before = underway(alarm)
        step.set_alarm(replace(alarm, payload=_written(replace(before, seats={**before.seats, key: seat}))))


def _written(underway: Underway) -> str:
    return msgspec.json.encode(underway).decode()


def look_again(step: Step, alarm: Alarm, round: int, so_far: Underway, now: datetime) -> None:
    """The round is not there yet: the next look for it comes soon."""
    step.set_alarm(replace(alarm, key=str(round), due_at=now + AGAIN_IN, payload=_written(so_far)))


def _tell(hand: BareHand, seal: Sealed, due: datetime) -> None:
    """The head by which the log was sealed, before its round is made."""
    assert hand.office.randomness is not None
    name, longest = hand.office.randomness.beacon.name, hand.office.randomness.longest
    phase = hand.playing.outcome.phase
    what = phase.title if phase else hand.match
    head = hand.playing.seals.keys[seal.number].head
    for member, player in everybody(hand.step, hand.match):
        when, at_most = stamp(due, player.zone), stamp(due + longest, player.zone)
        said = (
            f"All that was written for {what} is sealed: it stands in the log, and its hash is {head}.",
            f"Its dice come of that and of round {seal.round} of {name}, which is made at {when} and which nobody can know before.",
            f"You need do nothing: you hear what came of them, at {at_most} at the latest. Clocks stand still until then.",
        )
        letter = Notice(frame(hand, member, player), "The dice are about to fall", said, "", hand.office.name)
        mail = Mail("notice", f"the dice of {what} fall at {when}", letter, f"{seal.number}.sealed")
        post(hand, player, mail, About(hand.playing, member))


def underway(alarm: Alarm) -> Underway:
    """What the run was about that this alarm goes on with."""
    return msgspec.json.decode(alarm.payload, type=Underway)


def going_on(at_deadline: Mapping[str, int] | None, by: str, asked: Sequence[str], cause: str) -> Underway:
    """What is to be known of a run when it goes on."""
    return Underway(tuple(sorted(asked)), dict(at_deadline or {}), by, cause)
