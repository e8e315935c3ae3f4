"""A list of wishes is taken name by name: those that are understood stand, the others are told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.games.war.game import War27
from tests.service.conftest import ANNA, BEN, GINA
from tests.world import World

MATCH = "w1"
DRAFT = "DRAFT Egypt, Great Brittain, Frankreich, Xanadu and germany, Low Countries"


@pytest.fixture
def war(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A match of War! for two, at its draft."""
    monkeypatch.setattr("tests.world.GAMES", (War27(),))
    world = World(tmp_path)
    world.write(GINA, f"CREATE war27 AS {MATCH}")
    for player in (ANNA, BEN):
        world.write(player, f"JOIN {MATCH}")
    world.reply(GINA, f"START {MATCH}", kind="receipt")
    yield world
    world.close()


def on_file(war: World) -> list[str]:
    return war.drawer(war.seat(ANNA, MATCH), "orders", MATCH)


def test_regions_that_are_understood_are_drafted_and_the_others_are_told(war: World) -> None:
    (receipt,) = war.reply(ANNA, DRAFT)
    assert on_file(war) == ["DRAFT Egypt, France, Germany"]
    assert "INCOMPLETE: 1 line could be taken in part only; the rest stands." in receipt.flat
    assert "Line 1, taken in part:" in receipt.flat
    assert '"Great Brittain" is not known as a region. Did you mean Great Britain?' in receipt.flat
    assert 'Not known either: "Xanadu" and "Low Countries". Taken is: DRAFT Egypt, France, Germany.' in receipt.flat


def test_yes_takes_what_was_meant_in_its_place_of_the_list(war: World) -> None:
    (receipt,) = war.reply(ANNA, DRAFT)
    assert "Instead: DRAFT Egypt, Great Britain, France, Germany" in receipt.flat
    war.reply(ANNA, "YES")
    assert on_file(war) == ["DRAFT Egypt, Great Britain, France, Germany"]


def test_where_nothing_near_was_meant_nothing_is_offered(war: World) -> None:
    (receipt,) = war.reply(ANNA, "DRAFT Xanadu, Egypt, India and Xyz")
    assert on_file(war) == ["DRAFT Egypt, India"] and "Instead" not in receipt.flat and "YES" not in receipt.flat


def test_the_line_written_anew_takes_the_place_of_what_was_taken_of_it(war: World) -> None:
    war.reply(ANNA, "DRAFT Egypt, Xanadu, India\nBUY 2 infantry\nPLACE 2 infantry IN Egypt")
    war.reply(ANNA, "DRAFT Egypt, Siam, India")
    assert on_file(war) == ["DRAFT Egypt, Siam, India"]


def test_a_list_of_nothing_that_is_known_is_refused(war: World) -> None:
    (receipt,) = war.reply(ANNA, "DRAFT Xanadu, Xyz")
    assert on_file(war) == [] and "NOTHING USABLE" in receipt.subject


def test_a_roll_out_behind_it_waits(war: World) -> None:
    (receipt,) = war.reply(ANNA, "DRAFT Egypt, Xanadu, India\nROLL OUT")
    assert "Some of your lines were refused, so your turn waits for you" in receipt.flat


def test_a_preview_shows_line_by_line_what_is_understood_and_what_is_not(war: World) -> None:
    (receipt,) = war.reply(ANNA, "PREVIEW\nDRAFT Egypt, Xanadu, India\nBUY 2 infantry\nBUY 2 elephants\nEND")
    assert "Line 2, taken in part:" in receipt.flat and "Line 4, not understood:" in receipt.flat
    assert "Pick the first of these that is still free, each time: Egypt, India." in receipt.flat
    assert "Buy 2 infantry for the start." in receipt.flat
    assert on_file(war) == []


def test_a_list_that_is_spent_stays_whole(war: World) -> None:
    """Of what costs something nobody guesses a part."""
    (receipt,) = war.reply(ANNA, "BUY 2 infantry, 3 elephants")
    assert "NOTHING USABLE" in receipt.subject
