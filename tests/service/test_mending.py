"""After an INCOMPLETE a short letter mends: its lines take the places of the refused ones, and the others stay."""

from __future__ import annotations

import pytest

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
        "What was on file stands. A letter with all your orders, or with CLEAR at its head, begins afresh."
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
    assert "1 line added to what was on file, which stands. A letter with all your orders" in receipt.flat


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
    assert "What was on file stands, these lines among it." in receipt.flat


def test_clear_at_the_head_begins_afresh(incomplete: World) -> None:
    receipt = say(incomplete, "CLEAR\nRESEARCH any")
    assert on_file(incomplete) == ["RESEARCH any"]
    assert "What was on file before is off it; the orders of this letter stand." in receipt.flat


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


def test_a_line_refused_within_a_block_is_not_mended_outside_of_it(match: World) -> None:
    say(match, "COLONIZE any\nBUY 1 iron\nIF workers >= 2\nRESERCH any\nHIRE 1 worker\nEND")
    say(match, "RESEARCH any")
    assert on_file(match) == ["RESEARCH any"]


def test_a_roll_out_that_waits_for_a_mended_line_is_not_counted_as_one(match: World) -> None:
    receipt = say(match, "COLONIZE any\nRESERCH any\nROLL OUT")
    assert "INCOMPLETE: 1 line could not be taken" in receipt.flat
    assert "Reply with just that line, mended, and it takes its place." in receipt.flat
