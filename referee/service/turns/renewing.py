"""A phase that is open when the rules are mended goes on: it is played anew with what was given, and everybody is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from importlib import metadata
from typing import Any

from msgspec import DecodeError

from referee.core.event import Event, PhaseBegan
from referee.core.game import Game
from referee.core.names import Reader, Role, Seat
from referee.core.position import Diverged
from referee.core.record import Answered, Happened, Record, Renewed
from referee.service.clock.clocks import slots_in
from referee.service.letters import Notice
from referee.service.match.members import everybody
from referee.service.match.playing import Playing, codec_of, load, open_phase, play_open_phase_anew, renew
from referee.service.office import Office
from referee.service.outgoing.forms import form_for
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.ports import MatchRow, Step
from referee.service.turns.advance import Ran, run

_SHOWN = 12
"""So many lines of a difference are told; the rest is counted."""

_CAUSE = "the rules were mended"


def ready(office: Office, step: Step, row: MatchRow) -> Playing:
    """The match as its log leaves it, its open phase played anew where mended rules no longer give what the log has.

    Raises Diverged where the log was written by these very rules: then it was changed, or they are not the same twice.
    """
    try:
        return load(office, step, row)
    except Diverged as problem:  # told in letters of their own, whatever letter brought it to light
        return _renewed(replace(office, tray=None), step, row, problem)


def _renewed(office: Office, step: Step, row: MatchRow, problem: Diverged) -> Playing:
    game = office.games[row.game]
    phase = open_phase(step, row, game)
    old = tuple(_events(game, phase.tail))
    began = next((event for event in old if isinstance(event, PhaseBegan)), None)
    if began is not None and began.build == game.build:
        raise problem
    anew = play_open_phase_anew(game, row, phase)
    revision = game.revisions[-1].number if game.revisions else 0
    change = Renewed(phase.to, revision, game.build, metadata.version("referee"))
    asked = slots_in(step.alarms(row.name))
    again = renew(office, step, row, phase, change, _CAUSE)
    ran = run(office, step, again, anew.inputs, _CAUSE, asked=asked)
    _tell(office, step, ran, old, anew.left_out, began.revision if began else 0)
    return ran.playing


def _events(game: Game[Any], records: Sequence[Record]) -> Iterator[Event]:
    """The events among records that these rules still know."""
    for record in records:
        if isinstance(record, Happened):
            try:
                yield codec_of(game).event(record.event)
            except DecodeError:
                continue


def _tell(office: Office, step: Step, ran: Ran, old: Sequence[Event], left: Sequence[Record], revision: int) -> None:
    """Write to everybody for whom something differs, and to the game masters in any case."""
    playing = ran.playing
    new = tuple(event for ended in ran.ended for event in ended.events) + playing.outcome.events
    for member, player in everybody(step, playing.row.name):
        reader: Reader = Seat(member.seat) if member.seat else Role.OBSERVER
        found = tuple(_differences(_told(old, reader), _told(new, reader)))
        lost = [r for r in left if isinstance(r, Answered) and r.seat == member.seat]
        if not found and not lost and member.role != "gm":
            continue
        framed = frame(office, step, playing, member, player)
        form = form_for(playing, member.seat) if member.status == "playing" and member.seat else None
        said = (*_why(playing, revision), *(found or ("Nothing that you were told differs.",)), *_lost(lost))
        letter = Notice(framed, "the rules were mended", said, "", "the referee", form)
        unique = f"{playing.head.seq}.renewed"
        post(office, step, player, Mail("notice", "the rules were mended", letter, unique), About(playing, member))


def _why(playing: Playing, revision: int) -> tuple[str, ...]:
    changed = tuple(text for known in playing.game.revisions if known.number > revision for text in known.changed)
    return (
        f"A newer version of the referee runs now, {metadata.version('referee')}. What was open was played again from its "
        "beginning by its rules, with the same dice, sheets and answers; what was over before is untouched.",
        *changed,
    )


def _lost(lost: Sequence[Answered]) -> tuple[str, ...]:
    if not lost:
        return ()
    return ("An answer of yours no longer fits what is asked, so you are asked again, with the full time.",)


def _told(events: Sequence[Event], reader: Reader) -> list[str]:
    """What a reader was told, a line each, with the rule it cites."""
    shown = [seen for event in events if (seen := event.told_to(reader)) is not None]
    return [f"{seen.sentence()} [{seen.cites()}]" for seen in shown if seen.sentence()]


def _differences(old: list[str], new: list[str]) -> Iterator[str]:
    found = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            found += [f"No longer: {line}" for line in old[i:j]] + [f"Now: {line}" for line in new[k:m]]
    yield from found[:_SHOWN]
    if len(found) > _SHOWN:
        yield f"So do {len(found) - _SHOWN} lines more; SEND log brings all that counts now."
