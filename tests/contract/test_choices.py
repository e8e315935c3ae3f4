"""What is lawful now, as data: whatever is offered can be written, read, bound and carried out, and nothing offered is refused."""

from __future__ import annotations

import itertools
import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from referee.core.chance import Chance, Keyed
from referee.core.choices import Picked, Step, Unknown, after
from referee.core.event import Event, PhaseBegan
from referee.core.game import AnyGame
from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Order, bare
from referee.core.question import Answer, OneOf, Question, Several, Source
from referee.core.table import Table
from referee.games import GAMES, game_named
from referee.kit.declared import Declared, at_random
from referee.kit.wording import counted
from referee.orders import understand
from tests.contract.bots import GameRecord, a_choice, play_bots, understood
from tests.contract.choosing import ORDERS
from tests.contract.conftest import Asked
from tests.contract.effort import effort_of, verbs_tried
from tests.contract.scenes import with_scenes
from tests.labels import places_on


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["some", "many"])
def tries(request: pytest.FixtureRequest, game: AnyGame) -> int:
    """How many random choices are made of each verb; the slow runs make 20,000."""
    effort = effort_of(game.name)
    return effort.many if request.param else effort.choices


Position = tuple[GameRecord, Seat, tuple[str, ...], Any]
"""A game, who was asked for orders, for which, and in which state."""

AGAIN = 24
"""In so many positions an order is chosen over and over."""


@pytest.fixture
def looked_at(played: tuple[GameRecord, ...]) -> tuple[GameRecord, ...]:
    """Bot games, and positions that they do not come to."""
    return with_scenes(played)


def asked_for_orders(played: Sequence[GameRecord]) -> list[Position]:
    """Who was asked for which orders, in which position; in an order of chance, the same each time."""
    found = [
        (record, q.seat, q.menu.words(), state) for record in played for q, state in record.asked if q.wants_orders
    ]
    random.Random(5).shuffle(found)
    return found


def undone(game: AnyGame, state: Any, seat: Seat, intent: Intent) -> list[str]:
    """Why an order is not carried out, or not wholly, as things stand."""
    return [doubt.sentence for doubt in game.doubts(state, seat, (intent,)) if doubt.undone]


# ---------------------------------------------------------------- written, read, bound, carried out


def test_every_verb_tells_its_choices(played: tuple[GameRecord, ...]) -> None:
    """Half a list would hide the other half."""
    for record in played:
        words = {
            verb.word
            for state in (record.asked[0][1], record.asked[-1][1])
            for verb in record.game.vocabulary(state).verbs
        }
        assert words <= set(record.game.declared())


