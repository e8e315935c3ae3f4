"""A match moves out to another house, with all that goes with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec
from msgspec.structs import replace

from referee.core.record import Entry
from referee.mail import spelt
from referee.service.base import notes
from referee.service.base.note_values import Elsewhere, Program, Wishes
from referee.service.base.office import At, Office
from referee.service.base.ports import Alarm, MatchRow, Member, Player, Report, Step
from referee.service.match.members import unlisted_matches
from referee.service.match.playing import Playing, remember
from referee.service.match.result import Denial, Told, need
from referee.service.match.slot_life import OF_SLOTS, Happening
from referee.service.match.suspension import stop_clock
from referee.service.post.delivery import waiting
from referee.service.turn.advance import release
from referee.service.turn.knowledge import MOVED
from referee.service.turn.mended_rules import ready
from referee.service.turn.writer import Hand

# A match leaves this house for another one, with all its proofs; from then on nothing of it is done here.


FORM = 1
"""The form of what is carried. It is raised when an older program could not take in what this one carries out."""

KEEPER = "the keeper"


class Person(msgspec.Struct, frozen=True):
    """Somebody as a house knows him, by the address he is written to, with what he wished of all his letters.

    His `key` was carried too before; it is not heeded.
    """

    player: Player
    wishes: Wishes | None = None
    reminders: tuple[float, ...] | None = None
    key: str | None = None
    dummy: bool = False


class Carried(msgspec.Struct, frozen=True):
    """A match as it leaves a house, with all that goes with it, its secrets too, for the house of the address `to`."""

    house: str
    to: str
    at: datetime
    program: Program
    row: MatchRow
    entries: tuple[Entry, ...]
    reports: tuple[Report, ...]
    people: tuple[Person, ...]
    members: tuple[Member, ...]
    alarms: tuple[Alarm, ...]
    notes: dict[str, dict[str, str]]
    listed: bool = True
    form: int = FORM


def carry_out(office: Office, match: str, to: str, program: Program, lay_down: Callable[[Carried], None]) -> Told:
    """End a match here, for it goes on at another referee's address; everybody is told. The parcel is laid down first.

    One that has moved already is laid down once more as it was, for a file may be lost.
    """
    with office.step() as at:
        row = at.step.match(match)
        gone = notes.MOVED.of(match).read(at.step) if row is not None and row.status == MOVED else None
        if row is not None and gone is not None:
            lay_down(_carried(at, row, program, gone))
            return (f"{match} has moved already; it is laid down once more as it was then, for {gone.to}.",)
        if row is None or at.step.last_entry(match) is None:
            raise Denial(f"I know no match {match} that has begun.")
        playing = ready(at, row)
        _need_movable(office, playing, to)
        now, status = office.clock.now(), row.status
        gone = Elsewhere(to, now, status, tuple(alarm for alarm in at.step.alarms(match) if alarm.kind not in OF_SLOTS))
        stop_clock(at.step, row, now, Happening.PAUSED)
        hand = Hand(at.office, at.step, playing, by=KEEPER)
        hand.save(status=MOVED)
        hand.log(f"MOVED to {to}")
        notes.MOVED.of(match).keep(at.step, gone)
        hand.tell("this match moves to another referee", _going(match, to))
        waits = {key: due for key, due in waiting(at.step).items() if not key.startswith(f"{match}|")}
        notes.DAILY_LETTERS.of().keep(at.step, waits or None)
        release(at.step, match)
        notes.lay_anew(at.step, match)
        lay_down(_carried(at, row, program, gone))
    remember(hand.playing)
    return (f"{match} is played here no more. It goes on once {to} has taken it in.",)


def _need_movable(office: Office, playing: Playing, to: str) -> None:
    """Raises Denial where a match cannot leave."""
    name, status = playing.row.name, playing.row.status
    another = spelt(to) not in (None, office.address.lower())
    need(another, f"{to} is no address of another referee; write one such as referee@club.example.")
    need(status != "over", f"{name} is over; its archive can be laid anywhere.")
    goes = not playing.fault and status in ("running", "paused")
    need(goes, f"{name} stands still ({status}); it can move when it goes on, or is paused.")


def _going(match: str, to: str) -> Sequence[str]:
    return (
        f"{match} goes on at another referee, {to}, who writes to you when it has been taken in there. Reply to that letter: "
        "nothing that you write to me about it is done any more.",
        "All that was played, and your orders on file, go along. The clock stands still meanwhile, and everybody keeps the "
        "time he had left.",
    )


def _carried(at: At, row: MatchRow, program: Program, gone: Elsewhere) -> Carried:
    match, members = row.name, tuple(at.step.members(row.name))
    numbers = sorted({member.player for member in members})
    players = [player for number in numbers if (player := at.step.player(number))]
    return Carried(
        house=at.office.address,
        to=gone.to,
        at=gone.at,
        program=program,
        row=replace(row, status=gone.status),
        entries=tuple(at.step.entries(match)),
        reports=tuple(at.step.reports(match)),
        people=tuple(_person(at.step, player) for player in players),
        members=members,
        alarms=gone.alarms,
        notes=notes.carried(at.step, match),
        listed=match not in unlisted_matches(at.step),
    )


def _person(step: Step, player: Player) -> Person:
    return Person(
        replace(player, addresses=player.addresses[:1]),
        notes.WISHES.of(player.id).read(step),
        notes.REMINDERS.of(player.id).read(step),
        dummy=player.id == notes.DUMMY_PLAYER.of().read(step),
    )
