"""The file of a match from another house is a stranger's: it is looked through before any of it counts.

Its log, dice and reports are verified elsewhere. What cannot be verified so must at least be of this match and its people, and of a
form that nothing stumbles over later.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import Any

import msgspec

from referee.core.game import Game
from referee.core.record import Created, Entry, kind_of
from referee.mail import spelt
from referee.service.base import notes
from referee.service.base.ports import Alarm
from referee.service.base.remembered import KeptAlarm, Proposal
from referee.service.base.settings import settings_of
from referee.service.house.forming import is_match_name
from referee.service.intake.retention import Carried
from referee.service.match.playing import codec_of
from referee.service.match.slot_life import OF_SLOTS, REMINDER, AlarmKind, question_of
from referee.service.post.wishes import can_be_wished
from referee.service.turn.knowledge import page_of, sheets_of

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
    """What keeps the head of a file from being read out and compared; "" for nothing."""
    if not is_match_name(carried.row.name):
        return "what it names is no name of a match"
    if not (spelt(carried.house) and spelt(carried.to)):
        return "what it names is no address of a referee"
    outside = (carried.at, carried.program, carried.row, carried.members, carried.alarms, carried.people)
    return next(_oddities(outside, _CONTROLS), "")


def misfits(game: Game[Any], carried: Carried) -> str:
    """What of a file is not of its match, or cannot be so, once its log is proved; "" for nothing."""
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
    """What was left of a slot's clock; it rings later, when nobody looks."""
    if kept.kind not in OF_SLOTS - {REMINDER} or kept.seat not in seats or not _GRACE.fullmatch(kept.payload):
        yield "its clock has what no slot bears"
    else:
        question_of(Alarm("", kept.kind, kept.key, _FIRST, kept.seat))  # raises for the key of none
    if kept.due:
        yield from _oddities(datetime.fromisoformat(kept.due), _CONTROLS)


def _oddities(value: Any, refused: re.Pattern[str]) -> Iterator[str]:
    """What nothing of ours writes, however deep: a time without a zone, a number or an age beyond all sense, a sign of control."""
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
