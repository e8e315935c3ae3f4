"""The demo of War! 1.7 whole: a battle plan, a battle fought by letter turn by turn, exploring, peace, and the proofs."""

from __future__ import annotations

import pytest

from tests.demo.demos import EveryDemo, Played, demo_of

pytestmark = pytest.mark.slow
played = demo_of("war17")


class TestEveryDemo(EveryDemo):
    letters = 80


def test_the_demo_shows_what_it_is_for(played: Played) -> None:
    for sentence in (
        "Red declares war on Blue",
        "LEADERS centre",
        "Blue and Red make peace",
        "Green, the whole turn: played by default after the deadline",
        "The HTML letter shows the map",
    ):
        assert sentence in played.said


def test_who_left_a_plan_is_not_asked_and_who_wants_to_be_is_asked_in_every_turn_of_the_battle(played: Played) -> None:
    def asked(name: str) -> list[str]:
        letters = [letter for letter in played.letters[name] if letter.heading == "A decision for you"]
        return [letter.flat for letter in letters if "What do you do?" in letter.flat]

    assert asked("anna") == []
    mine = asked("ben")
    assert mine and "Battle of France, turn 1." in mine[0]
    report = played.report("otto", "Turn 1, round 2: Red moves")
    assert "Battle of France" in report.flat and "1 leader" in report.flat


def test_nothing_is_said_of_what_this_edition_does_not_know(played: Played) -> None:
    every = " ".join(letter.flat for letters in played.letters.values() for letter in letters)
    for word in ("general", "sphere", "diplomacy", "DP"):
        assert f" {word} " not in every, word
