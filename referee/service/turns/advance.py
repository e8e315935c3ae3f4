"""Turns: running a match on as far as it goes, and closing the order sheets of a slot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.core.question import Question
from referee.core.record import Record
from referee.core.stage import Ended
from referee.service.clock.clocks import late_by, set_alarms, slot_of
from referee.service.clock.slot_life import BY_HIMSELF, Happening, State, row_of, state_when
from referee.service.clock.suspending import suspend
from referee.service.match.drafts import closing, filed_ahead
from referee.service.match.dummies import VACANT, dummy_answers, vacant_seats
from referee.service.match.hand import BareHand
from referee.service.match.playing import Playing
from referee.service.outgoing.announcing import announce, tell_suspension
from referee.service.outgoing.asking import ask
from referee.service.turns.awaiting import going_on, wait_for_dice
from referee.service.turns.farewell import farewell
from referee.service.turns.publishing import publish


def run(
    hand: BareHand,
    inputs: Sequence[Record],
    cause: str,
    mails: bool = True,
    at_deadline: Mapping[str, int] | None = None,
    by: str = "",
    asked: set[str] | None = None,
) -> Sequence[Ended[Any]]:
    """Take records, run on, adopt sheets filed ahead, set alarms, write letters; the phases that ended. One transaction's worth.

    `mails` False archives the reports of ended phases and leaves it to the caller to write to everybody. A slot whose
    question (`at_deadline`, with the full periods it was late) was closed for its player and goes on with a further
    part is closed with it, at the word of the same person (`by`). `asked` are the questions already put by letter, where
    those are others than stand open before the run.
    """
    start = hand.playing
    before = {question.key for question in start.outcome.open} if asked is None else asked
    ended = [*hand.play(inputs, cause)]
    late = dict(at_deadline or {})
    while not hand.waits and (parts := _further_parts(hand.playing, late)):
        ended += hand.play([closing(hand.playing, q, True, days, by=by) for q, days in parts], cause)
        late = {question.key: days for question, days in parts}
    for _ in range(_AT_ONCE):
        moves, why = ([], "") if hand.waits else _unwaited(hand, before)
        if not moves:
            break
        ended += hand.play(moves, why)
    ahead = [] if hand.waits else filed_ahead(hand.playing, before)
    if ahead:
        hand.play(ahead, "sheets filed ahead")
    waits = hand.waits
    if waits:
        wait_for_dice(hand, going_on(late, by, sorted(before), cause))
    else:
        _keep_row(hand)
        set_alarms(hand, {record.drawer.partition(":")[2] for record in ahead if record.sheet})
    news = hand.playing.news[len(start.news) :]
    pushed = suspend(hand, news)
    if ended:
        hand.step.retire_tokens(hand.match, hand.playing.turn)
        publish(hand, start, ended, mails)
    if pushed:
        tell_suspension(hand, pushed)
    if not ended:
        announce(hand, news)
    if not waits:
        ask(hand, before, told_already={*hand.playing.created.seats} if ended else set())
    if hand.playing.outcome.over and ended:
        farewell(hand)
    return ended


_AT_ONCE = 200
"""Answers for which nobody is waited, in a row; a match that goes on among such seats alone goes on at deadlines then."""


def _unwaited(hand: BareHand, before: set[str]) -> tuple[list[Record], str]:
    """What is played at once, and why: for dummies their bots, for who has resigned what is on file, as at a deadline."""
    if moves := dummy_answers(hand.step, hand.playing):
        return list(moves), "a dummy"
    vacant = vacant_seats(hand.step, hand.playing)
    if not vacant:
        return [], ""
    ahead: list[Record] = [record for record in filed_ahead(hand.playing, before) if record.seat in vacant]
    asked = [question for question in hand.playing.outcome.open if question.seat in vacant]
    return ahead or [closing(hand.playing, question, True, 0, by=_REFEREE) for question in asked], VACANT


_REFEREE = "the referee"
"""By whom a slot is ended that nobody else ends."""


def play_at_once(hand: BareHand, cause: str) -> None:
    """Play what waits for nobody, such as after a pause."""
    if _unwaited(hand, set())[0]:
        run(hand, (), cause)


def _further_parts(playing: Playing, closed: Mapping[str, int]) -> list[tuple[Question[Any], int]]:
    """Open parts of slots of which a part has just been closed, and how late the slot was."""
    slots = {slot_of(key): days for key, days in closed.items()}
    questions = [q for q in playing.outcome.open if q.wants_orders and q.key not in closed]
    return [(q, slots[slot_of(q.key)]) for q in questions if slot_of(q.key) in slots]


def _keep_row(hand: BareHand) -> None:
    turn, status = hand.playing.turn, "over" if hand.playing.outcome.over else hand.status
    if (turn, status) != (hand.playing.row.turn, hand.status):
        hand.save(turn=turn, status=status)


def close(hand: BareHand, keys: Iterable[str], why: Happening, cause: str, by: str = "") -> None:
    """Close these questions as far as they are open, and run on; `by` names who ended a slot for its player.

    Unless its player ended it himself, what is on file is played for him. When the deadline itself rings, a sheet that the
    player filed in time is not late, and what is played for him is.
    """
    playing, alarms = hand.playing, hand.step.alarms(hand.match)
    asked = [question for question in playing.outcome.open if question.key in set(keys)]
    for question in asked:
        row_of(state_when(playing.row, alarms, question.key, why), why, State.CLOSED)
    for_him, rings = why not in BY_HIMSELF, why is Happening.DEADLINE_PASSED
    days = {question.key: late_by(alarms, question.key) for question in asked}
    answers = [closing(playing, q, for_him, days[q.key], rings, by) for q in asked]
    late = {key: full + rings for key, full in days.items()} if for_him else None
    run(hand, answers, cause, at_deadline=late, by=by)
