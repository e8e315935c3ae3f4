"""Turns: running a match on as far as it goes, and closing the order sheets of a slot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from referee.core.question import Question
from referee.core.record import Record
from referee.core.stage import Ended
from referee.service.clock.clocks import late_by, set_alarms, slot_of
from referee.service.clock.slot_life import BY_HIMSELF, Happening, State, row_of, state_when
from referee.service.clock.suspending import suspend
from referee.service.match.drafts import closing, filed_ahead
from referee.service.match.dummies import VACANT, dummy_answers, vacant_seats
from referee.service.match.playing import Playing, play_on
from referee.service.office import At, both
from referee.service.outgoing.announcing import announce, tell_suspension
from referee.service.outgoing.asking import ask
from referee.service.ports import Step
from referee.service.turns.awaiting import going_on, wait_for_dice
from referee.service.turns.farewell import farewell
from referee.service.turns.publishing import publish


@dataclass(frozen=True)
class Ran:
    """A match after a run, and the phases that ended in it."""

    playing: Playing
    ended: tuple[Ended[Any], ...]


@both
def run(
    at: At,
    playing: Playing,
    inputs: Sequence[Record],
    cause: str,
    mails: bool = True,
    at_deadline: Mapping[str, int] | None = None,
    by: str = "",
    asked: set[str] | None = None,
) -> Ran:
    """Take records, run on, adopt sheets filed ahead, set alarms, write letters. One transaction's worth.

    `mails` False archives the reports of ended phases and leaves it to the caller to write to everybody. A slot whose
    question (`at_deadline`, with the full periods it was late) was closed for its player and goes on with a further
    part is closed with it, at the word of the same person (`by`). `asked` are the questions already put by letter, where
    those are others than stand open before the run.
    """
    before = {question.key for question in playing.outcome.open} if asked is None else asked
    after = play_on(at, playing, inputs, cause)
    ended = list(after.outcome.ended)
    late = dict(at_deadline or {})
    while not after.outcome.sealed and (parts := _further_parts(after, late)):
        after = play_on(at, after, [closing(after, q, True, days, by=by) for q, days in parts], cause)
        late = {question.key: days for question, days in parts}
        ended += after.outcome.ended
    for _ in range(_AT_ONCE):
        moves, why = ([], "") if after.outcome.sealed else _unwaited(at.step, after, before)
        if not moves:
            break
        after = play_on(at, after, moves, why)
        ended += after.outcome.ended
    ahead = [] if after.outcome.sealed else filed_ahead(after, before)
    if ahead:
        after = play_on(at, after, ahead, "sheets filed ahead")
    waits = after.outcome.sealed is not None
    if waits:
        after = wait_for_dice(at, after, going_on(late, by, sorted(before), cause))
    else:
        after = _keep_row(at.step, after)
        set_alarms(at, after, {record.drawer.partition(":")[2] for record in ahead if record.sheet})
    news = after.news[len(playing.news) :]
    pushed = suspend(at, after, news)
    if ended:
        at.step.retire_tokens(after.row.name, after.turn)
        publish(at, playing, after, ended, mails)
    if pushed:
        tell_suspension(at, after, pushed)
    if not ended:
        announce(at, after, news)
    if not waits:
        ask(at, after, before, told_already={s for s in _seats(after)} if ended else set())
    if after.outcome.over and ended:
        farewell(at, after)
    return Ran(after, tuple(ended))


_AT_ONCE = 200
"""Answers for which nobody is waited, in a row; a match that goes on among such seats alone goes on at deadlines then."""


def _unwaited(step: Step, playing: Playing, before: set[str]) -> tuple[list[Record], str]:
    """What is played at once, and why: for dummies their bots, for who has resigned what is on file, as at a deadline."""
    if moves := dummy_answers(step, playing):
        return list(moves), "a dummy"
    vacant = vacant_seats(step, playing)
    if not vacant:
        return [], ""
    ahead: list[Record] = [record for record in filed_ahead(playing, before) if record.seat in vacant]
    asked = [question for question in playing.outcome.open if question.seat in vacant]
    return ahead or [closing(playing, question, True, 0, by=_REFEREE) for question in asked], VACANT


_REFEREE = "the referee"
"""By whom a slot is ended that nobody else ends."""


def plays_at_once(step: Step, playing: Playing) -> bool:
    """Whether something is to be played that waits for nobody, such as after a pause."""
    return bool(_unwaited(step, playing, set())[0])


def _further_parts(playing: Playing, closed: Mapping[str, int]) -> list[tuple[Question[Any], int]]:
    """Open parts of slots of which a part has just been closed, and how late the slot was."""
    slots = {slot_of(key): days for key, days in closed.items()}
    questions = [q for q in playing.outcome.open if q.wants_orders and q.key not in closed]
    return [(q, slots[slot_of(q.key)]) for q in questions if slot_of(q.key) in slots]


def _keep_row(step: Step, playing: Playing) -> Playing:
    status = "over" if playing.outcome.over else playing.row.status
    row = msgspec.structs.replace(playing.row, turn=playing.turn, status=status)
    if row == playing.row:
        return playing
    step.save_match(row)
    return msgspec.structs.replace(playing, row=row)


def _seats(playing: Playing) -> tuple[str, ...]:
    return tuple(playing.created.seats)


@both
def close(at: At, playing: Playing, keys: Iterable[str], why: Happening, cause: str, by: str = "") -> Ran:
    """Close these questions as far as they are open, and run on; `by` names who ended a slot for its player.

    Unless its player ended it himself, what is on file is played for him. When the deadline itself rings, a sheet that the
    player filed in time is not late, and what is played for him is.
    """
    alarms = at.step.alarms(playing.row.name)
    asked = [question for question in playing.outcome.open if question.key in set(keys)]
    for question in asked:
        row_of(state_when(playing.row, alarms, question.key, why), why, State.CLOSED)
    for_him, rings = why not in BY_HIMSELF, why is Happening.DEADLINE_PASSED
    days = {question.key: late_by(alarms, question.key) for question in asked}
    answers = [closing(playing, q, for_him, days[q.key], rings, by) for q in asked]
    late = {key: full + rings for key, full in days.items()} if for_him else None
    return run(at, playing, answers, cause, at_deadline=late, by=by)
