"""HELP gives examples from the asker's own position, and every one of them reads and means something."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.order import Illegal
from referee.games.war.game import GAME, War27
from referee.orders import understand_condition
from tests.games.war27.driving import BLUE, GREEN, RED, position
from tests.games.war27.stage_words import WAR, WORDS, read

examples = War27().examples
_TESTS = {verb.word for verb in WORDS.predicates}


def test_every_example_reads_and_binds_in_form() -> None:
    for seat in (RED, BLUE, GREEN):
        for word, line in examples(WAR, seat).items():
            if word in _TESTS:
                understand_condition(line, WORDS)
            else:
                bound = GAME.bind_later(WAR, seat, read(line))
                assert not isinstance(bound, Illegal) or "set-up" in bound.sentence, (word, line, bound)
                assert line.startswith(word)


def test_examples_speak_of_own_regions_and_of_living_rivals() -> None:
    lines = examples(WAR, RED)
    homes = {land.name for land in WAR.regions_of(RED)}
    assert any(name in lines["BUILD"] for name in homes) and any(name in lines["MOVE"] for name in homes)
    assert lines["DECLARE WAR"] == "DECLARE WAR ON Blue"
    assert examples(replace(WAR, out=(BLUE,)), RED)["DECLARE WAR"] == "DECLARE WAR ON Green"


def test_who_has_nothing_gets_the_examples_of_the_vocabulary() -> None:
    assert examples(position(RED, BLUE), RED) == {} == examples(replace(WAR, out=(RED,)), RED)
