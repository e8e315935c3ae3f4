"""The demo of War! whole: battles by letter, interception, peace, a sphere, a silent player, the map, and the proofs."""

from __future__ import annotations

import io
import re
import sqlite3
from pathlib import Path

import pytest
from PIL import Image

from referee.adapters.maildir import read_maildir
from referee.demo.client import Letter
from tests.demo.command import referee

QUOTED = "    "
"""How a letter begins a line that says again what its reader wrote."""

PLAYERS = ("anna", "ben", "chiyo", "dan")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a demo that was played to its end, and what it printed."""
    folder = tmp_path_factory.mktemp("war") / "kept"
    code, said = referee("demo", "war27", "--keep", str(folder), cwd=folder.parent)
    assert code == 0, said
    return folder, " ".join(said.split())


@pytest.fixture(scope="module")
def letters(played: tuple[Path, str]) -> dict[str, list[Letter]]:
    """Every letter, by the first name of its reader."""
    boxes = (played[0] / "mail").iterdir()
    return {box.name.partition("@")[0]: [Letter(raw) for raw in read_maildir(box)] for box in boxes}


def asked(letters: list[Letter], words: str) -> list[Letter]:
    """The questions with these words that came to somebody."""
    return [letter for letter in letters if "a decision for" in letter.subject and words in letter.flat]


def test_the_demo_plays_a_whole_match_and_proves_it(played: tuple[Path, str]) -> None:
    _, said = played
    for sentence in (
        "Red declares war on Blue; Red declares war on Green",
        "Yellow, the whole turn: played by default after the deadline",
        "Blue and Red make peace",
        "places a sphere of influence in",
        "The HTML letter shows the map",
        "Final standings",
        "referee verify, with nothing but the archive folder: Sound",
        "referee replay, from the database: Sound",
    ):
        assert sentence in said


def test_both_sides_of_the_battle_of_france_were_asked_by_letter(letters: dict[str, list[Letter]]) -> None:
    losses = [*asked(letters["anna"], "must go. Which?"), *asked(letters["ben"], "must go. Which?")]
    assert losses
    for name in ("anna", "ben"):
        assert asked(letters[name], "Fight on or retreat?")


def test_nobody_else_was_asked_in_the_middle_of_a_turn(letters: dict[str, list[Letter]]) -> None:
    for name in ("chiyo", "dan"):
        questions = asked(letters[name], "")
        assert [letter for letter in questions if "Set-up" not in letter.flat] == []


def test_green_intercepts_by_standing_orders_alone(letters: dict[str, list[Letter]]) -> None:
    (report,) = [letter for letter in letters["otto"] if re.search(r"Turn 1, round 2: Red moves", letter.subject)]
    assert "Green intercepts Red's fleets in Eastern Mediterranean before they sail to Adriatic Sea." in report.flat
    assert "Naval battle in Eastern Mediterranean" in report.flat
    assert asked(letters["chiyo"], "Do you intercept") == []


def test_a_question_tells_its_default_in_words_that_can_be_sent_back(letters: dict[str, list[Letter]]) -> None:
    defaults = [
        found[1]
        for name in PLAYERS
        for letter in letters[name]
        if (found := re.search(r"If you do not answer, this is chosen: (.*?) What you owe", letter.flat))
    ]
    assert defaults
    assert [default for default in defaults if not re.fullmatch(r"[\w ,-]+", default)] == []


def test_the_map_of_the_letter_is_a_picture(played: tuple[Path, str]) -> None:
    with Image.open(io.BytesIO((played[0] / "map.png").read_bytes())) as picture:
        assert picture.size[0] >= 800
        assert len(picture.convert("RGB").getcolors(2**24) or ()) > 10


def test_the_service_had_nothing_to_complain_of(played: tuple[Path, str]) -> None:
    assert (played[0] / "service.log").read_text() == ""


def test_no_letter_was_shunted_or_failed(played: tuple[Path, str]) -> None:
    with sqlite3.connect(f"file:{played[0] / 'referee.sqlite'}?mode=ro", uri=True) as database:
        assert database.execute("select count(*) from letter_in where status = 'shunted'").fetchone() == (0,)
        assert database.execute("select count(*) from letter_out where status <> 'sent'").fetchone() == (0,)
    database.close()


def test_letters_keep_to_72_columns(letters: dict[str, list[Letter]]) -> None:
    every = [letter for name in letters for letter in letters[name]]
    assert len(every) > 100
    # Orders go back line by line, so their lines are never broken; a Message-ID has no place to break at.
    running = [line for letter in every for line in _outside_of_orders(letter)]
    assert [line for line in running if len(line) > 72 and "@" not in line] == []


def _outside_of_orders(letter: Letter) -> list[str]:
    cut = re.compile(r"^# (- )+cut here.*?^# (- )+cut here[- ]*$", re.MULTILINE | re.DOTALL)
    return [line for line in cut.sub("", letter.text).splitlines() if not line.startswith(QUOTED)]


def test_one_picture_of_the_public_map_serves_the_table_and_the_file_shows_what_each_knows(
    letters: dict[str, list[Letter]],
) -> None:
    def reports(name: str) -> dict[str, Letter]:
        return {letter.subject: letter for letter in letters[name] if letter.pictures}

    apart = 0
    for subject, mine in reports("anna").items():
        if his := reports("ben").get(subject):
            assert mine.pictures == his.pictures, subject
            if mine.files["map.svg"] != his.files["map.svg"]:
                assert "what you alone know" in mine.flat + his.flat
                apart += 1
    assert apart
