"""The demo of Empire at war whole: the raid, the landing and the siege came to something, and the reports say to what."""

from __future__ import annotations

import re

import pytest

from tests.demo.demos import EveryDemo, Played, demo_of

pytestmark = pytest.mark.slow

played = demo_of("empire-war")


class TestEveryDemo(EveryDemo):
    letters = 60


@pytest.mark.parametrize(
    "scene",
    [
        "founds a city on the coast and guards it",
        "raids New Haven from the air",
        "clears the sea",
        "lands under the guns of her fleet",
        "sends the ship back for the reserve",
        "asks for her odds first",
        "attacks New Haven",
    ],
)
def test_what_is_to_be_shown_is_shown(played: Played, scene: str) -> None:
    assert scene in played.said


def test_a_die_decides_before_the_city(played: Played) -> None:
    stormed = [letter.flat for letter in played.letters["otto"] if "Arcadia attacks c22r5" in letter.flat]
    assert stormed
    assert re.search(r"Arcadia attacks c22r5 with .*?odds \d:\d, die \d", stormed[0])


def test_the_raid_hit_or_was_intercepted_as_the_report_of_the_turn_says(played: Played) -> None:
    report = played.report("otto", "Turn 2: Arcadia").flat
    hit = re.search(r"bombs Borealis's airport in c22r5 with .*?: an airport destroyed", report) is not None
    said = " ".join(played.said.partition("The air raid: ")[2].split())
    assert said.startswith(("it hit. ", "intercepted, and yet it hit. ") if hit else "intercepted. ")


def test_troops_landed_on_the_coast_of_the_enemy(played: Played) -> None:
    report = played.report("otto", "Turn 3: Arcadia").flat
    assert re.search(r"Arcadia's (2 artillery \(\d+ and \d+\)|armour \d+) went from c23r6 to c22r6", report)


def test_the_siege_is_decided_and_the_last_figures_agree(played: Played) -> None:
    fallen = "New Haven changed hands" in played.said
    assert fallen != ("New Haven was relieved" in played.said)
    last = [letter for letter in played.letters["otto"] if "Where everybody stands" in letter.flat][-1]
    cities = dict(re.findall(r"^(Arcadia|Borealis)\s+\d+(?: \([+-]\d+\))?\s+(\d)", last.text, re.MULTILINE))
    assert cities == ({"Arcadia": "2", "Borealis": "1"} if fallen else {"Arcadia": "1", "Borealis": "2"})
