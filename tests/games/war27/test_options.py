"""Optional rules: what excludes what, and the words they bring."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.core.order import Illegal, Order, Verb
from referee.games.war.game import GAME
from referee.games.war.orders import vocabulary_of
from referee.games.war.position.state import OPTIONAL, plays
from referee.orders import understand, write
from tests.games.war27.driving import BLUE, GREEN, RED
from tests.games.war27.stage_words import IDS, PLACING, PRODUCING, WAR, WORDS

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
