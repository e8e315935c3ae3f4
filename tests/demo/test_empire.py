"""The demo of Empire whole: parts, refusals, a petition, a seizure, a late player, a split country, sheets, and the proofs."""

from __future__ import annotations

import re
import sqlite3
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from referee.adapters.maildir import read_maildir
from referee.demo.client import Letter
from tests.demo.command import referee

QUOTED = "    "
"""How a letter begins a line that says again what its reader wrote."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a demo that was played to its end, and what it printed."""
    folder = tmp_path_factory.mktemp("empire") / "kept"
    code, said = referee("demo", "empire", "--keep", str(folder), cwd=folder.parent)
    assert code == 0, said
    return folder, " ".join(said.split())


@pytest.fixture(scope="module")
def letters(played: tuple[Path, str]) -> dict[str, list[Letter]]:
    """Every letter, by the first name of its reader."""
    boxes = (played[0] / "mail").iterdir()
    return {box.name.partition("@")[0]: [Letter(raw) for raw in read_maildir(box)] for box in boxes}


def report(letters: list[Letter], phase: str) -> Letter:
    """The report of a phase."""
    (found,) = [letter for letter in letters if letter.subject.startswith(f"[emp1] {phase}: ") and not letter.answers]
    return found


def test_the_demo_plays_a_whole_match_and_proves_it(played: tuple[Path, str]) -> None:
    _, said = played
    for sentence in (
        "corrected by YES",
        "sends her turn in parts",
        "asks first where her orders would lead",
        "posts a petition",
        "splits her country",
        "finds a ship on her beach",
        "His record says",
        "CSV files came",
        "Final standings",
        "referee verify, with nothing but the archive folder: Sound",
        "referee replay, from the database: Sound",
    ):
        assert sentence in said


def test_six_turns_were_played_by_everybody(letters: dict[str, list[Letter]]) -> None:
    for turn in range(1, 7):
        for seat in ("Arcadia", "Borealis", "Cascadia"):
            assert f"{seat}" in report(letters["otto"], f"Turn {turn}: {seat}").subject


def test_the_late_player_was_rolled_out_by_another_and_his_roll_is_one_less(letters: dict[str, list[Letter]]) -> None:
    late = report(letters["ben"], "Turn 4: Borealis")
    assert "Borealis was rolled out by Cascadia, 1 full day after the slot opened" in late.flat
    roll, modified = map(int, re.findall(r"\b(\d+)-->(\d+)\b", late.text)[0])
    assert modified == max(2, roll - 1)
    assert "a warehouse is built" in late.subject, "what he had executed stands"


def test_the_ship_with_its_cargo_went_from_one_trade_sheet_to_the_other(letters: dict[str, list[Letter]]) -> None:
    seized = report(letters["anna"], "Turn 4: Arcadia")
    assert re.search(r"Arcadia seized Borealis's cargo ship \d+ in c8r6", seized.flat)
    sheets = next(letter for letter in letters["anna"] if "Borealis: e. Trade" in letter.flat)
    assert re.search(r"cargo ship", sheets.text[sheets.text.index("Borealis: e. Trade") :])


def test_the_petition_passed_by_two_votes(letters: dict[str, list[Letter]]) -> None:
    assert sum("petition 1 passes" in letter.subject for letter in letters["otto"]) == 1


def test_the_new_country_is_fed_and_rolls_for_itself(letters: dict[str, list[Letter]]) -> None:
    for turn in (4, 5, 6):
        assert "Northland: confidence roll" in report(letters["otto"], f"Turn {turn}: Cascadia").subject


def test_the_chart_comes_as_svg_that_can_be_read(played: tuple[Path, str]) -> None:
    root = ET.fromstring((played[0] / "chart.svg").read_text("utf-8"))
    assert root.tag.endswith("svg")
    assert len(list(root.iter())) > 500


def test_the_service_had_nothing_to_complain_of(played: tuple[Path, str]) -> None:
    assert (played[0] / "service.log").read_text() == ""


def test_no_letter_was_shunted_or_failed(played: tuple[Path, str]) -> None:
    with sqlite3.connect(f"file:{played[0] / 'referee.sqlite'}?mode=ro", uri=True) as database:
        assert database.execute("select count(*) from letter_in where status = 'shunted'").fetchone() == (0,)
        assert database.execute("select count(*) from letter_out where status <> 'sent'").fetchone() == (0,)
    database.close()


def test_letters_keep_to_72_columns(letters: dict[str, list[Letter]]) -> None:
    every = [letter for name in letters for letter in letters[name]]
    assert len(every) > 80
    # Orders go back line by line, so their lines are never broken; a Message-ID has no place to break at.
    running = [line for letter in every for line in _outside_of_orders(letter)]
    assert [line for line in running if len(line) > 72 and "@" not in line] == []


def _outside_of_orders(letter: Letter) -> list[str]:
    cut = re.compile(r"^# (- )+cut here.*?^# (- )+cut here[- ]*$", re.MULTILINE | re.DOTALL)
    return [line for line in cut.sub("", letter.text).splitlines() if not line.startswith(QUOTED)]
