"""War! played by letters: what a player reads, and what may stand in an order sheet written ahead."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.core.record import Answered
from tests.service.conftest import GINA, PLAYERS
from tests.world import World

ANNA, BEN, CARLA, DAN = PLAYERS


@pytest.fixture
def war(world: World) -> Iterator[World]:
    """The match w1 of War! with four players, who are about to draft."""
    world.write(GINA, "CREATE war27 AS w1")
    for player in PLAYERS:
        world.write(player, "JOIN w1")
    world.reply(GINA, "START w1", kind="receipt")
    yield world


def test_lines_of_an_if_and_of_a_later_turn_are_read_for_their_form_only(war: World) -> None:
    war.wait(hours=25)  # the draft
    war.wait(hours=25)  # the purchase
    sheet = (
        "IF PP >= 9000\nMOVE 90 infantry FROM Sudan TO Egypt\nEND\nFOR TURN 5\nBUILD 9 cavalry IN Borneo\nBUY 9 DP\nEND"
    )
    (receipt,) = war.reply(ANNA, sheet)
    assert "COMPLETE" in receipt.subject and "INCOMPLETE" not in receipt.subject
    assert "Buy 9 cavalry in Borneo" in receipt.flat and "March 90 infantry from Sudan to Egypt" in receipt.flat
    receipt = war.reply(ANNA, "ROLL OUT")[-1]
    assert "Not taken" not in receipt.text and war.log(Answered, "w1")[-1].seat == "Red"


def test_a_line_that_is_wrong_on_any_day_is_refused_in_an_if_too(war: World) -> None:
    (receipt,) = war.reply(ANNA, "DRAFT Egypt\nIF Egypt GONE\nMOVE 1 infantry FROM Egypt TO Japan\nEND")
    assert "INCOMPLETE" in receipt.subject and "No way by land leads from Egypt to Japan" in receipt.flat


def test_a_draft_under_standing_is_judged_at_each_pick(war: World) -> None:
    war.reply(ANNA, "STANDING\nIF Egypt GONE\nDRAFT Japan\nELSE\nDRAFT Egypt\nEND\nEND")
    war.wait(hours=25)
    told = war.last(ANNA, "question").flat
    assert "Red picks Egypt, Japan" in told


def test_a_sheet_that_was_carried_out_is_not_on_file_for_the_next_one(war: World) -> None:
    """The sheets of a set-up follow each other in one phase: the draft is done when the purchase is owed."""
    for player in PLAYERS[:3]:
        war.reply(player, "DRAFT Egypt, Japan\nROLL OUT")
    receipt = next(mail for mail in war.reply(DAN, "DRAFT France\nROLL OUT") if mail.to == DAN)
    assert "COMPLETE: your orders were carried out; you owe the next ones." in receipt.flat
    assert "You owe orders for Set-up" in receipt.flat and "as on file" not in receipt.text
    (receipt,) = war.reply(ANNA, "YES")
    assert "nothing is on file" in receipt.flat and "DRAFT" not in receipt.text
    (receipt,) = war.reply(BEN, "BUY 3 infantry")
    assert "BUY 3 infantry" in receipt.flat and "DRAFT" not in receipt.text


def test_standing_orders_are_told_while_a_sheet_is_owed(war: World) -> None:
    """Their questions come in the turns of others: who waits until he is asked for them comes too late."""
    owed = war.playing("w1").outcome.open[0]
    assert owed.wants_orders and not set(owed.menu.words()) & {"INTERCEPT", "STRIKE", "RETREAT"}
    (sent,) = war.reply(war.player(owed.seat, "w1"), "SEND choices\nHELP war27")
    assert "- DRAFT France" in sent.text and "- INTERCEPT ALWAYS" in sent.text and "- RETREAT BELOW 2" in sent.text
    assert all(f"Example: {verb}" in sent.flat for verb in ("DRAFT", "INTERCEPT", "STRIKE", "RETREAT"))


@pytest.mark.parametrize("word", ["war27", "verbs"])
def test_help_on_the_game_lists_its_words_with_examples_from_the_asker_s_position(war: World, word: str) -> None:
    war.reply(ANNA, "DRAFT Egypt, Sudan, Arabia, Kenya, Abyssinia, Tripoli")
    war.wait(hours=25)
    (mail,) = war.reply(ANNA, f"HELP {word}")
    assert "Words of the game" in mail.text and "I know no word" not in mail.flat
    assert "Example: CEDE" in mail.flat and "Words at the desk" not in mail.flat
    assert any(f"Example: BUILD 2 infantry IN {home}" in mail.flat for home in ("Egypt", "Sudan", "Tripoli", "Arabia"))


def test_words_of_version_27_are_refused_in_version_17_wherever_they_stand(world: World) -> None:
    world.write(GINA, "CREATE war17 AS w1")
    for player in PLAYERS[:2]:
        world.write(player, "JOIN w1")
    world.reply(GINA, "START w1", kind="receipt")
    letter = "Westernize me if you can\nWESTERNIZE Egypt\nINCITE revolt IN Egypt\nLOSE infantry\nWESTERNIZE Sudan WITH 1 sphere"
    (receipt,) = world.reply(ANNA, letter)
    assert "INCOMPLETE: 3 lines could not be taken" in receipt.flat
    named = "is an order of War! Age of Imperialism, Version 27; War! Age of Imperialism, Version 1.7 has none of that name."
    assert receipt.flat.count(f"WESTERNIZE {named}") == 2 and f"INCITE {named}" in receipt.flat
    assert "Westernize me if you can" in receipt.flat.partition("Not read")[2]
