"""Turns: running a match on as far as it goes, as a table of steps, and closing the order sheets of a slot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.event import Event
from referee.core.question import Question
from referee.core.record import Filed, Record
from referee.core.stage import Ended
from referee.service.clock.clocks import late_by, set_alarms, slot_of
from referee.service.clock.slot_life import BY_HIMSELF, Happening, State, row_of, state_when
from referee.service.clock.suspending import Suspension, suspend
from referee.service.match.drafts import closing, filed_ahead
from referee.service.match.dummies import VACANT, dummy_answers, vacant_seats
from referee.service.match.hand import BareHand
from referee.service.match.playing import Playing
from referee.service.outgoing.announcing import announce, tell_suspension
from referee.service.outgoing.asking import ask
from referee.service.turns.awaiting import going_on, wait_for_dice
from referee.service.turns.farewell import farewell
from referee.service.turns.publishing import publish
from referee.service.way import WayStep, way_step


class Running(msgspec.Struct, frozen=True):
    """A match on its way from records to letters: the hand on it, as it was at the start, and what has come of the run by now.

    `asked` are the questions that were put by letter before. `late` are those that were closed for their player, with the full
    periods they were late, `by` is who ended them. `mails`: the reports go out, and are not only archived.
    """

    hand: BareHand
    start: Playing
    inputs: Sequence[Record]
    cause: str
    mails: bool
    asked: set[str]
    late: Mapping[str, int]
    by: str
    ended: tuple[Ended[Any], ...] = ()
    ahead: Sequence[Filed] = ()
    pushed: Suspension | None = None

    @property
    def news(self) -> Sequence[Event]:
        """What has happened in it."""
        return self.hand.playing.news[len(self.start.news) :]


class Fact(Enum):
    """What is known of a match that runs on when it has passed a step."""

    PLAYED = "what the records bring about is played"
    CLOSED = "no part is open of a slot that was closed for its player"
    AWAITED = "everything that is open waits for somebody"
    ADOPTED = "sheets filed ahead are on file for what is open"
    TIMED = "what falls due, and when"
    PUSHED = "what the events themselves move of that"
    REPORTED = "what has ended is reported"
    TOLD = "all else that happened is told"
    ASKED = "everybody knows what he owes"
    LEFT = "nothing is left to do"


# ---------------------------------------------------------------- the steps


def _played(so: Running) -> Running:
    """Records are taken into the log, and the rules run on as far as they go."""
    return replace(so, ended=tuple(so.hand.play(so.inputs, so.cause)))


def _closed(so: Running) -> Running:
    """A further part of a slot that was closed for its player is closed with it, at the word of the same person."""
    hand, late, ended = so.hand, so.late, so.ended
    while not hand.waits and (parts := _further_parts(hand.playing, late)):
        ended += tuple(hand.play([closing(hand.playing, q, True, days, by=so.by) for q, days in parts], so.cause))
        late = {question.key: days for question, days in parts}
    return replace(so, late=late, ended=ended)


def _unwaited_played(so: Running) -> Running:
    """What nobody is waited for is played at once: for dummies their bots, for who has resigned what is on file."""
    ended = so.ended
    for _ in range(_AT_ONCE):
        moves, why = ([], "") if so.hand.waits else _unwaited(so.hand, so.asked)
        if not moves:
            break
        ended += tuple(so.hand.play(moves, why))
    return replace(so, ended=ended)


def _adopted(so: Running) -> Running:
    """A sheet that was filed ahead is the draft for the question that has opened."""
    ahead = [] if so.hand.waits else filed_ahead(so.hand.playing, so.asked)
    if ahead:
        so.hand.play(ahead, "sheets filed ahead")
    return replace(so, ahead=ahead)


def _timed(so: Running) -> Running:
    """New slots get their deadlines, and a complete sheet its delay; while dice are waited for the clock stands, and what is known
    of the run is kept."""
    if so.hand.waits:
        wait_for_dice(so.hand, going_on(so.late, so.by, sorted(so.asked), so.cause))
    else:
        _keep_row(so.hand)
        set_alarms(so.hand, {record.drawer.partition(":")[2] for record in so.ahead if record.sheet})
    return so


def _pushed(so: Running) -> Running:
    """Events that suspend the play move all deadlines."""
    return replace(so, pushed=suspend(so.hand, so.news))


def _reported(so: Running) -> Running:
    """Where a phase has ended the reply addresses of its turn die, and the reports are archived and go out."""
    if so.ended:
        so.hand.step.retire_tokens(so.hand.match, so.hand.playing.turn)
        publish(so.hand, so.start, so.ended, so.mails)
    return so


def _news_told(so: Running) -> Running:
    """Everybody is told of deadlines that were moved, and of what happened where no report carries it."""
    if so.pushed:
        tell_suspension(so.hand, so.pushed)
    if not so.ended:
        announce(so.hand, so.news)
    return so


def _asked(so: Running) -> Running:
    """Who owes something new is asked for it, unless his report asks him."""
    if not so.hand.waits:
        ask(so.hand, so.asked, told_already={*so.hand.playing.created.seats} if so.ended else set())
    return so


def _farewell(so: Running) -> Running:
    """A match that is over takes its leave."""
    if so.hand.playing.outcome.over and so.ended:
        farewell(so.hand)
    return so


F = Fact
STEPS: tuple[WayStep[Running, Running], ...] = (
    way_step("the records", _played, finds=F.PLAYED,
             why="first: all that follows is of what they bring about"),
    way_step("further parts", _closed, F.PLAYED, finds=F.CLOSED,
             why="before others are played: a part that opens only by what is played for them is open for its player"),
    way_step("what waits for nobody", _unwaited_played, F.CLOSED, finds=F.AWAITED,
             why="before sheets are adopted: who is not waited for has his played from the drawer"),
    way_step("sheets filed ahead", _adopted, F.AWAITED, finds=F.ADOPTED,
             why="for the questions that stay open, and before their time is set: a complete sheet begins its delay"),
    way_step("the clock", _timed, F.ADOPTED, finds=F.TIMED,
             why="before any letter, for each tells its reader his deadline"),
    way_step("a suspension", _pushed, F.TIMED, finds=F.PUSHED,
             why="after new deadlines, which it moves as well, and before they are told"),
    way_step("the reports", _reported, F.PUSHED, finds=F.REPORTED,
             why="before every other letter: new reply addresses are given out only when the old ones are dead"),
    way_step("the news", _news_told, F.PUSHED, F.REPORTED, finds=F.TOLD,
             why="after the report of what led to it"),
    way_step("the questions", _asked, F.REPORTED, F.TOLD, finds=F.ASKED,
             why="after what happened, which they are about"),
    way_step("the farewell", _farewell, F.REPORTED, F.ASKED, finds=F.LEFT,
             why="the last letter of a match"),
)  # fmt: skip
"""In this order. What a step needs, one before it has done; each finds something of its own, so that none can be left out."""


def run(
    hand: BareHand,
    inputs: Sequence[Record],
    cause: str,
    mails: bool = True,
    at_deadline: Mapping[str, int] | None = None,
    by: str = "",
    asked: set[str] | None = None,
) -> Sequence[Ended[Any]]:
    """Take records, run on and write letters; the phases that ended. One transaction's worth.

    `mails` False archives the reports of ended phases and leaves it to the caller to write to everybody. A slot whose
    question (`at_deadline`, with the full periods it was late) was closed for its player and goes on with a further
    part is closed with it, at the word of the same person (`by`). `asked` are the questions already put by letter, where
    those are others than stand open before the run.
    """
    before = {question.key for question in hand.playing.outcome.open} if asked is None else asked
    so = Running(hand, hand.playing, inputs, cause, mails, before, dict(at_deadline or {}), by)
    for step in STEPS:
        so = step.does(so)
    return so.ended


_AT_ONCE = 200
"""Answers for which nobody is waited, in a row; a match that goes on among such seats alone goes on at deadlines then."""


def _unwaited(hand: BareHand, before: set[str]) -> tuple[list[Record], str]:
    """What is played at once, and why: for dummies their bots, for who has resigned what is on file, as at a deadline."""
    if moves := dummy_answers(hand.step, hand.playing):
        return list(moves), "a dummy"
    vacant = vacant_seats(hand)
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
