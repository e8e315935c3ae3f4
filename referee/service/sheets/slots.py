"""A slot is set going: ended at once by ROLL OUT, or left to the change-of-mind delay."""

from __future__ import annotations

from typing import Any

from referee.core.question import Question
from referee.service.clock.clocks import slot_of
from referee.service.clock.delay import start_delay, stop_delay
from referee.service.clock.slot_life import Happening, how_it_stands, until_when
from referee.service.match.drafts import draft_of, ends_slot
from referee.service.match.playing import Playing
from referee.service.outgoing.frames import debts
from referee.service.sheets.filing import orders_question
from referee.service.sheets.sure import asks_whether_sure, note_warned
from referee.service.sheets.visit import Visit
from referee.service.turns.advance import close


def set_going(visit: Visit) -> None:
    """Start, hold or skip the change-of-mind delay of the draft now on file."""
    question = orders_question(visit)
    key = question.key if question else ""
    running = visit.playing.row.status == "running"
    if question is None:
        if visit.roll_out:
            visit.deny("ROLL OUT", _why_no_roll_out(visit))
        return
    at_once = visit.roll_out or (visit.filed and _closes(visit.playing, question))
    if at_once and not running:
        visit.deny("ROLL OUT", _why_no_roll_out(visit))
    elif at_once:
        whole = visit.complete and not visit.passed_over
        if whole and not asks_whether_sure(visit, question):
            ran = close(visit.office, visit.step, visit.playing, (key,), Happening.ENDED, visit.cause)
            visit.playing, visit.ended = ran.playing, True
            visit.done += _how_far(ran.playing, key, visit.seat)
            return
        if not whole:
            visit.deny(
                "ROLL OUT",
                f"Some of your lines were {'passed over' if visit.complete else 'refused'}, so your turn waits for you: "
                "correct them, or send ROLL OUT alone.",
            )
    note_warned(visit, question)
    if visit.filed or at_once:
        has_draft = draft_of(visit.playing, question) is not None and not visit.sure
        if has_draft and visit.complete:
            start_delay(visit.step, visit.playing, key, visit.seat, visit.office.clock.now())
        else:
            stop_delay(visit.step, visit.playing, key)


def _closes(playing: Playing, question: Question[Any]) -> bool:
    """Whether the draft of a question ends with an order that runs it as soon as it is read."""
    draft = draft_of(playing, question) or ()
    return bool(draft) and ends_slot(playing, draft[-1])


def _how_far(playing: Playing, key: str, seat: str) -> tuple[str, ...]:
    """That the turn of an orders question waits for its writer, another's decision or sheet, or ran to its end."""
    phase = playing.outcome.phase
    if playing.outcome.sealed:
        return ("Your slot is ended. What comes of it follows when the dice have fallen.",)
    if phase is None or not key.startswith(f"{phase.key}/"):
        return ("Your slot is ended.",)
    if any(slot_of(question.key) == slot_of(key) for question in playing.outcome.open):
        return ("What you wrote is carried out and stands. Your slot goes on; its deadline is the same.",)
    if debts(playing, seat):
        return ("Your slot is ended.",)
    decisions = [question for question in playing.outcome.open if not question.wants_orders]
    waits = "somebody's decision" if decisions else "the other players' sheets"
    return (f"Your slot is ended. The report follows as soon as everything is settled; it waits for {waits}.",)


def _why_no_roll_out(visit: Visit) -> str:
    if stands := how_it_stands(visit.playing.row):
        return f"The match {stands}: no turn runs {until_when(visit.playing.row)}."
    if visit.playing.outcome.over or visit.playing.row.status == "over":
        return "The match is over."
    whose = f"{visit.seat}'s" if visit.seat else "your"
    return f"It is not {whose} turn, so there is no slot of yours to end."
