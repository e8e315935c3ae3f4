"""The demo of War! whole: battles by letter, interception, peace, a sphere, a silent player, the map, and the proofs.

Each of these is played by letter in tests/service/test_war_by_mail.py and tests/games/war27, too, and the demo of New World in
every run; so this one, at fifteen seconds of a processor, is for the slow runs.
"""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from referee.demo.client import Letter
from tests.demo.demos import EveryDemo, Played, demo_of

PLAYERS = ("anna", "ben", "chiyo", "dan")


pytestmark = pytest.mark.slow
played = demo_of("war27")


class TestEveryDemo(EveryDemo):
    letters = 100


def asked(letters: list[Letter], words: str) -> list[Letter]:
    """The questions with these words that came to somebody."""
    return [letter for letter in letters if letter.heading == "A decision for you" and words in letter.flat]


def test_the_demo_shows_what_it_is_for(played: Played) -> None:
    for sentence in (
        "Red declares war on Blue; Red declares war on Green",
        "Yellow, the whole turn: played by default after the deadline",
        "Blue and Red make peace",
        "places a sphere of influence in",
        "The HTML letter shows the map",
    ):
        assert sentence in played.said


def test_both_sides_of_the_battle_of_france_were_asked_by_letter(played: Played) -> None:
    losses = [*asked(played.letters["anna"], "must go. Which?"), *asked(played.letters["ben"], "must go. Which?")]
    assert losses
    for name in ("anna", "ben"):
        assert asked(played.letters[name], "Fight on or retreat?")


def test_nobody_else_was_asked_in_the_middle_of_a_turn(played: Played) -> None:
    for name in ("chiyo", "dan"):
        questions = asked(played.letters[name], "")
        assert [letter for letter in questions if "Set-up" not in letter.flat] == []


def test_green_intercepts_by_standing_orders_alone(played: Played) -> None:
    (report,) = [letter for letter in played.letters["otto"] if letter.heading == "Turn 1, round 2: Red moves"]
    assert "Green intercepts Red's fleets in Eastern Mediterranean before they sail to Adriatic Sea." in report.flat
    assert "Naval battle in Eastern Mediterranean" in report.flat
    assert asked(played.letters["chiyo"], "Do you intercept") == []


def test_a_question_tells_its_default_in_words_that_can_be_sent_back(played: Played) -> None:
    defaults = [
        found[1]
        for name in PLAYERS
        for letter in played.letters[name]
        if (found := re.search(r"or else this is chosen: (.*?)\. Your answer", letter.flat))
    ]
    assert defaults
    assert [default for default in defaults if not re.fullmatch(r"[\w ,-]+", default)] == []


def test_the_map_of_the_letter_is_a_picture_in_two_halves(played: Played) -> None:
    for half in ("west", "east"):
        with Image.open(io.BytesIO((played.folder / f"map-{half}.png").read_bytes())) as picture:
            assert picture.size[0] >= 400
            assert len(picture.convert("RGB").getcolors(2**24) or ()) > 10


def test_one_picture_of_the_public_map_serves_the_table_and_the_file_shows_what_each_knows(
    played: Played,
) -> None:
    def reports(name: str) -> dict[str, Letter]:
        return {letter.heading: letter for letter in played.letters[name] if letter.pictures}

    apart = 0
    for subject, mine in reports("anna").items():
        if his := reports("ben").get(subject):
            assert mine.pictures == his.pictures, subject
            if mine.files["map.svg"] != his.files["map.svg"]:
                assert "what you alone know" in mine.flat + his.flat
                apart += 1
    assert apart
