"""A question to a seat, and what everybody is told of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from referee.core.event import Event
from referee.core.game import Announces
from referee.core.names import Seat
from referee.core.position import told
from referee.core.question import Question
from referee.kit.wording import counted
from referee.mail import digest
from referee.service.base import notes
from referee.service.base.letters import Notice, QuestionLetter
from referee.service.base.ports import Player
from referee.service.base.remembered import Asked
from referee.service.match.history import so_far
from referee.service.match.members import everybody, masters_of, may_know, owner_of
from referee.service.match.playing import BareHand, Playing
from referee.service.match.sheets import default_words
from referee.service.match.standing_still import Suspension
from referee.service.post.frames import answer_form, answers_to, form_for, frame
from referee.service.post.post import About, Mail, post
from referee.service.post.tray import asked

# ---------------------------------------------------------------- questions in the middle of a turn, asked by letter


def ask(hand: BareHand, before: set[str], told_already: set[str]) -> None:
    """Mail the questions that opened in the middle of a turn, and order sheets nobody was handed with a report.

    Who is asked again in the same turn is told what has happened since. How all that is open reads is kept, whichever letter
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
        sheet = form_for(hand.playing, question.seat) if question.wants_orders else None
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
"""So many words of an order sheet a question explains; who is asked for the rest of his turn knows more, or asks HELP."""


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
    # What the first of the news says before its first stop: `Spain posted petition 1 (clarification)`.
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
