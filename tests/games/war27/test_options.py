"""Optional rules: what excludes what, the words they bring, every pair of them played, and what they keep secret."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

import pytest
from msgspec.structs import replace

from referee.core.order import Illegal, Order, Verb
from referee.core.record import Answered
from referee.games.war.game import GAME
from referee.games.war.orders import vocabulary_of
from referee.games.war.position.state import OPTIONAL, plays
from referee.orders import understand, write
from tests.contract.bots import GameRecord, play_bots
from tests.contract.conftest import LONGEST
from tests.contract.test_play import check_no_leak, check_one
from tests.contract.test_secrecy import choice, compare, forked_by_dice, hidden_throws
from tests.games.war27.driving import BLUE, GREEN, RED
from tests.games.war27.stage_words import IDS, PLACING, PRODUCING, WAR, WORDS
from tests.match import Match

# ---------------------------------------------------------------- what excludes what


DEFAULTS = {setting.name: setting.default for setting in GAME.settings}
ALL = {setting.name: setting.values[-1] for setting in OPTIONAL}
PLAYED = tuple(replace(war, options={**war.options, **ALL}) for war in (WAR, PRODUCING, PLACING))
STANDARD = {verb.word for verb in WORDS.verbs}
MORE = vocabulary_of(PLAYED[0])


def test_the_standard_game_plays_none_and_each_is_asked_for_by_name() -> None:
    assert not any(plays(WAR, setting.name) for setting in OPTIONAL)
    assert all(plays(PLAYED[0], setting.name) for setting in OPTIONAL)
    assert {setting.rule for setting in OPTIONAL} <= IDS


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"random_regions": "yes", "historical": "yes"}, "not both"),
        ({"capital_only": "yes"}, "needs multiple_buildings"),
        ({"simultaneous": "yes", "production": "in_order"}, "cannot be played with production in_order"),
    ],
)
def test_what_excludes_each_other_is_refused_with_a_sentence(chosen: dict[str, str], words: str) -> None:
    refusal = GAME.refuse_options({**DEFAULTS, **chosen}, 4)
    assert refusal is not None and words in refusal and refusal.endswith(".")
    assert GAME.refuse_options({**DEFAULTS, **chosen, next(iter(chosen)): "no"}, 4) is None


@pytest.mark.parametrize("verb", [v for v in MORE.verbs if v.word not in STANDARD], ids=lambda verb: verb.word)
def test_examples_of_optional_verbs_read_bind_and_print_back(verb: Verb) -> None:
    order = understand(verb.example, MORE)
    assert isinstance(order, Order), order
    assert understand(write(order), MORE) == order
    seen = [GAME.bind(war, seat, order) for war in PLAYED for seat in (RED, BLUE, GREEN)]
    for found in seen:
        said = found.sentence if isinstance(found, Illegal) else found.meaning()
        assert said.endswith(".")
    assert verb.rule in IDS and verb.meaning[0].islower()


@pytest.mark.parametrize("how", ["Always", "Never"])
def test_consent_means_what_it_says(how: str) -> None:
    order = understand(f"CONSENT {how.upper()}", MORE)
    assert isinstance(order, Order)
    intent = GAME.bind(PLAYED[0], RED, order)
    assert not isinstance(intent, Illegal)
    assert intent.meaning() == f"{how} agree to the mending of others' unlawful lines."


# ---------------------------------------------------------------- every pair of them


GAMES_A_PAIR = 5
PLAYERS = (3, 4, 2, 5, 6)
"""Of each of the games of a pair: small tables mostly, which come to blows soon."""

_ON = {setting.name: setting.values[1:] for setting in OPTIONAL}


def options_of(pair: tuple[str, str], turn: int) -> dict[str, str]:
    """Both rules on, each with another of its values from game to game, the rest as a match has it by default."""
    chosen = {setting.name: setting.default for setting in GAME.settings} | {"last_turn": "5"}
    chosen |= {name: _ON[name][turn % len(_ON[name])] for name in pair}
    return chosen | {"decisions": ("standing", "interactive")[turn % 2]}


def lawful(options: Mapping[str, str], players: int) -> bool:
    return GAME.refuse_options(options, players) is None


def pairs() -> Iterator[tuple[str, str]]:
    """Pairs that may be played together, in the order of the settings."""
    for pair in combinations(_ON, 2):
        if lawful(options_of(pair, 0), PLAYERS[0]):
            yield pair


def test_every_optional_rule_is_in_some_pair() -> None:
    played = {name for pair in pairs() for name in pair}
    assert played == set(_ON)


@pytest.mark.slow
@pytest.mark.parametrize("pair", tuple(pairs()), ids="+".join)
def test_every_pair_of_optional_rules_is_played(pair: tuple[str, str]) -> None:
    for turn in range(GAMES_A_PAIR):
        options, players = options_of(pair, turn), PLAYERS[turn]
        assert lawful(options, players)
        record = play_bots(GAME, players, options, turn, LONGEST)
        assert record.over
        check_one(record)
        check_no_leak(record, turn)


# ---------------------------------------------------------------- what they keep secret


def played(option: str) -> GameRecord:
    chosen = {setting.name: setting.default for setting in GAME.settings} | {"last_turn": "3", option: "yes"}
    return play_bots(GAME, 3, chosen, 2, LONGEST)


@pytest.mark.parametrize(
    ("option", "window"), [("auction", "/bids/"), ("simultaneous", "/purchase/"), ("simultaneous", "T2/production/")]
)
def test_what_is_sealed_changes_nothing_that_others_are_handed(option: str, window: str) -> None:
    record, same = played(option), 0
    for place, answered in enumerate(record.records):
        if isinstance(answered, Answered) and window in answered.key:
            one, other = (Match(GAME, record.created, record.secret, records=record.records[:place]) for _ in "12")
            if any(question.key == answered.key for question in one.outcome.open) and len(one.outcome.open) > 1:
                for match, salt in ((one, 2), (other, 3)):
                    question = match.open(answered.key)
                    match.answer(question, choice(question, salt))
                same += compare(one, other, answered.seat)
    assert same > 0


def test_a_card_changes_nothing_that_others_are_handed() -> None:
    record = played("hidden_victory")
    forks = [fork for seat in record.created.seats for fork in hidden_throws(record, seat) if "Card of" in fork[3]]
    assert forks
    assert sum(forked_by_dice(*fork) for fork in forks) > 0
