"""HELP gives examples from the asker's own position, and every one of them reads and means something."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Ambiguous, Illegal, Invalid, Order
from referee.games.newworld.forecast import examples
from referee.games.newworld.game import NewWorld
from referee.games.newworld.position import Offer, World
from referee.games.newworld.rulebook import RESOURCES
from referee.orders import understand, understand_condition
from tests.contract.bots import play_bots
from tests.games.newworld.staging import PLAYERS, stage

GAME = NewWorld()
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
