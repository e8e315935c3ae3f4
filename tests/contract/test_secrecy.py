"""Two histories that differ only in what a reader was not told give him the same pages, sheets, forms and refusals.

Histories are forked in two ways: another seat decides otherwise, or dice and draws he may not see fall otherwise.
As long as the reader is told the same, everything made for him must be the same, whatever the true state is.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any, get_args

import msgspec

from referee.core.chance import Chance, Keyed
from referee.core.choices import Picked, Step, walk
from referee.core.event import Drawn, Event, PhaseBegan, Rolled
from referee.core.names import Reader, Role, Seat
from referee.core.position import knowledge, told
from referee.core.question import Question, Source
from referee.core.record import Answered, Happened
from referee.core.stage import Unsealed
from referee.kit.opponents import Strength, answer_of
from referee.orders import Sentence, read
from tests.contract.bots import GameRecord, briefest, readers
from tests.contract.casefile import NO_DESK
from tests.match import Match, secret_of

FORKS = 3
"""How many decisions of a bot game are taken otherwise."""

THROWS = 5
"""How many hidden dice and draws of all bot games fall otherwise, at least."""

QUESTIONS = 800
"""Where games are short, as many fall otherwise as make so many questions of whole games: a short one costs little."""


def secret_to(record: GameRecord) -> bool:
    """Whether the game hid anything from anybody."""
    return any(event.told_to(reader) != event for event in record.events for reader in readers(record))


def settle(match: Match, phases: int) -> None:
    """Play on until so many phases have ended; the same question is always answered from the same seed."""
    while not match.outcome.over and len(match.ended) < phases:
        question = match.outcome.open[0]
        match.answer(question, choice(question, 0))


def choice(question: Question[Any], salt: int) -> Any:
    return question.menu.sample(random.Random(f"{question.key}/{salt}").randrange)


# ---------------------------------------------------------------- everything a reader is handed


def everything(match: Match, reader: Reader) -> tuple[bytes, bytes]:
    """All that is made for a reader now, as bytes: from what he knows, and from the state where the game is handed it."""
    return pages(match, reader), out_of_the_state(match, reader)


def pages(match: Match, reader: Reader) -> bytes:
    """What is made for a reader of nothing but what he was told."""
    game, mine = match.game, told(match.events, reader)
    known = knowledge(game, match.created.seats, match.created.options, match.events, reader)
    parts: list[Any] = [game.report(known, mine, known, reader), game.sheets(mine, known, reader)]
    if not isinstance(reader, Role):
        parts.append(game.order_form(known, reader))
    return msgspec.json.encode([*parts, game.logs(mine, reader), game.chart(known, reader)])


def out_of_the_state(match: Match, reader: Reader) -> bytes:
    """What is made for a reader where the game is handed the whole state."""
    game, state = match.game, match.outcome.state
    known = knowledge(game, match.created.seats, match.created.options, match.events, reader)
    parts: list[Any] = [game.score(state), game.living(state)]
    if not isinstance(reader, Role):
        parts += [
            game.vocabulary(state),
            *refusals(match, reader),
            *choices(match, reader),
            *unsaid(match, reader, known),
        ]
    return msgspec.json.encode(parts)


def refusals(match: Match, seat: Seat) -> Iterator[Any]:
    """What binding the examples says, and what is doubted about them."""
    game, state = match.game, match.outcome.state
    words = game.vocabulary(state)
    for verb in words.verbs:
        for node in read(verb.example, words, NO_DESK).sheet:
            if isinstance(node, Sentence):
                yield repr(game.bind(state, seat, node.order))
    for question in match.outcome.open:
        if question.seat == seat and question.wants_orders:
            yield game.doubts(state, seat, choice(question, 1))


def unsaid(match: Match, seat: Seat, known: Any) -> Iterator[str]:
    """What is done for him where he says nothing, and what opponents of each strength in his seat answer."""
    for question in match.outcome.open:
        if question.seat == seat:
            yield repr(question.menu.default)
            for strength in get_args(Strength):
                pick = random.Random(question.key).randrange
                yield repr(answer_of(strength, match.game, known, question, pick))


def choices(match: Match, seat: Seat) -> Iterator[str]:
    """What there is to choose for each order, step after step the usual."""
    game, state = match.game, match.outcome.state
    for verb in game.declared():
        seen = list[Step]()
        walk(game.asking(state, seat, verb), partial(_the_usual, seen))
        yield repr(seen)


def _the_usual(seen: list[Step], step: Step) -> Picked:
    seen.append(step)
    return step.usual


def compare(one: Match, other: Match, spared: Seat | None) -> int:
    """For how many readers the two histories are one; all that is made for those must be one too."""
    same = 0
    everybody: tuple[Reader, ...] = (*one.created.seats, Role.OBSERVER)
    for reader in everybody:
        if reader != spared and told(one.events, reader) == told(other.events, reader):
            assert everything(one, reader) == everything(other, reader), reader
            same += one.records != other.records
    return same


# ---------------------------------------------------------------- another seat decides otherwise


def test_decisions_one_is_not_told_of_change_nothing_one_is_handed(played: tuple[GameRecord, ...]) -> None:
    same = sum(forked_by_decision(record, number) for number, record in enumerate(briefest(played, 3)))
    assert same > 0 or not any(map(secret_to, played))


def forked_by_decision(record: GameRecord, seed: int) -> int:
    decisions = [i for i, r in enumerate(record.records) if isinstance(r, Answered) and r.source is Source.PLAYER]
    same = 0
    for place in random.Random(seed).sample(decisions, min(FORKS, len(decisions))):
        one, other = (Match(record.game, record.created, record.secret, records=record.records[:place]) for _ in "12")
        told = record.records[place]
        assert isinstance(told, Answered)
        question = one.open(told.key)
        one.answer(question, choice(question, 2))
        other.answer(question, choice(question, 3))
        same += compare(one, other, question.seat)  # while it is sealed
        for match in (one, other):
            settle(match, 1)
        same += compare(one, other, question.seat)
    return same


# ---------------------------------------------------------------- hidden dice fall otherwise


class _Otherwise:
    """Dice as keyed, but some purposes as keyed with another secret."""

    def __init__(self, secret: bytes, purposes: set[str]) -> None:
        self._dice, self._others = Keyed(secret, 0), Keyed(secret_of("otherwise"), 0)
        self._purposes = purposes

    def face(self, purpose: str, index: int, sides: int, hidden: bool = False) -> int:
        return (self._others if purpose in self._purposes else self._dice).face(purpose, index, sides, hidden)


def hidden_from(event: Event, reader: Reader) -> bool:
    return isinstance(event, Rolled | Drawn) and event.seen_by is not None and reader not in event.seen_by


def test_dice_one_may_not_see_change_nothing_one_is_handed(played: tuple[GameRecord, ...]) -> None:
    forks = [
        fork for record in briefest(played, 8) for reader in readers(record) for fork in hidden_throws(record, reader)
    ]
    most = max(THROWS, QUESTIONS // len(played[len(played) // 2].asked))
    chosen = random.Random(0).sample(forks, min(most, len(forks)))
    same = sum(forked_by_dice(*fork) for fork in chosen)
    assert same > 0 or not any(map(secret_to, played))


Fork = tuple[GameRecord, Reader, int, str]
"""A game, a reader, where in the log the phase began in which something fell unseen by him, and what it was."""


def hidden_throws(record: GameRecord, reader: Reader) -> Iterator[Fork]:
    """What fell unseen by a reader."""
    began = 1
    for place, written in enumerate(record.records):
        if isinstance(written, Happened):
            event = record.codec.event(written.event)
            if isinstance(event, PhaseBegan):
                began = place
            elif hidden_from(event, reader):
                assert isinstance(event, Rolled | Drawn)
                yield record, reader, began, event.purpose


def forked_by_dice(record: GameRecord, reader: Reader, began: int, purpose: str) -> int:
    """At how many boundaries the two histories were one to the reader, although they differed.

    Pages are looked at once: they are made of what he was told, and that is the same.
    """
    dice: Chance = _Otherwise(record.secret, {purpose})
    before = record.records[:began]
    one = Match(record.game, record.created, record.secret, records=before)
    other = Match(record.game, record.created, record.secret, dice=Unsealed(dice), records=before)
    same = 0
    for boundary in range(4):
        for match in (one, other):
            settle(match, len(match.ended) + 1)
        events, others = one.events, other.events
        if told(events, reader) != told(others, reader):
            break
        assert out_of_the_state(one, reader) == out_of_the_state(other, reader), reader
        assert boundary > 0 or pages(one, reader) == pages(other, reader), reader
        same += events != others
    return same
