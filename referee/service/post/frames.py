"""What frames a letter about a match: what its reader owes and by when, and the next order sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any

from referee.core.chance import commitment
from referee.core.names import Seat
from referee.core.order import Setting
from referee.core.page import Form
from referee.core.question import Amount, Menu, OneOf, Question, Several
from referee.service.base.letters import Frame
from referee.service.base.office import page_of_match
from referee.service.base.ports import Alarm, Member, Player, Step
from referee.service.base.times import as_deadline
from referee.service.match.members import keeps_quiet, masters_of
from referee.service.match.playing import UNFILLED, BareHand, Playing, mark
from referee.service.match.sheets import debts, default_words, draft_of, duty_of, owes
from referee.service.match.slot_life import DEADLINE, MIND, TOLD

# ---------------------------------------------------------------- what stands round a letter
# Who is written to, what he owes, by when, and what happens otherwise.


def frame(hand: BareHand, member: Member | None, player: Player) -> Frame:
    """The frame of a letter to this member of the match."""
    seat = member.seat if member and member.status == "playing" else ""
    due = due_of(hand.step, hand.playing, seat)
    deadline = as_deadline(due.due_at, hand.now, player.zone) if due else None
    phase = hand.playing.outcome.phase
    knows = not keeps_quiet(hand.playing) or player.id in masters_of(hand.step, hand.match)
    return Frame(
        match=hand.match,
        game=hand.playing.game.title,
        title=phase.title if phase else "The match is over",
        name=player.name,
        seat=seat,
        owes=owes(hand.playing, seat, knows),
        duty=duty_of(hand.playing, seat),
        deadline=deadline,
        at_deadline=what_if_late(hand.playing, seat, due.payload if due.kind == DEADLINE else "") if due else "",
        head=mark(hand.playing.told),
        commitment=commitment(hand.playing.row.secret),
        going=_going(hand.step, hand.playing, seat),
        writes_to=_writes_to(hand.playing, member),
        page=page_of_match(hand.office, hand.match),
    )


def _going(step: Step, playing: Playing, seat: str) -> tuple[str, ...]:
    """The words that set a seat's turn going or hold it: where its sheet is on file and nothing else is in the way."""
    sheets = [question for question in debts(playing, seat) if question.wants_orders]
    filed = bool(sheets) and all(draft_of(playing, question) is not None for question in sheets)
    if not filed or playing.row.status != "running" or playing.outcome.over:
        return ()
    keys = {question.key for question in sheets}
    runs_soon = any(alarm.kind == MIND and alarm.key in keys for alarm in step.alarms(playing.row.name))
    return ("ROLL OUT", "WAIT") if runs_soon else ("ROLL OUT",)


def _writes_to(playing: Playing, member: Member | None) -> tuple[str, ...]:
    """The headings under which a player may write to others now."""
    if not member or member.status != "playing" or playing.outcome.over or playing.row.status == "over":
        return ()
    if playing.settings.manners.press == "none":
        return ("PRESS TO game master",)
    others = tuple(f"PRESS TO {seat}" for seat in playing.created.seats if seat != member.seat)
    return (*others, *(("BROADCAST",) if len(others) > 1 else ()), "PRESS TO game master")


def due_of(step: Step, playing: Playing, seat: str) -> Alarm | None:
    """The alarm of the earliest time that a seat was told, None where it owes nothing by any."""
    keys = {question.key for question in debts(playing, seat)}
    mine = (a for a in step.alarms(playing.row.name) if a.kind in TOLD and a.key in keys)
    return min(mine, key=lambda alarm: alarm.due_at, default=None)


def what_if_late(playing: Playing, seat: str, grace: str = "") -> str:
    """What is played at the deadline if nothing more comes from this seat; and the `grace` after it, of who has one yet."""
    if not grace or _has_draft(playing, seat):
        return _played(playing, seat)
    hours, _, strict = grace.partition(" ")
    but = ", unless your last slot was late too" if strict else ""
    late = f"If nothing comes by then you are late, with {hours} h of grace{but}."
    return f"{late} {_played(playing, seat).replace('by then', 'in it either')}"


def _has_draft(playing: Playing, seat: str) -> bool:
    return any(draft_of(playing, question) is not None for question in debts(playing, seat))