def test_whatever_is_chosen_is_read_back_and_carried_out(looked_at: tuple[GameRecord, ...], tries: int) -> None:
    game: AnyGame = looked_at[0].game
    made, asides = Counter[str](), game.aside_verbs()
    verbs = [verb for verb in verbs_tried(game) if not ORDERS or verb in ORDERS]
    rng = {verb: random.Random(f"11 {verb}") for verb in verbs}
    able: dict[str, list[Position]] = {verb: [] for verb in verbs}
    done = set[tuple[int, Seat, str]]()  # the same order again in the same position says nothing else

    def chosen(position: Position, verb: str) -> bool:
        _, seat, words, state = position
        asked = verb in (*words, *asides, *game.standing_verbs())
        intent = a_choice(game, state, seat, verb, rng[verb]) if asked else None
        if intent is None:
            return False
        made[verb] += 1
        line = game.line(state, intent)
        if (id(state), seat, line) not in done:
            done.add((id(state), seat, line))
            assert understood(game, state, seat, line) == intent, (line, intent)
            assert game.is_aside(intent) is (verb in asides)
            assert undone(game, state, seat, intent) == [], line
        return True

    for position in asked_for_orders(looked_at):
        for verb in (verb for verb in verbs if made[verb] < tries):
            able[verb] += [position] if chosen(position, verb) else []
    for verb, there in able.items():  # what is rare is chosen again where it can be, position after position
        for number in range(made[verb], tries if there else 0):
            assert chosen(there[:AGAIN][number * len(there[:AGAIN]) // tries], verb)
    assert not [verb for verb in verbs if made[verb] < min(tries, 20)], made
    print(f"\n{game.name}: {made.total()} choices of {len(verbs)} orders, {len(done)} of them different")


def test_every_order_makes_a_difference(looked_at: tuple[GameRecord, ...]) -> None:
    """For each verb there is a phase that goes otherwise with its order than without, the dice being the same.

    An order that closes a sheet says when the others are carried out, and nothing by itself; what a standing order decides
    is seen by tests of the game itself, for its question comes in the turns of others too.
    """
    game: AnyGame = looked_at[0].game
    missing = set(verbs_tried(game)) - set(game.standing_verbs())
    for number, (question, asked, state) in enumerate(beginnings(looked_at)):
        for verb in sorted(missing):
            if verb in question.menu.words() or verb in game.aside_verbs():
                intent = a_choice(game, asked, question.seat, verb, random.Random(f"{number} {verb}"))
                if intent is not None:
                    dice = Keyed(bytes(32), number)
                    without = happened(game, state, question.seat, dice)
                    if intent.closes or happened(game, state, question.seat, dice, intent) != without:
                        missing.discard(verb)
        if not missing:
            break
    assert not missing, f"nothing is seen of {missing}"


def beginnings(played: Sequence[GameRecord]) -> Iterator[tuple[Question[Any], Any, Any]]:
    """Everybody's first question for such orders in each phase, the position it was put in, and that in which the phase began."""
    for record in played:
        sheets = [asked for asked in record.asked if asked[0].wants_orders]
        for ended in record.ended:
            of_phase = [asked for asked in reversed(sheets) if asked[0].key.startswith(f"{ended.phase.key}/")]
            first = {(question.seat, question.menu.words()): (question, state) for question, state in of_phase}
            yield from ((question, state, ended.before) for question, state in first.values())


def happened(game: AnyGame, state: Any, seat: Seat, dice: Chance, *sheet: Intent) -> list[Event]:
    """The events of the phase that begins in this position, where this is the seat's sheet and nobody else answers."""
    heard, phase = list[Event](), game.next_phase(state)
    assert phase is not None
    table = Table(phase.key, state, dice, game.evolve)
    table.heard = heard.append
    if sheet and game.is_aside(sheet[0]):
        game.aside(table, seat, sheet[0])
        return heard
    table.emit(PhaseBegan(phase.key, phase.title))
    script = phase.script(table)
    with suppress(StopIteration):
        questions, given = next(script), set[tuple[str, ...]]()
        while True:
            questions = script.send(tuple(settled(question, seat, sheet, given) for question in questions))
    return heard


def settled(question: Question[Any], seat: Seat, sheet: tuple[Intent, ...], given: set[tuple[str, ...]]) -> Answer[Any]:
    """The sheet where such orders are first asked for, what it says where it says something, and else the default."""
    if question.seat == seat and question.wants_orders:
        words = question.menu.words()
        again = words in given
        given.add(words)
        return Answer(() if again else sheet)
    said = question.recognise(sheet) if question.seat == seat else None
    return Answer(question.menu.default, Source.DEFAULT) if said is None else Answer(said, Source.ORDERS)


# ---------------------------------------------------------------- step by step, from outside


def test_a_step_is_data_and_refuses_what_it_does_not_offer(ordered: tuple[Asked, ...]) -> None:
    for _, record, question, state in ordered[:40]:
        game: AnyGame = record.game
        for verb in set(question.menu.words()) & set(verbs_tried(game)):
            step = after(game.asking(state, question.seat, verb), ())
            if isinstance(step, Step):
                assert step.taken(step.usual) == step.usual
                assert msgspec.json.encode([(choice.word, choice.meaning, choice.at) for choice in step.choices])
                assert len({choice.word for choice in step.choices}) == len(step.choices), step
                with pytest.raises(Unknown, match=step.field):
                    after(game.asking(state, question.seat, verb), [("no such thing",)])


def test_whatever_may_be_chosen_first_leads_on(ordered: tuple[Asked, ...]) -> None:
    """An order that is offered is not found to be none after a click: not for him who is chosen, nor for anybody."""
    for number, record, question, state in ordered[:: max(1, len(ordered) // 40)]:
        game: AnyGame = record.game
        for verb in sorted({*question.menu.words(), *game.aside_verbs()} & set(verbs_tried(game))):
            step = after(game.asking(state, question.seat, verb), ())
            if isinstance(step, Step) and step.choices and step.least <= 1:
                choice = step.choices[number % len(step.choices)]
                then = after(game.asking(state, question.seat, verb), [(choice.word,)])
                offers = not isinstance(then, Step) or then.choices or then.counts or not then.least
                assert then is not None and offers, f"{verb} {choice.word} in {question.key}"


_LIMITS, _ANY_NUMBER = re.compile(" (?:KEEPING|WITH) "), 99
"""Clauses whose number may be more than there is; the most of a number that could be any."""


def test_a_number_ends_where_one_more_is_refused(ordered: tuple[Asked, ...]) -> None:
    """The most that is offered is done, and one more is not: no less is offered than may be ordered."""
    for number, record, question, state in ordered[:: max(1, len(ordered) // 40)]:
        game: AnyGame = record.game
        for verb in sorted(set(question.menu.words()) & set(verbs_tried(game))) if game in GAMES else ():
            for line, more in at_the_end(game, state, question.seat, verb, number):
                said = [understood(game, state, question.seat, each) for each in (line, more)]
                done = [isinstance(i, Intent) and not undone(game, state, question.seat, i) for i in said]
                assert done == [True, False], (line, more)


def at_the_end(game: AnyGame, state: Any, seat: Seat, verb: str, seed: int) -> Iterator[tuple[str, str]]:
    """A line with the most of a thing that an order offers, and the same with one more."""
    chance, so_far, ends = at_random(random.Random(seed).randrange, 3), list[Picked](), list[Step]()
    while isinstance(step := after(game.asking(state, seat, verb), so_far), Step):
        ends += [step] if step.counts else []
        so_far.append((str(step.most),) if step.counts else chance(step))
    if step is not None and len(ends) == 1:
        line, (end,) = game.line(state, step), ends
        most, more = (counted(number, end.counts) for number in (end.most, end.most + 1))
        if end.most < _ANY_NUMBER and most in _LIMITS.split(line)[0]:
            yield line, line.replace(most, more)


LONGEST_STEP = 0.030
"""Seconds of the processor that nineteen steps in twenty stay under, on the largest board."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [game.name for game in GAMES])
def test_a_step_is_there_at_once_on_the_largest_board(name: str) -> None:
    game = game_named(name)
    options = {s.name: "large" if "large" in s.values else s.default for s in game.settings}
    players = max(number for number in range(2, 9) if game.refuse_options(options, number) is None)
    asked = [asked for asked in play_bots(game, players, options, 3, 40).asked if asked[0].wants_orders]
    took: dict[str, list[float]] = {}
    for number, (question, state) in enumerate(asked[:: max(1, len(asked) // 24)]):
        for verb in question.menu.words():
            chance, so_far = at_random(random.Random(f"{number} {verb}").randrange, 3), list[Picked]()
            while True:
                begun = time.process_time()
                step = after(game.asking(state, question.seat, verb), so_far)
                took.setdefault(verb, []).append(time.process_time() - begun)
                if not isinstance(step, Step):
                    break
                so_far.append(chance(step))
    late = {verb: sorted(times)[len(times) * 19 // 20] for verb, times in took.items()}
    slowest = max(late, key=late.__getitem__)
    every = sorted(itertools.chain(*took.values()))
    print(
        f"\n{name}, {players} players: {len(every)} steps, {every[len(every) * 19 // 20] * 1e3:.2f} ms at the 95th ",
        end="",
    )
    print(f"percentile; {slowest} {late[slowest] * 1e3:.1f} ms")
    assert late[slowest] < LONGEST_STEP, slowest


# ---------------------------------------------------------------- nothing offered is refused


PLACES = ("region", "sea", "hex")
"""The kinds of names that stand for a place on the map."""


def test_an_answer_that_is_a_place_says_where_it_lies(game: AnyGame, played: tuple[GameRecord, ...]) -> None:
    for record in played:
        for question, state in record.asked:
            if isinstance(question.menu, OneOf | Several):
                places = {noun.name for noun in game.vocabulary(state).nouns if noun.kind in PLACES}
                lost = [option.word for option in question.menu.options if option.word in places and not option.at]
                assert lost == [], question.text


def test_an_answer_that_lies_somewhere_lies_on_the_map(game: AnyGame, played: tuple[GameRecord, ...]) -> None:
    asked = [(*asked, asked[0].menu) for record in played for asked in record.asked]
    menus = [(q, state, menu.options) for q, state, menu in asked if isinstance(menu, OneOf | Several)]
    for question, state, options in menus[:: max(1, len(menus) // 40)]:
        if drawing := game.chart(state, question.seat):
            there = set(places_on(drawing.svg))
            assert {option.at for option in options if option.at} <= there, question.text


def test_every_place_that_can_be_chosen_lies_on_the_map(ordered: tuple[Asked, ...]) -> None:
    """Where a page can be told of a click on it, at whatever step of an order, whoever's map it is."""
    for number, record, question, state in ordered[:: max(1, len(ordered) // 16)]:
        drawing = record.game.chart(state, question.seat)
        if drawing is not None:
            there = set(places_on(drawing.svg))
            chosen = {
                at
                for verb in question.menu.words()
                for at in places_of(record.game, state, question.seat, verb, number)
            }
            assert chosen - there == set(), question.text


def places_of(game: AnyGame, state: Any, seat: Seat, verb: str, seed: int) -> Iterator[str]:
    """The places that steps of an order offer, on a way through it that is left to chance."""
    chance, so_far = at_random(random.Random(seed).randrange, 2), list[Picked]()
    while isinstance(step := after(game.asking(state, seat, verb), so_far), Step):
        yield from (choice.at for choice in step.choices if choice.at)
        so_far.append(chance(step))


def test_the_lines_of_form_and_help_are_taken_and_carried_out(ordered: tuple[Asked, ...]) -> None:
    """Those that stand behind a comment sign too; nearly all, for what one line spends is missing in the next."""
    seen, wrong = 0, list[object]()
    for _, record, question, state in ordered[::2]:
        live, before = list[Intent](), list[Intent]()
        for line in offered_lines(record.game, state, question.seat, question.menu.words()):
            seen += 1
            intent = understood(record.game, state, question.seat, line.lstrip("# "))
            why = unless_after(before if line.startswith("#") else live, record.game, state, question.seat, intent)
            wrong += [(line, why)] if why else []
            before = [intent] if isinstance(intent, Intent) else []
            live += [] if line.startswith("#") else before
    assert len(wrong) <= seen / 100, wrong[:5]


def unless_after(before: list[Intent], game: AnyGame, state: Any, seat: Seat, intent: Intent | object) -> object:
    """Why a line is not carried out, neither alone nor after others: a walk, then work where it ends."""
    if not isinstance(intent, Intent):
        return intent
    alone = undone(game, state, seat, intent)
    return alone and [doubt.sentence for doubt in game.doubts(state, seat, (*before, intent)) if doubt.undone]


def offered_lines(game: AnyGame, state: Any, seat: Seat, words: Sequence[str]) -> Iterator[str]:
    """What a form proposes, and behind # what else it and HELP show."""
    verbs = verbs_tried(game)
    written = tuple(f"{verb} " for verb in verbs)
    yield from (line for line in game.order_form(state, seat) if line.lstrip("# ").startswith(written))
    yield from (f"# {line}" for word, line in game.examples(state, seat).items() if word in words and word in verbs)


def test_what_is_nearest_to_a_refused_order_is_taken(ordered: tuple[Asked, ...]) -> None:
    for _, record, question, state in ordered:
        game: AnyGame = record.game
        for verb in game.vocabulary(state).verbs:
            order = understand(verb.example, game.vocabulary(state))
            if isinstance(order, Order) and isinstance(game.bind(state, question.seat, order), Illegal):
                for line in game.nearest(state, question.seat, order):
                    assert isinstance(understood(game, state, question.seat, line), Intent), (verb.example, line)


# ---------------------------------------------------------------- nothing is forgotten


def test_random_players_give_every_order(looked_at: tuple[GameRecord, ...]) -> None:
    game: AnyGame = looked_at[0].game
    rng, missing = random.Random(2), set(verbs_tried(game)) - set(game.aside_verbs())
    asked = [question for record in looked_at for question, _ in record.asked if question.wants_orders]
    rng.shuffle(asked)
    for question in asked * 4:  # what is rare comes another time
        if not missing.intersection(question.menu.words()):
            continue
        orders = [bare(intent) for intent in question.menu.sample(rng.randrange)]
        assert {type(order) for order in orders} <= set(game.intents)
        missing -= {order.words.verb for order in orders if isinstance(order, Declared)}
        if not missing:
            break
    assert missing == set()
