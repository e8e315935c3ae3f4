"""Every verb's example reads and binds, and what is printed back reads the same."""

from __future__ import annotations

import pytest

from referee.core.order import Illegal, Order, Verb
from referee.games.newworld.game import GAME
from referee.games.newworld.orders import bind, vocabulary_of
from referee.orders import understand, understand_condition, write
from tests.games.newworld.bots import options
from tests.games.newworld.staging import stage

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
