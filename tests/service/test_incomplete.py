"""After an INCOMPLETE a short letter mends what was refused; of a list of wishes those stand that are understood."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.games.war.game import War27
from tests.service.conftest import ANNA, BEN, GINA
from tests.world import Mail, World

FIRST = "COLONIZE any\nRESERCH any\nHIRE 1 worker KEEPING 3 food\nMOVE 9 armies FROM Europa TO Canda"
MENDED = "Reply with just those lines, mended, and they take their places."


def say(match: World, text: str) -> Mail:
    return match.reply(match.on_turn(), text)[-1]


def on_file(match: World) -> list[str]:
    return match.drawer(match.waits_for(), "orders")


@pytest.fixture
def incomplete(match: World) -> World:
    """Two of four lines stand."""
    receipt = say(match, FIRST)
    assert "] INCOMPLETE" in receipt.subject and MENDED in receipt.flat
    assert on_file(match) == ["COLONIZE any", "HIRE 1 worker KEEPING 3 food"]
    return match


def test_a_mended_line_takes_the_place_of_the_refused_one(incomplete: World) -> None:
    receipt = say(incomplete, "RESEARCH any")
    assert on_file(incomplete) == ["COLONIZE any", "RESEARCH any", "HIRE 1 worker KEEPING 3 food"]
    assert "RESEARCH any stands in the place of RESERCH any." in receipt.flat
    assert (
        "The orders on file stand. A letter with all your orders, or with CLEAR at its head, begins afresh."
        in receipt.flat
    )
    assert "Still not on file, of your letter before: MOVE 9 armies FROM Europa TO Canda." in receipt.flat
    assert "No longer on file" not in receipt.flat


def test_one_letter_after_the_other_mends_line_by_line(incomplete: World) -> None:
    say(incomplete, "MOVE 1 army FROM Europe TO Canada")
    receipt = say(incomplete, "RESEARCH any")
    assert on_file(incomplete) == [
        "COLONIZE any",
        "RESEARCH any",
        "HIRE 1 worker KEEPING 3 food",
        "MOVE 1 army FROM Europe TO Canada",
    ]
    assert "Still not on file" not in receipt.flat
    say(incomplete, "BUY 1 cloth")
    assert on_file(incomplete) == ["BUY 1 cloth"]  # nothing is left to mend, so it begins afresh


def test_a_line_like_none_that_was_refused_is_added_and_so_told(incomplete: World) -> None:
    receipt = say(incomplete, "BUY 1 cloth")
    assert on_file(incomplete) == ["COLONIZE any", "HIRE 1 worker KEEPING 3 food", "BUY 1 cloth"]
    assert "1 line added to the orders on file, which stand. A letter with all your orders" in receipt.flat


def test_the_whole_sheet_mended_takes_the_place_of_all(incomplete: World) -> None:
    whole = ["COLONIZE any", "RESEARCH any", "HIRE 1 worker KEEPING 3 food", "MOVE 1 army FROM Europe TO Canada"]
    say(incomplete, "\n".join(whole))
    assert on_file(incomplete) == whole


def test_a_shorter_sheet_that_repeats_half_of_it_takes_the_place_of_all(incomplete: World) -> None:
    receipt = say(incomplete, "COLONIZE any\nRESEARCH any")
    assert on_file(incomplete) == ["COLONIZE any", "RESEARCH any"]
    assert "No longer on file, since this letter takes the place of what was there: HIRE 1 worker" in receipt.flat


def test_a_line_that_stands_already_is_not_doubled(match: World) -> None:
    say(match, f"{FIRST}\nBUY 1 cloth\nBUY 1 wood\nBUY 1 iron")
    before = on_file(match)
    receipt = say(match, "HIRE 1 worker KEEPING 3 food")
    assert on_file(match) == before
    assert "The orders on file stand, these lines among them." in receipt.flat


def test_clear_at_the_head_begins_afresh(incomplete: World) -> None:
    receipt = say(incomplete, "CLEAR\nRESEARCH any")
    assert on_file(incomplete) == ["RESEARCH any"]
    assert "The orders on file before are off it; those of this letter stand." in receipt.flat


def test_clear_and_an_order_that_ends_the_slot_play_nothing_of_what_was_on_file(tmp_path: Path) -> None:
    """In Empire ROLL OUT is an order of the sheet."""
    world = World(tmp_path)
    world.write(GINA, "CREATE empire AS nw1")
    for player in (ANNA, BEN):
        world.write(player, "JOIN nw1")
    world.reply(GINA, "START nw1")
    world.reply(ANNA, 'PLACE CAPITAL c5r5 NAMED "Aurora"')
    world.reply(ANNA, "CLEAR\nROLL OUT")
    assert world.drawer(world.seat(ANNA), "orders") == ["ROLL OUT"]
    world.close()


def test_clear_behind_the_orders_takes_all_off(incomplete: World) -> None:
    say(incomplete, "RESEARCH any\nCLEAR")
    assert on_file(incomplete) == []


def test_roll_out_ends_the_turn_with_the_mended_sheet(incomplete: World) -> None:
    seat = incomplete.waits_for()
    say(incomplete, "RESEARCH any\nROLL OUT")
    assert incomplete.waits_for() != seat


def test_yes_takes_the_corrections_of_a_mending_letter_and_keeps_the_rest(incomplete: World) -> None:
    receipt = say(incomplete, "RESEARHC any")
    assert "] NOTHING USABLE" in receipt.subject and "Reply with just YES" in receipt.flat
    say(incomplete, "YES")
    assert on_file(incomplete) == ["COLONIZE any", "RESEARCH any", "HIRE 1 worker KEEPING 3 food"]


def test_after_a_complete_letter_the_next_takes_its_place(match: World) -> None:
    say(match, "COLONIZE any\nRESEARCH any\nHIRE 1 worker")
    say(match, "BUY 1 cloth")
    assert on_file(match) == ["BUY 1 cloth"]


@pytest.mark.parametrize(
    "lines",
    ["RESERCH any\nHIRE 1 worker", "HIRE 1 worker\nRESERCH any", "RESERCH any", "HIRE 1 worker\nELSE\nRESERCH any"],
)
def test_a_line_refused_within_a_block_is_not_mended_outside_of_it(match: World, lines: str) -> None:
    say(match, f"COLONIZE any\nBUY 1 iron\nIF workers >= 2\n{lines}\nEND")
    say(match, "RESEARCH any")
    assert on_file(match) == ["RESEARCH any"]


def test_a_roll_out_that_waits_for_a_mended_line_is_not_counted_as_one(match: World) -> None:
    receipt = say(match, "COLONIZE any\nRESERCH any\nROLL OUT")
    assert "INCOMPLETE: 1 line could not be taken" in receipt.flat
    assert "Reply with just that line, mended, and it takes its place." in receipt.flat


# ---------------------------------------------------------------- a list of wishes


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


def drafted(war: World) -> list[str]:
    return war.drawer(war.seat(ANNA, MATCH), "orders", MATCH)


def test_regions_that_are_understood_are_drafted_and_the_others_are_told(war: World) -> None:
    (receipt,) = war.reply(ANNA, DRAFT)
    assert drafted(war) == ["DRAFT Egypt, France, Germany"]
    assert "INCOMPLETE: 1 line could be taken in part only; the rest stands." in receipt.flat
    assert "Line 1, taken in part:" in receipt.flat
    assert '"Great Brittain" is not known as a region. Did you mean Great Britain?' in receipt.flat
    assert 'Not known either: "Xanadu" and "Low Countries". Taken is: DRAFT Egypt, France, Germany.' in receipt.flat


def test_yes_takes_what_was_meant_in_its_place_of_the_list(war: World) -> None:
    (receipt,) = war.reply(ANNA, DRAFT)
    assert "Instead: DRAFT Egypt, Great Britain, France, Germany" in receipt.flat
    war.reply(ANNA, "YES")
    assert drafted(war) == ["DRAFT Egypt, Great Britain, France, Germany"]


def test_where_nothing_near_was_meant_nothing_is_offered(war: World) -> None:
    (receipt,) = war.reply(ANNA, "DRAFT Xanadu, Egypt, India and Xyz")
    assert drafted(war) == ["DRAFT Egypt, India"] and "Instead" not in receipt.flat and "YES" not in receipt.flat


def test_the_line_written_anew_takes_the_place_of_what_was_taken_of_it(war: World) -> None:
    war.reply(ANNA, "DRAFT Egypt, Xanadu, India\nBUY 2 infantry\nPLACE 2 infantry IN Egypt")
    war.reply(ANNA, "DRAFT Egypt, Siam, India")
    assert drafted(war) == ["DRAFT Egypt, Siam, India"]


def test_a_list_of_nothing_that_is_known_is_refused(war: World) -> None:
    (receipt,) = war.reply(ANNA, "DRAFT Xanadu, Xyz")
    assert drafted(war) == [] and "NOTHING USABLE" in receipt.subject


def test_a_roll_out_behind_it_waits(war: World) -> None:
    (receipt,) = war.reply(ANNA, "DRAFT Egypt, Xanadu, India\nROLL OUT")
    assert "Some of your lines were refused, so your turn waits for you" in receipt.flat


def test_a_preview_shows_line_by_line_what_is_understood_and_what_is_not(war: World) -> None:
    (receipt,) = war.reply(ANNA, "PREVIEW\nDRAFT Egypt, Xanadu, India\nBUY 2 infantry\nBUY 2 elephants\nEND")
    assert "Line 2, taken in part:" in receipt.flat and "Line 4, not understood:" in receipt.flat
    assert "Pick the first of these that is still free, each time: Egypt, India." in receipt.flat
    assert "Buy 2 infantry for the start." in receipt.flat
    assert drafted(war) == []


def test_a_list_that_is_spent_stays_whole(war: World) -> None:
    """Of what costs something nobody guesses a part."""
    (receipt,) = war.reply(ANNA, "BUY 2 infantry, 3 elephants")
    assert "NOTHING USABLE" in receipt.subject
