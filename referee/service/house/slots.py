"""What a letter does to the slot of its writer: its turn is run, held or starts its delay; what loses something waits for a YES."""

from __future__ import annotations

from typing import Any

from referee.core.names import Seat
from referee.core.question import Question
from referee.core.record import Given
from referee.core.record import Sheet as OrderSheet
from referee.mail import digest
from referee.service.base import notes
from referee.service.base.remembered import Corrections
from referee.service.house.choices import look_ahead
from referee.service.match.clocks import slot_of, start_delay, stop_delay
from referee.service.match.playing import Playing
from referee.service.match.result import NOTHING, Came, denied
from referee.service.match.sheets import debts, draft_of, ends_slot, how_it_stands, sheet_owed, until_when
from referee.service.match.slot_life import Happening
from referee.service.turn.hand import Hand

_RESIGNS = "RESIGN"


def set_going(hand: Hand, came: Came, missed: str) -> Came:
    """Start, hold or skip the change-of-mind delay of the draft now on file; `came`: what of the letter came before.

    `missed` says what keeps the letter from being done whole: lines were refused, or passed over; "" for nothing.
    """
    question = sheet_owed(hand.playing, hand.seat)
    if question is None:
        return denied("ROLL OUT", _why_no_roll_out(hand)) if came.rolls_out else NOTHING
    at_once = came.rolls_out or (came.filed and _closes(hand.playing, question))
    more = NOTHING
    if at_once and hand.status != "running":
        more = denied("ROLL OUT", _why_no_roll_out(hand))
    elif at_once and missed:
        more = denied(
            "ROLL OUT",
            f"Some of your lines were {missed}, so your turn waits for you: correct them, or send ROLL OUT alone.",
        )
    elif at_once:
        more = whether_sure(hand, question, came)
        if not more.sure:
            hand.close((question.key,), Happening.ENDED, hand.cause)
            return more + Came(_how_far(hand.playing, question.key, hand.seat), ended=True)
    came += more
    if came.grave:  # the receipt tells what would be lost: who then says ROLL OUT is sure
        notes.WARNED.of(hand.match, hand.seat).keep(hand.step, _now(hand, question))
    if came.filed or at_once:
        if draft_of(hand.playing, question) is not None and missed != "refused" and not came.sure:
            start_delay(hand, question.key, hand.seat, hand.now)
        else:
            stop_delay(hand, question.key)
    return more


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


def _why_no_roll_out(hand: Hand) -> str:
    if stands := how_it_stands(hand.playing.row):
        return f"The match {stands}: no turn runs {until_when(hand.playing.row)}."
    if hand.over:
        return "The match is over."
    whose = f"{hand.seat}'s" if hand.seat else "your"
    return f"It is not {whose} turn, so there is no slot of yours to end."


# ---------------------------------------------------------------- are you sure?


def whether_sure(hand: Hand, question: Question[Any], came: Came) -> Came:
    """That a slot is not ended yet, where its player has not been told what he would lose by the sheet as it stands."""
    if hand.writer.became or hand.letter is None or _goes_on(hand, question, came):
        return NOTHING
    if notes.WARNED.of(hand.match, hand.seat).read(hand.step) == _now(hand, question):
        return NOTHING
    ahead = NOTHING if came.filed else look_ahead(hand.playing, Seat(hand.seat), _played(hand, question))
    grave = came.grave if came.filed else ahead.grave
    return ahead + asked(hand, "ROLL OUT") if grave else ahead


def sure_of_resigning(hand: Hand) -> Came:
    """That a resignation waits: it is the end of a match for its player, and a slip of the pen is easily made."""
    warned = notes.WARNED.of(hand.match, hand.seat)
    if hand.writer.confirmed or hand.letter is None or warned.read(hand.step) == _RESIGNS:
        return NOTHING
    warned.keep(hand.step, _RESIGNS)
    told = f"RESIGN gives up {hand.seat} for good: another player, bots or nobody plays it from then on."
    return Came(doubts=(told,)) + asked(hand, hand.line)


def asked(hand: Hand, line: str) -> Came:
    """A line of the letter is done when its writer says YES."""
    slip = notes.CORRECTIONS.of(hand.match, hand.seat, hand.player.id)
    slip.keep(hand.step, Corrections(hand.playing.turn, line))
    return Came(sure=line)


def _played(hand: Hand, question: Question[Any]) -> OrderSheet:
    """What is played when the slot is ended: the draft, or else the standing orders."""
    draft = draft_of(hand.playing, question)
    return draft if draft is not None else hand.playing.outcome.drawers.get((Seat(hand.seat), "standing"), ())


def _goes_on(hand: Hand, question: Question[Any], came: Came) -> bool:
    """Whether what is on file is but a part of the slot: what it leaves undone may still be ordered."""
    last = (draft_of(hand.playing, question) or (None,))[-1]
    return isinstance(last, Given) and not came.rolls_out and hand.playing.codec.intent(last.intent).goes_on


def _now(hand: Hand, question: Question[Any]) -> str:
    """Which sheet it is that something would be lost by."""
    lines = [item for item in _played(hand, question) if not ends_slot(hand.playing, item)]
    return f"{question.key} {digest('; '.join(map(_text, lines)))}"


def _text(item: Any) -> str:
    if isinstance(item, Given):
        return item.text
    return f"IF {item.text}: {'; '.join(map(_text, item.then))} ELSE {'; '.join(map(_text, item.otherwise))}"
