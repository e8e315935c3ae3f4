"""The demo of Empire whole: parts, refusals, a petition, a seizure, a late player, a split country, sheets, and the proofs."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from tests.demo.demos import EveryDemo, Played, demo_of

pytestmark = pytest.mark.slow
played = demo_of("empire")


class TestEveryDemo(EveryDemo):
    letters = 80


def test_the_demo_shows_what_it_is_for(played: Played) -> None:
    for sentence in (
        "corrected by YES",
        "sends her turn in parts",
        "asks first where her orders would lead",
        "posts a petition",
        "splits her country",
        "finds a ship on her beach",
        "His record says",
        "CSV files came",
    ):
        assert sentence in played.said


def test_six_turns_were_played_by_everybody(played: Played) -> None:
    for turn in range(1, 7):
        for seat in ("Arcadia", "Borealis", "Cascadia"):
            assert seat in played.report("otto", f"Turn {turn}: {seat}").subject


def test_the_late_player_was_rolled_out_by_another_and_his_roll_is_one_less(played: Played) -> None:
    late = played.report("ben", "Turn 4: Borealis")
    assert "Borealis was rolled out by Cascadia, 1 full day after the slot opened" in late.flat
    roll, modified = map(int, re.findall(r"\b(\d+)-->(\d+)\b", late.text)[0])
    assert modified == max(2, roll - 1)
    assert "a warehouse is built" in late.flat, "what he had executed stands"


def test_the_ship_with_its_cargo_went_from_one_trade_sheet_to_the_other(played: Played) -> None:
    seized = played.report("anna", "Turn 4: Arcadia")
    assert re.search(r"Arcadia seized Borealis's cargo ship \d+ in c8r6", seized.flat)
    sheets = next(letter for letter in played.letters["anna"] if "Borealis: e. Trade" in letter.flat)
    assert re.search(r"cargo ship", sheets.text[sheets.text.index("Borealis: e. Trade") :])


def test_the_petition_passed_by_two_votes(played: Played) -> None:
    assert sum("petition 1 passes" in letter.flat for letter in played.letters["otto"]) == 1


def test_the_new_country_is_fed_and_rolls_for_itself(played: Played) -> None:
    for turn in (4, 5, 6):
        assert "Northland: confidence roll" in played.report("otto", f"Turn {turn}: Cascadia").flat


def test_the_map_comes_as_svg_that_can_be_read(played: Played) -> None:
    root = ET.fromstring((played.folder / "map.svg").read_text("utf-8"))
    assert root.tag.endswith("svg")
    assert len(list(root.iter())) > 500
