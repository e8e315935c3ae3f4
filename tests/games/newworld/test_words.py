"""Every example reads and binds, those of HELP come from the asker's own position, and what is printed back reads the same."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Ambiguous, Illegal, Invalid, Order, Verb
from referee.games.newworld.forecast import examples
from referee.games.newworld.game import GAME
from referee.games.newworld.orders import bind, vocabulary_of
from referee.games.newworld.position import Offer, World
from referee.games.newworld.rulebook import RESOURCES
from referee.orders import understand, understand_condition, write
from tests.contract.bots import play_bots
from tests.games.newworld.bots import options
from tests.games.newworld.staging import PLAYERS, stage

# ---------------------------------------------------------------- the vocabulary


WORLD = stage(options())
WORDS = vocabulary_of(WORLD)


def read(line: str) -> Order:
    order = understand(line, WORDS)
    assert isinstance(order, Order), (line, order)
    return order


@pytest.mark.parametrize("verb", WORDS.verbs, ids=lambda verb: verb.word)
def test_examples_read_bind_and_print_back(verb: Verb) -> None:
    order = read(verb.example)
    assert read(write(order)) == order
    intent = bind(WORLD, WORLD.order[0], order)
    if verb.word in ("ACCEPT", "DECLINE", "WITHDRAW"):
        assert isinstance(intent, Illegal) and "no offer 1" in intent.sentence
    else:
        assert not isinstance(intent, Illegal), intent
        assert intent.meaning().endswith(".")


@pytest.mark.parametrize("test", WORDS.predicates, ids=lambda verb: verb.word)
def test_conditions_read_and_are_judged(test: Verb) -> None:
    condition = understand_condition(test.example, WORDS)
    assert not hasattr(condition, "sentence"), condition
    assert GAME.holds(WORLD, WORLD.order[0], condition) in (True, False)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("ATTACK Spain IN Europe", "Attack Spain in Europe for whatever yields most with the fleets left over."),
        ("ATTACK Spain IN Europe FOR Ore, any WITH 1 fleet",
         "Attack Spain in Europe for Ore or else whatever yields most with 1 fleet."),
        ("ATTACK Spain IN Europe FOR Ore OF England UNLESS outnumbered",
         "Attack Spain in Europe for Ore (England) with the fleets left over, unless outnumbered in dice."),
    ],
)  # fmt: skip
def test_an_attack_means_what_it_says(line: str, meant: str) -> None:
    intent = bind(WORLD, WORLD.order[0], read(line))
    assert not isinstance(intent, Illegal) and intent.meaning() == meant


@pytest.mark.parametrize(
    ("line", "words", "instead"),
    [
        ("BUY 3 workers", "hired", "HIRE 3 workers"),
        ("BUILD 2 armies", "raised", "RAISE 2 armies"),
        ("RAISE 1 fleet", "built", "BUILD 1 fleet"),
        ("MOVE 1 fleet FROM Europe TO Canada", "everywhere", None),
        ("MOVE 1 army FROM Europe TO Europe", "leave", None),
        ("MOVE armies FROM Europe TO Canada", "how many", None),
        ("ATTACK France IN Europe", "yourself", None),
        ("ATTACK Spain IN Canada FOR Gems", "no Gems in Canada", None),
        ("ATTACK rebels IN Europe", "no rebels in Europe", None),
        ("COLONIZE Gems IN Canada", "no Gems in Canada", "COLONIZE Central American Gems"),
        ("COLONIZE Wool", "European terrain", None),
        ("COLONIZE Fish IN Europe", "Nothing in Europe", None),
        ("ROB France", "not their own", None),
        ("OFFER 3 gold TO France", "with yourself", None),
        ("OFFER 3 gold TO Spain FOR 1 gold", "gold for gold", None),
        ("LOSE fleets FROM Canada", "no Region", None),
        ("RESEARCH any KEEPING 2 food", "only gold", None),
        ("HIRE 2 horses", "Only workers", "BUY 2 horses"),
    ],
)
def test_refusals_say_why_and_what_instead(line: str, words: str, instead: str | None) -> None:
    refusal = bind(WORLD, WORLD.order[0], read(line))
    assert isinstance(refusal, Illegal)
    assert words in refusal.sentence and refusal.rule in {rule.id for rule in GAME.rules}
    if instead is not None:
        assert instead in refusal.instead
        assert not isinstance(bind(WORLD, WORLD.order[0], read(instead)), Illegal)


@pytest.mark.parametrize(
    "line",
    ["SELL 1 cloth", "OFFER 1 worker", "OFFER 1 cloth TO Spain FOR 1 cloth", "DISCARD 9 armies", "MOVE 2 armies"],
)
def test_who_gives_something_away_is_never_offered_to_get_it(line: str) -> None:
    order = understand(line, WORDS)
    found = bind(WORLD, WORLD.order[0], order) if isinstance(order, Order) else order
    lines = getattr(found, "instead", ())
    assert not [offered for offered in lines if offered.split()[0] in ("BUY", "HIRE", "BUILD", "RAISE")]


# ---------------------------------------------------------------- HELP's examples


FRANCE, SPAIN, ENGLAND = PLAYERS
STAGE = stage({setting.name: setting.default for setting in GAME.settings})


def wrong(world: World, seat: Seat) -> list[str]:
    """The examples of a position that could not be sent."""
    words = GAME.vocabulary(world)
    tests = {verb.word for verb in words.predicates}
    found = []
    for word, line in examples(world, seat).items():
        if word in tests:
            found += [line] if isinstance(understand_condition(line, words), Invalid | Illegal | Ambiguous) else []
            continue
        order = understand(line, words)
        if not isinstance(order, Order) or isinstance(GAME.bind(world, seat, order), Illegal) or order.verb != word:
            found.append(line)
    return found


def test_every_verb_has_an_example_from_a_rich_position() -> None:
    offers = (Offer(1, SPAIN, FRANCE, {"gold": 1}, {}), Offer(2, FRANCE, SPAIN, {"gold": 1}, {}))
    rich = replace(STAGE, offers=offers, next_offer=3).gaining(FRANCE, dict.fromkeys(RESOURCES, 9))
    lines = examples(rich, FRANCE)
    assert {verb.word for verb in GAME.vocabulary(rich).verbs} == {word for word in lines if word.isupper()} - {
        "CONTROLS"
    }
    assert (lines["ACCEPT"], lines["DECLINE"], lines["WITHDRAW"]) == ("ACCEPT 1", "DECLINE 1", "WITHDRAW 2")
    assert lines["COLONIZE"].endswith(" any") and lines["CONTROLS"].startswith("France CONTROLS ")
    assert not wrong(rich, FRANCE)


def test_the_examples_of_a_whole_game_could_be_sent() -> None:
    played = play_bots(GAME, 3, dict(STAGE.options), 5, 40)
    seen = 0
    for question, world in played.asked:
        if question.wants_orders:
            assert not wrong(world, question.seat)
            seen += len(examples(world, question.seat))
    assert seen > 100


def test_who_is_out_gets_the_examples_of_the_vocabulary() -> None:
    assert examples(replace(STAGE, ended="12 rounds are over"), FRANCE) == {}
