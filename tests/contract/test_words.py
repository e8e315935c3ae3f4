"""Every game's words: examples read, are written back as they were read, and order sheets bind without refusal."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Hashable, Iterator
from typing import Any

import msgspec
import pytest

from referee.core.game import AnyGame, BindsAlike
from referee.core.names import Seat
from referee.core.order import Doubt, Illegal, Order, Vocabulary
from referee.core.position import start
from referee.core.question import OneOf, Question, Several
from referee.kit.declared import Declared
from referee.orders import Branch, Node, Sentence, read, understand, write, write_condition
from referee.service.intake.commands.command import desk_words
from tests.contract.bots import GameRecord, briefest, intents_said, plans
from tests.contract.casefile import NO_DESK
from tests.contract.conftest import Asked
from tests.contract.scenes import with_scenes
from tests.match import create, secret_of


def opening(game: AnyGame) -> tuple[Any, tuple[Seat, ...]]:
    """A position early in a game, and its seats."""
    plan = next(plans(game, 1))
    created = create(game, plan.players, {}, secret_of("words"))
    return start(game, created).state, created.seats


def desk(game: AnyGame, seats: tuple[Seat, ...]) -> Vocabulary:
    """All the desk's words, the game master's too: nothing of a game may be mistaken for them."""
    return desk_words([game.name], ["spring"], seats, player=True, game_master=True)


def sentences(nodes: tuple[Node, ...]) -> Iterator[Sentence]:
    for node in nodes:
        if isinstance(node, Branch):
            yield from sentences((*node.then, *node.otherwise))
        else:
            yield node


def asked(played: tuple[GameRecord, ...]) -> Iterator[tuple[GameRecord, Question[Any], Any]]:
    for record in played:
        for question, state in record.asked:
            yield record, question, state


# ---------------------------------------------------------------- verbs and predicates


def test_every_verb_has_a_meaning_and_a_rule(game: AnyGame) -> None:
    words = game.vocabulary(opening(game)[0])
    rules = {rule.id for rule in game.rules}
    for verb in (*words.verbs, *words.predicates):
        assert verb.meaning.strip() and verb.example.strip()
        assert verb.rule in rules, verb.word
        named = (noun.name for noun in words.nouns if noun.kind in ("side", "country"))
        assert all(len(re.findall(rf"\b{re.escape(name)}\b", verb.example)) < 2 for name in named), verb.example


def test_every_example_reads_without_a_mistake(game: AnyGame) -> None:
    state, seats = opening(game)
    words = game.vocabulary(state)
    for verb in words.verbs:
        for vocabulary in (NO_DESK, desk(game, seats)):
            reading = read(verb.example, words, vocabulary)
            assert reading.mistakes == () and reading.ignored == () and reading.desk == (), verb.example
            (node,) = reading.sheet
            assert isinstance(node, Sentence) and node.order.verb == verb.word


def test_every_condition_reads_and_can_be_judged(game: AnyGame) -> None:
    state, seats = opening(game)
    words = game.vocabulary(state)
    order = words.verbs[0].example
    for predicate in words.predicates:
        reading = read(f"IF NOT ({predicate.example})\n{order}\nELSE\n{order}\nEND", words, desk(game, seats))
        assert reading.mistakes == (), predicate.example
        (branch,) = reading.sheet
        assert isinstance(branch, Branch)
        assert write_condition(branch.condition) == branch.text
        for seat in seats:
            assert game.holds(state, seat, branch.condition) in (True, False)


def test_what_is_read_is_written_back_and_read_again_the_same(game: AnyGame) -> None:
    words = game.vocabulary(opening(game)[0])
    for verb in words.verbs:
        order = only_order(verb.example, words)
        assert only_order(write(order), words) == order
        assert write(only_order(write(order), words)) == write(order)


def only_order(text: str, words: Vocabulary) -> Order:
    (sentence,) = sentences(read(text, words, NO_DESK).sheet)
    return sentence.order


# ---------------------------------------------------------------- binding


def test_what_binds_says_what_it_means_and_goes_through_the_codec(
    states: int | None, played: tuple[GameRecord, ...]
) -> None:
    seen: set[type] = set()
    every = list(asked(with_scenes(played)))
    random.Random(0).shuffle(every)
    kinds = [kind for kind in played[0].game.intents if issubclass(kind, Declared)]
    for number, (record, question, state) in enumerate(every[:: 1 if states else 5]):
        wanted = {kind.words.verb for kind in kinds if kind not in seen or not states or number < states}
        verbs = [verb.word for verb in record.game.vocabulary(state).verbs if verb.word in wanted]
        for intent in intents_said(record.game, state, question.seat, random.Random(number), verbs):
            assert type(intent) in record.game.intents
            assert record.codec.intent(record.codec.raw(intent)) == intent
            assert intent.meaning().strip()[-1] == ".", intent
            assert record.game.is_aside(intent) in (True, False)
            seen.add(type(intent))
        if states is not None and number >= states and seen == set(record.game.intents):
            break
    assert seen == set(played[0].game.intents)


def test_where_binding_looks_at_the_same_it_answers_the_same(played: tuple[GameRecord, ...]) -> None:
    game = played[0].game
    if not isinstance(game, BindsAlike):
        return
    answers: dict[tuple[Hashable, bool, Order], object] = {}
    examples: dict[tuple[str, ...], list[Order]] = {}
    again = 0
    for number, (_, question, state) in enumerate(asked(played)):
        if number % 5 == 0:
            words = game.vocabulary(state)
            lines = tuple(verb.example for verb in words.verbs)
            if lines not in examples:
                examples[lines] = [order for line in lines if isinstance(order := understand(line, words), Order)]
            for order, later in itertools.product(examples[lines], (False, True)):
                bound = (game.bind_later if later else game.bind)(state, question.seat, order)
                by = (game.bound_by(state, question.seat), later, order)
                again += by in answers
                assert answers.setdefault(by, bound) == bound
    assert again, "nothing was bound twice"


def test_the_order_form_reads_and_binds_as_it_stands(ordered: tuple[Asked, ...]) -> None:
    """Its suggestions read too, once the comment sign is gone."""
    for _, record, question, state in ordered:
        words, lawful = record.game.vocabulary(state), question.menu.words()
        form = record.game.order_form(state, question.seat)
        reading = read("\n".join(form), words, NO_DESK)
        assert reading.mistakes == (), form
        assert all(line.why for line in reading.ignored) and not reading.desk
        for sentence in sentences(reading.sheet):
            bound = record.game.bind(state, question.seat, sentence.order)
            assert not isinstance(bound, Illegal), (sentence.source, bound)
            assert sentence.order.verb in {*lawful, *record.game.aside_verbs()}
        for bare in (line.lstrip("# ") for line in form):
            if bare.split(" ")[0] in lawful:
                assert read(bare, words, NO_DESK).mistakes == (), bare


def test_every_seat_has_an_order_form_and_words_at_every_boundary(played: tuple[GameRecord, ...]) -> None:
    for record in briefest(played, 2):
        for ended in record.ended:
            for seat in record.created.seats:
                lines = record.game.order_form(ended.after, seat)
                assert all(isinstance(line, str) and "\n" not in line for line in lines)
            assert record.game.vocabulary(ended.after).verbs


def test_doubts_about_any_sheet_are_sentences_with_a_rule(ordered: tuple[Asked, ...]) -> None:
    for number, record, question, state in ordered:
        rules = {rule.id for rule in record.game.rules}
        sheet = question.menu.sample(random.Random(number).randrange)
        for doubt in record.game.doubts(state, question.seat, sheet):
            assert isinstance(doubt, Doubt) and doubt.sentence.strip()
            assert doubt.rule in rules, doubt


# ---------------------------------------------------------------- questions


def test_every_question_has_a_text_a_rule_and_words(played: tuple[GameRecord, ...]) -> None:
    for record, question, _ in asked(played):
        assert question.text.strip() and question.menu.words()
        assert question.rule in {rule.id for rule in record.game.rules}, question.key
        assert question.seat in record.created.seats


def test_every_option_can_be_typed(played: tuple[GameRecord, ...]) -> None:
    for _, question, _ in asked(played):
        menu = question.menu
        if isinstance(menu, OneOf | Several):
            for option in menu.options:
                expected = (option.value,) if isinstance(menu, Several) else option.value
                assert menu.read(option.word) == expected, (question.key, option.word)


def test_the_default_can_be_typed_as_the_question_letter_prints_it(played: tuple[GameRecord, ...]) -> None:
    for _, question, _ in asked(played):
        if not question.wants_orders:
            logged = msgspec.json.decode(question.menu.encode(question.menu.default))
            typed = ", ".join(map(str, logged)) or "none" if isinstance(logged, list) else str(logged)
            assert question.menu.read(typed) == question.menu.default, question.key


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_bots_find_every_menus_answers_on_the_menu(played: tuple[GameRecord, ...], seed: int) -> None:
    rng = random.Random(seed)
    for record, question, _ in asked(played[:5]):
        value = question.menu.sample(rng.randrange)
        raw = question.menu.encode(value)
        assert question.menu.decode(raw) == value, (record.created, question.key)
