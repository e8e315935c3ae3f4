"""Old letters and notes dropped in their time, and matches that moved away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from referee.core.record import Entry
from referee.mail import spelt
from referee.service.base import notes
from referee.service.base.note_values import Elsewhere, Program, Wishes
from referee.service.base.office import At, Limits, Office
from referee.service.base.ports import Alarm, MatchRow, Member, Player, Report, Spare, Step
from referee.service.base.times import iso
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

# ---------------------------------------------------------------- what is kept for how long
# Letters that did something, or came from somebody who showed who he is, are kept for ever; the rest for a while.
#
# A letter that was refused, ignored or only answered, and that showed by no token, key, trusted server or YES who wrote it,
# keeps its row, its verdict and the digest of its bytes; the bytes go after some days, or when all such letters become too
# large. Where the house wants it, letters of a match that is over lose what they say some days after its end, those to it and
# those from it.


_TOGETHER = 200


def drop_bytes(office: Office) -> int:
    """Drop what letters say that need not be kept longer, once an hour; of how many."""
    hour = office.clock.now().replace(minute=0, second=0, microsecond=0)
    with office.store.look() as step:
        if notes.BYTES_DROPPED.of().read(step) == hour:
            return 0
    dropped = _drop_spare(office) or _drop_of_ended(office)
    if not dropped:
        with office.store.step() as step:
            notes.BYTES_DROPPED.of().keep(step, hour)
    return dropped


def _drop_of_ended(office: Office) -> int:
    """Letters of matches that have been over for long; how many."""
    now, days = office.clock.now(), office.limits.letter_days
    if not days:
        return 0
    before = iso(now - timedelta(days=days))
    with office.store.step() as step:
        came, went = step.old_letters_in(before, _TOGETHER), step.old_letters_out(before, _TOGETHER)
        for letter in came:
            step.drop_bytes(
                letter.id, letter.digest, f"; its match is over, and its bytes were dropped on {now:%Y-%m-%d}"
            )
        step.drop_words(went)
    return len(came) + len(went)


def _drop_spare(office: Office) -> int:
    """Letters that did nothing; how many."""
    now = office.clock.now()
    with office.store.look() as step:
        spare = step.spare_letters()
    old = now - timedelta(days=office.limits.spare_days)
    too_many = [letter for letter, within in _within(office.limits, spare) if not within or letter.received_at < old]
    with office.store.step() as step:
        for letter in too_many[:_TOGETHER]:
            said = f"; its bytes were dropped on {now:%Y-%m-%d}, SHA-256 {letter.digest}"
            step.drop_bytes(letter.id, letter.digest, said)
            row = step.letter(letter.id)
            if row is not None and row.status == "shunted":  # nobody can do anything with it any more
                step.finish_letter(letter.id, "discarded", row.verdict, was="shunted")
    return len(too_many[:_TOGETHER])


def _within(limits: Limits, spare: Sequence[Spare]) -> Iterator[tuple[Spare, bool]]:
    """Each letter, the newest first, and whether it may be kept beside those that are newer; shared bytes count once."""
    size, known = 0, set[str]()
    for letter in spare:
        size += 0 if letter.digest in known else letter.size
        known.add(letter.digest)
        yield letter, size <= limits.spare_bytes


# ---------------------------------------------------------------- moving
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
        lay_down(_carried(at, row, program, gone))
    remember(hand.playing)
    office.ran(match)
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
