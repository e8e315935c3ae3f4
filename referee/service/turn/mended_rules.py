"""A phase that is open when the rules are mended goes on: it is played anew with what was given, and everybody is told."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any

import msgspec
from msgspec import DecodeError
from msgspec.json import Decoder

from referee.core.event import Event, PhaseBegan
from referee.core.game import Game
from referee.core.names import Reader, Role, Seat
from referee.core.question import Source
from referee.core.record import Answered, Happened, Record, Renewed, check_chain
from referee.core.stage import Ended, halted
from referee.kit.game import why_missing
from referee.service.base import notes
from referee.service.base.letter_facts import Notice
from referee.service.base.office import At, fault_kind
from referee.service.base.ports import Alarm, MatchRow
from referee.service.match.clocks import kept_clock
from referee.service.match.members import everybody
from referee.service.match.playing import (
    BareHand,
    Playing,
    codec_of,
    entry_after,
    load,
    open_phase,
    play_open_phase_anew,
    renew,
)
from referee.service.match.slot_life import OF_SLOTS, question_of
from referee.service.match.suspension import ask_anew
from referee.service.post.frames import form_for, frame, reads
from referee.service.post.post import About, Mail, post
from referee.service.turn.advance import halt, run

_log = logging.getLogger(__name__)
_SHOWN = 12
"""So many lines of a difference are told; the rest is counted."""

_CAUSE = "the rules were mended"


def ready(at: At, row: MatchRow) -> Playing:
    """The match as its log leaves it, its open phase played anew where other rules than these have begun it.

    Where these rules cannot play it, or have begun it themselves and give something else (then the log was changed, or they
    are not the same twice), it has a fault and stands still.
    """
    playing = load(at, row)
    at = At(replace(at.office, tray=None), at.step)  # letters of their own, whatever letter came
    if row.status == "over" or playing.outcome.over:
        return playing
    if not why_missing(playing.game) and _build_of(playing.tail) != playing.game.build:
        playing = _renewed(at, playing)
    if playing.fault and row.status == "running":
        return msgspec.structs.replace(playing, row=halt(at, row, playing.fault))
    return playing


def _build_of(tail: Sequence[Record]) -> str:
    """The fingerprint of the rules that began the phase under way."""
    began = _began(tail)
    return began.build if began else ""


def _began(tail: Sequence[Record]) -> PhaseBegan | None:
    for record in tail:
        if isinstance(record, Happened):
            with suppress(DecodeError):
                return _BEGAN.decode(record.event)
    return None


_BEGAN = Decoder(PhaseBegan)


def _renewed(at: At, playing: Playing) -> Playing:
    row, game = playing.row, playing.game
    at = At(replace(at.office, clock=_StandsStill(at.now)), at.step)  # so that both runs make the same seals
    try:
        check_chain(at.step.entries(row.name), row.secret)
        phase = open_phase(at.step, row, game)
        revision = game.revisions[-1].number if game.revisions else 0
        change = Renewed(phase.to, revision, game.build, game.version)
        entry = entry_after(at.office, row, phase.entries[-1], change, _CAUSE)
        anew = play_open_phase_anew(at.office, row, phase, entry)
    except Exception as problem:  # rules that break of themselves: the match stands still until they are mended
        _log.warning("%s cannot be played anew: %s", row.name, fault_kind(problem))
        why = playing.fault or f"{type(problem).__name__}: {problem}"
        return msgspec.structs.replace(playing, outcome=halted(game, playing.position, playing.tail, why))
    began, old = _began(phase.tail), tuple(_events(game, phase.tail))
    posed = notes.POSED.of(row.name).read(at.step) or {}
    otherwise = [q for q in anew.outcome.open if posed.get(q.key, reads(q)) != reads(q)]
    # The questions that were put by letter, and to which seat, also where the match stands still.
    kept = (Alarm(row.name, k.kind, k.key, row.created_at, k.seat) for k in kept_clock(at.step, row.name))
    waited = {question_of(a): a.seat for a in (*at.step.alarms(row.name), *kept) if a.kind in OF_SLOTS}
    hand = BareHand(at.office, at.step, renew(at, row, phase, entry))
    for question in otherwise:
        if question.key in waited:
            ask_anew(hand, question)
    asked = waited.keys() - {question.key for question in otherwise}
    ended = run(hand, anew.inputs, _CAUSE, asked=asked)
    still = {question.key for question in hand.playing.outcome.open}
    gone = {seat for key, seat in waited.items() if key not in still}
    put = {question.seat for question in hand.playing.outcome.open if question.key not in asked}
    seats = {question.seat for question in otherwise} | gone & put
    _tell(hand, ended, _Before(old, anew.left_out, seats, gone - put, began.revision if began else 0))
    return hand.playing


class _StandsStill:
    """A clock at a moment."""

    def __init__(self, moment: datetime) -> None:
        self._moment = moment

    def now(self) -> datetime:
        """Always the same."""
        return self._moment


def _events(game: Game[Any], records: Sequence[Record]) -> Iterator[Event]:
    """The events among records that these rules still know."""
    for record in records:
        if isinstance(record, Happened):
            try:
                yield codec_of(game).event(record.event)
            except DecodeError:
                continue


class _Before(msgspec.Struct, frozen=True):
    """A phase before it was played anew: its events, the answers that fit no longer, the seats asked otherwise or nothing now."""

    events: Sequence[Event]
    left: Sequence[Record]
    asked_otherwise: Collection[str]
    asked_no_more: Collection[str]
    revision: int


def _tell(hand: BareHand, ended: Sequence[Ended[Any]], before: _Before) -> None:
    """Write to everybody for whom something differs, and then to the game masters too; to nobody where all is as it was."""
    playing, old, left = hand.playing, before.events, before.left
    new = tuple(event for phase in ended for event in phase.events) + playing.outcome.events
    if not (left or before.asked_otherwise or before.asked_no_more) and _deeds(old) == _deeds(new):
        return
    still = {question.key for question in playing.outcome.open}
    for member, player in everybody(hand.step, hand.match):
        reader: Reader = Seat(member.seat) if member.seat else Role.OBSERVER
        found = tuple(_differences(_told(old, reader), _told(new, reader)))
        lost = _lost([r for r in left if isinstance(r, Answered) and r.seat == member.seat], still)
        if member.status == "playing":
            found += (_ASKED_OTHERWISE,) * (member.seat in before.asked_otherwise)
            found += (_ASKED_NO_MORE,) * (member.seat in before.asked_no_more)
        if not found and not lost and member.role != "gm":
            continue
        framed = frame(hand, member, player)
        form = form_for(hand.step, playing, member.seat) if member.status == "playing" and member.seat else None
        said = (*_why(playing, before.revision), *(found or ("Nothing that you were told differs.",)), *lost)
        letter = Notice(framed, "the rules were mended", said, "", "the referee", form)
        unique = f"{playing.head.seq}.renewed"
        post(hand, player, Mail("notice", "the rules were mended", letter, unique), About(playing, member))


def _why(playing: Playing, revision: int) -> tuple[str, ...]:
    changed = tuple(text for known in playing.game.revisions if known.number > revision for text in known.changed)
    return (
        f"A newer version of the referee runs now, {playing.game.version}. The open phase was played again from its "
        "beginning by its rules, with the same dice, sheets and answers; phases that were over before are untouched.",
        *changed,
    )


_ASKED_OTHERWISE = "Your question reads otherwise now; the letter that asks it is sent anew, with the full time."
_ASKED_NO_MORE = (
    "Your last question is not asked now, so you need not answer it; if it is asked later, a letter asks you anew."
)


def _lost(lost: Sequence[Answered], still: Collection[str]) -> tuple[str, ...]:
    """The fate of a seat's answers that fit no longer, where these questions are open."""
    said = []
    if any(answer.key in still for answer in lost):
        said.append("An answer of yours no longer fits its question, so you are asked again, with the full time.")
    if any(answer.key not in still and answer.source is Source.PLAYER for answer in lost):
        said.append("An answer of yours counts no more, for its question is not asked now.")
    return tuple(said)


def _deeds(events: Sequence[Event]) -> list[Event]:
    """The events, whichever rules began the phase."""
    return [event for event in events if not isinstance(event, PhaseBegan)]


def _told(events: Sequence[Event], reader: Reader) -> list[str]:
    """The lines that a reader was told, with the rule each cites."""
    shown = [seen for event in events if (seen := event.told_to(reader)) is not None]
    return [seen.cited() for seen in shown if seen.sentence()]


def _differences(old: list[str], new: list[str]) -> Iterator[str]:
    found = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            found += [f"No longer: {line}" for line in old[i:j]] + [f"Now: {line}" for line in new[k:m]]
    yield from found[:_SHOWN]
    if len(found) > _SHOWN:
        yield f"So do {len(found) - _SHOWN} lines more; SEND log brings all that counts now."
