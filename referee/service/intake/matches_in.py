"""A match comes from another house, or comes back: looked through as a stranger's file, verified, and given its time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, chain, repeat
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from referee.core.game import Game
from referee.core.record import Created, Entry, Filed, Overrode, kind_of, word_of
from referee.mail import spelt
from referee.moments import is_zone
from referee.service.base import notes
from referee.service.base.match_settings import settings_of
from referee.service.base.note_values import KeptAlarm, Program, Proposal, newer
from referee.service.base.office import At, Office
from referee.service.base.ports import Alarm, Conflict, MatchRow, Player, Report, Step
from referee.service.base.times import length
from referee.service.house.forming import is_match_name
from referee.service.house.proofs import letters_agree
from referee.service.intake.matches_out import FORM, KEEPER, Carried, Person
from referee.service.match.audit import Audited, audit
from referee.service.match.bots import dummy_player
from referee.service.match.clocks import set_alarms
from referee.service.match.members import name_from, unlisted_matches
from referee.service.match.playing import Playing, StillSealed, Stuck, codec_of, remember
from referee.service.match.result import Told
from referee.service.match.slot_life import OF_SLOTS, REMINDER, AlarmKind, question_of
from referee.service.match.suspension import start_clock
from referee.service.post.delivery import can_be_wished, waiting
from referee.service.turn.advance import play_at_once
from referee.service.turn.knowledge import MOVED, page_of, sheets_of
from referee.service.turn.mended_rules import ready
from referee.service.turn.writer import Hand

# ---------------------------------------------------------------- customs
# The file of a match from another house is a stranger's: it is looked through before any of it counts.
#
# Its log, dice and reports are verified elsewhere. Values that cannot be verified so must at least be of this match and its people,
# and of a form that nothing stumbles over later.


_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ROLES = ("player", "gm", "observer")
_STATUSES = ("applied", "standby", "watching", "playing", "dummy", "replaced", "out", "left")
_SEATED = ("playing", "dummy")
_GRACE = re.compile(r"(?:\d{1,5}(?:\.\d{1,9})?(?: strict)?)?")
_LONGEST = 10_000
"""No length in a match's own clock is of so many hours, minutes or days."""
_LARGEST = 2**31 - 1
_FIRST, _LAST = datetime(2020, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


def misread(carried: Carried) -> str:
    """The fault that keeps the head of a file from being read out and compared; "" for none."""
    if not is_match_name(carried.row.name):
        return "its name for the match is no name of a match"
    if not (spelt(carried.house) and spelt(carried.to)):
        return "its address of a referee is no such address"
    outside = (carried.at, carried.program, carried.row, carried.members, carried.alarms, carried.people)
    return next(_oddities(outside, _CONTROLS), "")


def misfits(game: Game[Any], carried: Carried) -> str:
    """The part of a file that is not of its match, or cannot be so, once its log is proved; "" for none."""
    return next(_misfits(game, carried), "")


def _misfits(game: Game[Any], carried: Carried) -> Iterator[str]:
    name, row = carried.row.name, carried.row
    for what, rows in (
        ("entry of the log", carried.entries),
        ("report", carried.reports),
        ("member", carried.members),
        ("alarm", carried.alarms),
    ):
        yield from (f"one {what} is of the match {each.match!r}" for each in rows if each.match != name)
    created = codec_of(game).load(carried.entries[0].payload)
    assert isinstance(created, Created)  # the audit has seen it
    if (created.game, created.options) != (row.game, row.options):
        yield "its game or options are not those that its log begins with"
    if not set(created.seats) <= set(game.seat_names(row.options)):
        yield "its seats are none of its game"
    if row.status not in ("running", "paused"):
        yield f"a match that is {row.status!r} does not move"
    seats = ("", *created.seats)
    yield from _of_the_log(game, carried.entries)
    yield from _of_settings(row.settings)
    yield from _of_people(carried, seats)
    yield from _of_reports(carried, seats)
    yield from (
        "an alarm in it is none of a paused match" for alarm in carried.alarms if alarm.kind != AlarmKind.RESUME
    )
    yield from _of_notes(carried, seats)


def _of_the_log(game: Game[Any], entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        if entry.kind != kind_of(codec_of(game).load(entry.payload)):
            yield f"entry {entry.seq} is of another kind than it says"
        yield from _oddities((datetime.fromisoformat(entry.at), entry.cause), _CONTROLS)


def _of_settings(stored: dict[str, Any]) -> Iterator[str]:
    settings = settings_of(stored)
    yield from settings.faults()
    lengths = [settings.slot_hours, settings.reply_hours, *settings.reminder_hours, settings.mind_minutes]
    lengths += [settings.absence_days, settings.bank_hours]
    lengths += [
        hours for table in (settings.slots, settings.replies) for hours in (table.least_hours, table.grace_hours)
    ]
    if min(settings.slot_hours, settings.reply_hours) <= 0 or not all(0 <= each < _LONGEST for each in lengths):
        yield "a length in its clock is none"


def _of_people(carried: Carried, seats: tuple[str, ...]) -> Iterator[str]:
    people = {person.player.id: person for person in carried.people}
    if len(people) < len(carried.people):
        yield "two people in it have one number"
    for person in carried.people:
        if not all(map(spelt, person.player.addresses[:1])):
            yield f"{person.player.addresses[0]!r} is no address"
        if not can_be_wished(person.wishes) or not all(0 < hours < _LONGEST for hours in person.reminders or ()):
            yield "a wish in it is none that can be had"
    for member in carried.members:
        who = people.get(member.player)
        if who is None or member.seat not in seats:
            yield "a member of it is nobody, or has a seat that there is not"
        elif member.role not in _ROLES or member.status not in _STATUSES or (who.dummy and member.role != "player"):
            yield "the part of a member is none"
    taken = Counter(member.seat for member in carried.members if member.status in _SEATED)
    if any(many > 1 or not seat for seat, many in taken.items()):
        yield "a seat in it has two players"


def _of_reports(carried: Carried, seats: tuple[str, ...]) -> Iterator[str]:
    if len({(each.turn, each.epoch, each.reader) for each in carried.reports}) < len(carried.reports):
        yield "two reports in it are of one turn and reader"
    courses = list(accumulate(entry.kind in ("rewound", "forwarded") for entry in carried.entries))
    for report in carried.reports:
        page_of(report), sheets_of(report)  # raise for what is none
        yield from _oddities((report.title, report.turn, report.epoch, report.at), _CONTROLS)
        if report.reader not in seats or not 0 <= report.seq < len(carried.entries):
            yield "a report in it is nobody's"
        elif (carried.entries[report.seq].hash, courses[report.seq]) != (report.head, report.epoch):
            yield "a report in it was made of another log"
        elif report.epoch == courses[-1] and report.turn >= carried.row.turn:
            yield "a report in it is of a turn that is not played yet"


def _of_notes(carried: Carried, seats: tuple[str, ...]) -> Iterator[str]:
    people = {str(person.player.id) for person in carried.people}
    known = {note.name: note for note in notes.travelling()}
    for name, each in carried.notes.items():
        if name not in known:
            yield f"{name!r} is no note of a match"
            return
        for under, text in each.items():
            if not notes.fits(known[name], under, seats, people):
                yield f"its note {name!r} is nobody's"
            value = known[name].decoded(text)
            yield from _oddities(value, re.compile("\0"))
            if known[name] is notes.PAUSED:
                yield from (wrong for kept in value for wrong in _of_kept(kept, seats))
            if isinstance(value, Proposal):
                yield from _oddities(datetime.fromisoformat(value.at), _CONTROLS)


def _of_kept(kept: KeptAlarm, seats: tuple[str, ...]) -> Iterator[str]:
    """The rest of a slot's clock; it rings later, when nobody looks."""
    if kept.kind not in OF_SLOTS - {REMINDER} or kept.seat not in seats or not _GRACE.fullmatch(kept.payload):
        yield "its clock has what no slot bears"
    else:
        question_of(Alarm("", kept.kind, kept.key, _FIRST, kept.seat))  # raises for the key of none
    if kept.due:
        yield from _oddities(datetime.fromisoformat(kept.due), _CONTROLS)


def _oddities(value: Any, refused: re.Pattern[str]) -> Iterator[str]:
    """Values that we never write, however deep: a time without a zone, a number or an age beyond all sense, a sign of control."""
    match value:
        case str():
            if refused.search(value):
                yield "a word in it has signs that no word has"
        case datetime():
            if value.tzinfo is None or not _FIRST < value < _LAST:
                yield "a time in it is none"
        case timedelta():
            if abs(value) > timedelta(hours=_LONGEST):
                yield "a length in it is none"
        case int() | float():
            if not abs(value) <= _LARGEST:
                yield "a number in it is beyond all sense"
        case msgspec.Struct():
            for field in value.__struct_fields__:
                yield from _oddities(getattr(value, field), refused)
        case dict():
            for each in value.items():
                yield from _oddities(each, refused)
        case tuple() | list():
            for each in value:
                yield from _oddities(each, refused)


# ---------------------------------------------------------------- a match comes, or comes back
# A match comes from another house, or comes back, once all that it brings is verified; then everybody has the time he had left.


_EVERY_TURN = 1_000_000_000
_BACK = "MOVED back"
"""The log's word on a match that its own house took back."""

_STUMBLES = (
    LookupError,
    ValueError,
    TypeError,
    ArithmeticError,
    AttributeError,
    AssertionError,
    RuntimeError,
    MemoryError,
    Conflict,
    Stuck,
    StillSealed,
)
"""The errors of a file whose parts do not fit together; those of a store that cannot work now are not among them."""


class NotTaken(Exception):
    """A match cannot be taken in. The message is one sentence; nothing was written."""


def take_in(office: Office, carried: Carried, program: Program, never_taken: bool = False) -> Told:
    """Take a match in, prove it, and let it go on with the time that everybody had left; everybody is told.

    A match that a house carried out itself it takes back only where it was `never_taken` in elsewhere. Raises NotTaken, and
    nothing is written, for what cannot be taken or is not sound.
    """
    try:
        playing, said = _taken_in(office, carried, program, never_taken)
    except _STUMBLES as problem:
        why = f"{type(problem).__name__}: {str(problem)[:100]!r}"
        raise NotTaken(f"The parts of the file do not fit together, so nothing of it was taken ({why}).") from problem
    remember(playing)
    return (
        f"{playing.row.name} was played again from its log and is sound. It goes on here; everybody is told.",
        *said,
    )


def _taken_in(office: Office, carried: Carried, program: Program, never_taken: bool) -> tuple[Playing, tuple[str, ...]]:
    match, audited = carried.row.name, _looked_at(office, carried, program)
    with office.step() as at:
        left = _left(at, carried)
        if _is_ours(office, carried) and not never_taken:
            raise NotTaken(
                f"This is the file that {match} left with, for {carried.to}: where that house has taken it in, it would be played "
                "in both from now on; ask its host first, and write --never-taken with this command if it never was."
            )
        if wrong := misfits(office.games[carried.row.game], carried):
            raise NotTaken(f"The file is not that of {match} alone, so nothing of it was taken: {wrong}.")
        _settle_in(at, carried, left, audited)
        row = at.step.match(match)
        assert row is not None
        found = letters_agree(at, row, audited)
        if not found.sound:
            raise NotTaken(f"{match} is not sound, and was not taken in: {found.trouble}.")
        playing = ready(at, row)
        if playing.fault or playing.outcome.over or playing.turn != row.turn:
            why = (
                playing.fault
                or f"its log stands at turn {playing.turn}, and is {'' if playing.outcome.over else 'not '}over"
            )
            raise NotTaken(f"{match} cannot go on here as the file has it: {why}.")
        hand = Hand(at.office, at.step, playing, by=KEEPER)
        _go_on(hand, carried, left)
        notes.lay_anew(at.step, match)
    said = f"Have {carried.to} delete its copy of the file: taken in there, {match} would be played in both houses."
    return hand.playing, (said,) if _is_ours(office, carried) else ()


def _is_ours(office: Office, carried: Carried) -> bool:
    """Whether this house carried it out."""
    return carried.house.lower() == office.address.lower()


def _looked_at(office: Office, carried: Carried, program: Program) -> Audited:
    """The log, played again. Raises NotTaken for what this program cannot read, this house does not play, or is not sound."""
    if wrong := misread(carried):
        raise NotTaken(f"The file is none that a referee wrote, so nothing of it was taken: {wrong}.")
    if carried.form > FORM:
        raise NotTaken(f"It is of form {carried.form}, which a newer referee made; this one knows form {FORM}.")
    if sentence := newer("The match", carried.program, program):
        raise NotTaken(sentence)
    if carried.row.game not in office.games:
        raise NotTaken(f"The game {carried.row.game} is not played here.")
    if office.address.lower() not in (carried.to.lower(), carried.house.lower()):
        raise NotTaken(f"It was carried out for {carried.to}, and this is {office.address}.")
    found = audit(office.games[carried.row.game], carried.row.secret, carried.entries)
    if not found.sound:
        raise NotTaken(f"{carried.row.name} is not sound, and was not taken in: {found.trouble}.")
    return found


class Left(NamedTuple):
    """A match as it left this house: its log then, none of one that was never here; `again`: it went on here since."""

    log: Sequence[Entry] = ()
    again: bool = False


def _left(at: At, carried: Carried) -> Left:
    """The part of the match that is here, for the one that comes to go on from.

    Raises NotTaken where the match did not leave, or what comes does not go on from there: it would undo what was played.
    Equal hashes are of one secret as well, which the digests in them are made with. Where this house took its own file back and
    nothing was played here since, the longer log wins.
    """
    match, known = carried.row.name, at.step.match(carried.row.name)
    if known is None:
        return Left()
    here = at.step.entries(match)
    log = here if known.status == MOVED else _before_it_came_back(at.office, known, here)
    goes_on = log is not None and all(a.hash == b.hash for a, b in zip(log, carried.entries, strict=False))
    if log is None or (known.status != MOVED and (len(carried.entries) <= len(log) or not goes_on)):
        raise NotTaken(f"A match {match} is played here already, and a match cannot be renamed.")
    if not goes_on:
        raise NotTaken(f"The log in the file does not go on from the one that {match} had when it left this house.")
    if len(carried.entries) < len(log):
        raise NotTaken(
            f"The file is of before {match} left this house the last time: take the one that was written since."
        )
    if any(entry.kind != word_of(Filed) for entry in here[len(log) + 1 :]):
        raise NotTaken(
            f"{match} was played on in both houses, here since it was taken back and at {carried.house} as well, so nothing was "
            "taken: agree with its host which of the two counts, and end the other with TERMINATE."
        )
    return Left(log, known.status != MOVED)


def _before_it_came_back(office: Office, row: MatchRow, here: Sequence[Entry]) -> Sequence[Entry] | None:
    """The log up to where the match left, if this house then took its own file back; None if it did not."""
    codec = codec_of(office.games[row.game])
    for index in range(len(here) - 1, 0, -1):
        record = codec.load(here[index].payload) if here[index].kind == word_of(Overrode) else None
        if isinstance(record, Overrode) and record.action.startswith("MOVED "):
            return here[:index] if record.action == _BACK else None
    return None


def _settle_in(at: At, carried: Carried, left: Left, audited: Audited) -> None:
    """All that is carried lies here, in place of what is left of the match; its clock does not run yet."""
    match, here = carried.row.name, {0: 0}
    for person in carried.people:
        here[person.player.id] = _known_here(at, person)
    if left.again:
        at.step.withdraw(match, len(left.log))
        at.step.clear_alarms(match)
        notes.WITNESSES.of(match).forget(at.step)  # who may have signed what is withdrawn
    named = [here[person.player.id] for person in carried.people if not person.dummy]
    if len(set(named)) < len(named):
        raise NotTaken(f"Two people of {match} are one here, since their addresses are known as one person's.")
    places = sorted(member.id for member in at.step.members(match))
    if len(places) > len(carried.members):
        raise NotTaken(f"The file names fewer people than {match} had when it left this house.")
    at.step.save_match(replace(carried.row, status="paused"))  # until its clock runs again
    for member, id in zip(carried.members, chain(places, repeat(0)), strict=False):
        at.step.save_member(replace(member, id=id, player=here[member.player]))
    at.step.append(carried.entries[len(left.log) :])
    kept, proved = {_name_of(report) for report in at.step.reports(match)}, _with_proved_maps(carried, audited)
    for report in carried.reports:
        if _name_of(report) not in kept:
            at.step.keep_report(report if report in proved else replace(report, chart=None))
    tenures = notes.TENURES.every(at.step, match)
    notes.MOVED.of(match).forget(at.step)
    notes.bring(at.step, match, carried.notes, lambda number: here.get(number, 0))
    _retire_addresses(at.step, carried, len(left.log), {seat: len(each) for seat, each in tenures.items()})
    unlisted = unlisted_matches(at.step) - {match} | (set() if carried.listed else {match})
    notes.UNLISTED.of().keep(at.step, tuple(sorted(unlisted)) or None)
    now = at.now
    due = {f"{match}|{under}": now for under in notes.NEWS.every(at.step, match)}
    if due:
        notes.DAILY_LETTERS.of().keep(at.step, {**waiting(at.step), **due})


def _with_proved_maps(carried: Carried, audited: Audited) -> Collection[Report]:
    """The public reports whose maps will be compared with what the rules here draw; of others nothing proves them."""
    turns = {course.turn for course in audited.courses if course.same and course.ended is not None}
    public = [report for report in carried.reports if not report.reader and report.turn in turns]
    return {report.turn: report for report in sorted(public, key=lambda report: report.epoch)}.values()


def _name_of(report: Report) -> tuple[int, int, str]:
    """The key that tells reports of a match apart."""
    return report.turn, report.epoch, report.reader


def _retire_addresses(step: Step, carried: Carried, since: int, tenures: Mapping[str, int]) -> None:
    """Reply addresses of before a match left are as good as if it had been here meanwhile.

    Turns played, rewound or handed on elsewhere have ended those that they would have ended here. `tenures` counts who had
    each seat before its player, as it was known here.
    """
    match = carried.row.name
    rewound = any(entry.kind in ("rewound", "forwarded") for entry in carried.entries[since:])
    step.retire_tokens(match, _EVERY_TURN if rewound else carried.row.turn)
    for seat, each in notes.TENURES.every(step, match).items():
        if len(each) > tenures.get(seat, 0):
            step.retire_tokens(match, _EVERY_TURN, seat)


def _known_here(at: At, person: Person) -> int:
    """The number somebody has here; the wishes of a newcomer go along with him.

    He is known by the one address he is written to: that two are one person's, and which key is his, he must say here himself.
    """
    if person.dummy:
        return dummy_player(at.step).id
    addresses = person.player.addresses[:1]
    if addresses and (known := at.step.player_at(addresses[0])):
        return known.id
    name = name_from(person.player.name, (*addresses, "somebody")[0])
    zone = person.player.zone if is_zone(person.player.zone) else at.office.zone
    new = at.step.save_player(Player(0, name, addresses, zone))
    notes.WISHES.of(new.id).keep(at.step, person.wishes)
    notes.REMINDERS.of(new.id).keep(at.step, person.reminders)
    return new.id


def _go_on(hand: Hand, carried: Carried, left: Left) -> None:
    """The clock runs again where it ran, and everybody hears from here."""
    paused, took = carried.row.status == "paused", max(hand.now - carried.at, timedelta(0))
    for alarm in carried.alarms:
        hand.step.set_alarm(replace(alarm, due_at=alarm.due_at + took))
    if not paused:
        start_clock(hand)
        hand.save(status="running")
    back = _is_ours(hand.office, carried)
    hand.log(_BACK if back else f"MOVED from {carried.house}")
    set_alarms(hand)
    away = length(max(took, timedelta(minutes=1)))
    undone = (
        f"It had gone on here meanwhile too, since I did not know that {carried.house} had taken it in. Nothing was played here; "
        "orders that you sent me in that time do not count, so send them again.",
    )

    def told(zone: str) -> Sequence[str]:
        from_where = (
            "has come back to me"
            if back
            else f"was mastered by {carried.house}, and has moved to me, {hand.office.address}"
        )
        clock = (
            "It is paused, as it was."
            if paused
            else f"The clock runs again: deadlines are later by the {away} it took."
        )
        return (
            f"{hand.match} {from_where}. From now on write to me: a reply to this letter reaches me.",
            *(undone if left.again else ()),
            "Every turn was verified from the log; your orders on file and your wishes are here. If you were not known "
            "here before, I know you by this address alone: SET key and SET address tell me more. A letter that waited for a YES "
            "of yours is not here: write it again.",
            clock,
        )

    hand.tell("the match has moved", told, forms=True)
    if not paused:
        play_at_once(hand, "the match has moved")