def _played(playing: Playing, seat: str) -> str:
    drawers = playing.outcome.drawers
    questions = debts(playing, seat)
    if _has_draft(playing, seat):
        return "If nothing more comes by then, the orders on file are played."
    if not any(q.wants_orders for q in questions):
        chosen = f"this is chosen: {default_words(questions[0])}" if len(questions) == 1 else "what each question names"
        return f"If nothing comes by then, your standing orders decide, or else {chosen}."
    if playing.settings.late == "on call":
        return "If nothing comes by then, any other player may end your slot; what is on file or the default is played."
    if (Seat(seat), "late") in drawers:
        return "If nothing comes by then, your IF LATE orders are played."
    if (Seat(seat), "standing") in drawers:
        return "If nothing comes by then, your standing orders are played."
    return "If nothing comes by then, an empty sheet is played for you."


def option_rows(settings: Iterable[Setting], options: dict[str, str]) -> tuple[tuple[str, str, str], ...]:
    """The options of a match as rows: name, value, meaning."""
    return tuple((s.name, options.get(s.name, s.default), s.meaning) for s in settings)


# ---------------------------------------------------------------- forms
# The order sheet that goes with a letter, half filled in.


def form_for(playing: Playing, seat: str) -> Form | None:
    """The next order sheet of a seat that owes orders; for a plain question, the line that answers it."""
    mine = debts(playing, seat)
    if any(question.wants_orders for question in mine):
        state = playing.outcome.state
        words = (verb.word for verb in playing.game.vocabulary(state).verbs)
        return Form(in_columns(never_empty(playing.game.order_form(state, Seat(seat))), words))
    if mine:
        return answer_form(mine[0])
    return None


def never_empty(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines of a sheet; one that proposes nothing gets the line that ends the turn: whoever returns it is understood."""
    if any(not line.startswith("#") for line in lines) or lines == UNFILLED:
        return tuple(lines)
    return (*lines, *_NOTHING)


_NOTHING = ("# Nothing has to be done. This line ends your turn as it is:", "ROLL OUT")

_WIDTH = 72
"""Columns of a line of advice: mail programs break longer ones, and what they break off would be read as an order."""


def in_columns(lines: Iterable[str], words: Iterable[str]) -> tuple[str, ...]:
    """The lines of a form with long advice in several; what begins with one of these words is an order and stays whole."""
    orders = tuple(f"# {word} " for word in words)
    return tuple(
        part for line in lines for part in ((line,) if len(line) <= _WIDTH else _broken(line, line.startswith(orders)))
    )


def _broken(line: str, order: bool) -> Sequence[str]:
    advice = line.startswith("# ") and not order
    return (
        wrap(line, _WIDTH, subsequent_indent="#   ", break_long_words=False, break_on_hyphens=False)
        if advice
        else (line,)
    )


def answer_form(question: Question[Any]) -> Form:
    """Lines a player can edit to answer a plain question."""
    return Form(
        (*_how_many(question), *(f"# {word}" for word in question.menu.words()), f"CHOOSE {default_words(question)}")
    )


_MOST_ANSWERS = 12
"""So many answers a question offers ready to send; who has more to choose from is handed the form."""


def answers_to(question: Question[Any]) -> tuple[str, ...]:
    """Lines each of which answers a plain question: every choice there is, or the default alone where they are many."""
    if question.wants_orders:
        return ()
    words = _every_answer(question.menu)
    return tuple(f"CHOOSE {word}" for word in (words if 0 < len(words) <= _MOST_ANSWERS else [default_words(question)]))


def _every_answer(menu: Menu[Any]) -> list[str]:
    """What can be chosen; of several that may be chosen together, each alone, all, and none; nothing where it cannot be listed."""
    if isinstance(menu, Amount) and menu.high - menu.low < _MOST_ANSWERS:
        return [str(number) for number in range(menu.low, menu.high + 1)]
    if isinstance(menu, OneOf):
        return [option.word for option in menu.options]
    if not isinstance(menu, Several):
        return []
    each = [option.word for option in menu.options]
    together = [", ".join(each)] if 1 < len(each) <= menu.at_most else []
    return [*each, *together, "none"]


def _how_many(question: Question[Any]) -> tuple[str, ...]:
    """That several choices may be named, and how."""
    menu = question.menu
    if isinstance(menu, Several) and menu.at_most > 1 and len(menu.options) > 1:
        return (f"# Up to {menu.at_most} of these, with commas between:",)
    return ()
