"""The frame of a letter about a match: its reader's debt and deadline, what is played if nothing comes by then; and the letter
that asks him.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any

import msgspec

from referee.core.chance import commitment
from referee.core.event import Event
from referee.core.game import Announces
from referee.core.names import Seat
from referee.core.order import Setting
from referee.core.page import Form
from referee.core.position import told
from referee.core.question import Amount, Menu, OneOf, Orders, Question, Several
from referee.kit.wording import are, counted, in_a_row
from referee.mail import digest
from referee.service.base import notes
from referee.service.base.letter_facts import Frame, Notice, QuestionLetter
from referee.service.base.note_values import Asked
from referee.service.base.office import page_of_match
from referee.service.base.ports import Alarm, Member, Player, Step
from referee.service.base.times import as_deadline
from referee.service.match.bots import autoplayed, bots
from referee.service.match.history import known_to
from referee.service.match.members import everybody, keeps_quiet, masters_of, may_know, owner_of
from referee.service.match.playing import UNFILLED, BareHand, Playing, mark, so_far
from referee.service.match.sheets import debts, default_words, draft_of, drawers_of, duty_of, owes
from referee.service.match.slot_life import DEADLINE, MIND, TOLD
from referee.service.match.suspension import Suspension
from referee.service.post.post import About, Mail, post
from referee.service.post.subjects import asked
from referee.service.post.turn_link import link_for

# ---------------------------------------------------------------- what stands round a letter
# The reader, the orders that he owes, his deadline, and the consequence of silence.


def frame(hand: BareHand, member: Member | None, player: Player) -> Frame:
    """The frame of a letter to this member of the match."""
    seat = member.seat if member and member.status == "playing" else ""
    due = due_of(hand.step, hand.playing, seat)
    deadline = as_deadline(due.due_at, hand.now, player.zone) if due else None
    phase, duty = hand.playing.outcome.phase, duty_of(hand.playing, seat)
    filed = drawers_of(hand.playing, seat) if duty == "on file" else ()
    knows = not keeps_quiet(hand.playing) or player.id in masters_of(hand.step, hand.match)
    return Frame(
        match=hand.match,
        game=hand.playing.game.title,
        title=phase.title if phase else "The match is over",
        name=player.name,
        seat=seat,
        owes=owes(hand.playing, seat, knows) + (_thinking(hand) if knows and not duty else ""),
        duty=duty,
        deadline=deadline,
        at_deadline=_what_if_away(hand, seat)
        or _what_if_alone(hand, seat)
        or what_if_late(hand.playing, seat, due.payload if due.kind == DEADLINE else "")
        if due
        else "",
        head=mark(hand.playing.told),
        commitment=commitment(hand.playing.row.secret),
        going=_going(hand.step, hand.playing, seat),
        writes_to=_writes_to(hand.playing, member),
        page=page_of_match(hand.office, hand.match),
        play=link_for(hand, member, player, due, filed) if member and duty else "",
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


def _what_if_away(hand: BareHand, seat: str) -> str:
    """The sentence that a bot plays for an absent player; "" for one who is here, or has orders on file."""
    away = seat in autoplayed(hand) and not _has_draft(hand.playing, seat)
    return "If nothing comes by then, your orders on file for later are played, or else your bot plays." if away else ""


def _what_if_alone(hand: BareHand, seat: str) -> str:
    """The sentence that his match waits for a player whose slot only another person could end; "" where there is one, or orders."""
    persons = {member.seat for member in hand.step.members(hand.match) if member.status == "playing"}
    waits = hand.playing.settings.late == "on call" and persons == {seat} and not _has_draft(hand.playing, seat)
    asked = any(question.wants_orders for question in debts(hand.playing, seat))
    return (
        "If nothing comes by then, the match waits for you: nobody else plays who could end your slot."
        if waits and asked
        else ""
    )


def _thinking(hand: BareHand) -> str:
    """The sentence that bots are waited for, who think; "" where none is, or the match stands still."""
    row, named = hand.playing.row, bots(hand.step, hand.match)
    if row.status != "running" or hand.playing.outcome.over:
        return ""
    who = [named[seat] for seat in sorted({q.seat for q in hand.playing.outcome.open} & named.keys())]
    return f" {in_a_row(who)} {are(len(who))} thinking." if who else ""


def what_if_late(playing: Playing, seat: str, grace: str = "") -> str:
    """The play at the deadline if nothing more comes from this seat; and the `grace` after it, if the seat still has one."""
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
        chosen = (
            f"this is chosen: {default_words(questions[0])}"
            if len(questions) == 1
            else "the choice that each question names"
        )
        return f"If nothing comes by then, your standing orders decide, or else {chosen}."
    empty = not any(question.menu.default for question in questions if question.wants_orders)
    sound = empty and playing.settings.late_sheet == "sound"
    if playing.settings.late == "on call":
        other = "a steady bot's sheet" if sound else "the default" if empty else _before(questions)
        return (
            f"If nothing comes by then, any other player may end your slot; the orders on file or {other} are played."
        )
    if (Seat(seat), "late") in drawers:
        return "If nothing comes by then, your IF LATE orders are played."
    if (Seat(seat), "standing") in drawers:
        return "If nothing comes by then, your standing orders are played."
    if sound:
        return "If nothing comes by then, a sound sheet is played for you, as a steady bot plans it."
    if empty:
        return "If nothing comes by then, an empty sheet is played for you."
    return f"If nothing comes by then, {_before(questions)} is played."


def _before(questions: Sequence[Question[Any]]) -> str:
    own = any(isinstance(question.menu, Orders) and question.menu.own for question in questions)
    return "your earlier sheet for it" if own else "the sheet that is proposed to you"


def option_rows(settings: Iterable[Setting], options: dict[str, str]) -> tuple[tuple[str, str, str], ...]:
    """The options of a match as rows: name, value, meaning."""
    return tuple((s.name, options.get(s.name, s.default), s.meaning) for s in settings)


# ---------------------------------------------------------------- forms
# The order sheet that goes with a letter, half filled in.


def form_for(step: Step, playing: Playing, seat: str) -> Form | None:
    """The next order sheet of a seat that owes orders; for a plain question, the line that answers it. None after the end."""
    mine = debts(playing, seat)
    if playing.outcome.over or playing.row.status == "over":
        return None
    if any(question.wants_orders for question in mine):
        known = known_to(step, playing, Seat(seat))
        words = (verb.word for verb in playing.game.vocabulary(known).verbs)
        return Form(in_columns(never_empty(playing.game.order_form(known, Seat(seat))), words))
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
"""So many answers a question offers ready to send; a player with more choices is handed the form."""


def answers_to(question: Question[Any]) -> tuple[str, ...]:
    """Lines each of which answers a plain question: every choice there is, or the default alone where they are many."""
    if question.wants_orders:
        return ()
    words = _every_answer(question.menu)
    return tuple(f"CHOOSE {word}" for word in (words if 0 < len(words) <= _MOST_ANSWERS else [default_words(question)]))


def _every_answer(menu: Menu[Any]) -> list[str]:
    """The choices; of several that may be chosen together, each alone, all, and none; nothing where it cannot be listed."""
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
    """The sentence that several choices may be named, and how."""
    menu = question.menu
    if isinstance(menu, Several) and menu.at_most > 1 and len(menu.options) > 1:
        return (f"# Up to {menu.at_most} of these, with commas between:",)
    return ()


# ---------------------------------------------------------------- questions in the middle of a turn, asked by letter


def ask(hand: BareHand, before: set[str], told_already: set[str]) -> None:
    """Mail the questions that opened in the middle of a turn, and order sheets nobody was handed with a report.

    A player who is asked again in the same turn is told the events since. How all that is open reads is kept, whichever letter
    asks it, so that rules that are mended are seen to ask otherwise.
    """
    notes.POSED.of(hand.match).keep(hand.step, {q.key: reads(q) for q in hand.playing.outcome.open})
    known: dict[str, int] = {}
    for question in hand.playing.outcome.open:
        if question.key in before or (question.wants_orders and question.seat in told_already):
            continue
        found = owner_of(hand.step, hand.match, question.seat)
        if found is None:
            continue
        member, player = found
        if question.seat not in known:
            known[question.seat] = _asked_at(hand, question.seat, player)
        heard = so_far(hand.playing, Seat(question.seat), known[question.seat])
        sheet = form_for(hand.step, hand.playing, question.seat) if question.wants_orders else None
        default = "" if question.wants_orders else default_words(question)
        framed = frame(hand, member, player)
        if not question.wants_orders:  # what is asked stands in the letter itself
            framed = msgspec.structs.replace(framed, owes=framed.owes.removesuffix(f" {question.text}"))
        words = () if known[question.seat] else _words(hand.playing, question)
        letter = QuestionLetter(
            framed,
            heard,
            question.text,
            question.rule,
            default,
            sheet or answer_form(question),
            words,
            answers_to(question),
        )
        unique = f"{hand.playing.head.seq}.{question.key}"
        post(
            hand,
            player,
            Mail("question", asked(framed, question.text), letter, unique),
            About(hand.playing, member),
        )
        _note_asked(hand, question.seat, player)


def reads(question: Question[Any]) -> str:
    """A fingerprint of how a question reads, its choices among it: rules that are mended may ask otherwise."""
    return digest("\n".join((question.text, *question.menu.words())))[:16]


def _asked_at(hand: BareHand, seat: str, player: Player) -> int:
    """How many events of the phase under way a player had been told when he was asked last; 0 for the first time in it."""
    last = notes.ASKED.of(hand.match, seat).read(hand.step)
    return last.events if last is not None and last == _asked_now(hand.playing, player, last.events) else 0


def _note_asked(hand: BareHand, seat: str, player: Player) -> None:
    count = len(told(hand.playing.outcome.events, Seat(seat)))
    notes.ASKED.of(hand.match, seat).keep(hand.step, _asked_now(hand.playing, player, count))


def _asked_now(playing: Playing, player: Player, count: int) -> Asked:
    """The player, for the seat may change hands, and the phase under way: another one when it is played anew."""
    return Asked(player.id, playing.outcome.phase.key if playing.outcome.phase else "", playing.course, count)


_MOST_EXPLAINED = 12
"""So many words of an order sheet a question explains; a player in the rest of his turn knows more, or asks HELP."""


def _words(playing: Playing, question: Question[Any]) -> tuple[str, ...]:
    """The words of an order sheet that is asked for, with what they do; what else can be answered stands in the form."""
    if not question.wants_orders:
        return ()
    known = {verb.word: verb for verb in playing.game.vocabulary(playing.outcome.state).verbs}
    words = question.menu.words()
    if len(words) > _MOST_EXPLAINED:
        return ()
    return tuple(
        f"{word}: {known[word].meaning}, as in {known[word].example}" if word in known else word for word in words
    )


# ---------------------------------------------------------------- news that does not wait for the report


def announce(hand: BareHand, events: Sequence[Event]) -> None:
    """Everybody is told at once what the game says shall not wait for the report."""
    game = hand.playing.game
    sentences = tuple(filter(None, map(game.at_once, events))) if events and isinstance(game, Announces) else ()
    if not sentences:
        return
    # The words of the first of the news before its first stop: `Spain posted petition 1 (clarification)`.
    first = re.split(r"[.:](?: |$)", sentences[0], maxsplit=1)[0]
    title = f"{first} and {counted(len(sentences) - 1, 'more things')}" if len(sentences) > 1 else first
    for member, player in everybody(hand.step, hand.match):
        framed = frame(hand, member, player)
        letter = Notice(framed, title, sentences)
        post(hand, player, Mail("notice", title, letter, f"{hand.playing.head.seq}.news"), About(hand.playing, member))


def tell_suspension(hand: BareHand, pushed: Suspension) -> None:
    """Everybody learns for how long the clock was suspended, and every deadline that this moved."""
    title, masters = "the deadlines are suspended", masters_of(hand.step, hand.match)
    for member, player in everybody(hand.step, hand.match):
        framed = frame(hand, member, player)
        said = pushed.sentences(player.zone, may_know(hand.playing, masters, member, player, ""))
        letter = Notice(framed, title, said)
        post(
            hand,
            player,
            Mail("notice", title, letter, f"{hand.playing.head.seq}.suspended"),
            About(hand.playing, member),
        )
