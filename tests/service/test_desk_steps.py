"""The order of what happens to a letter, at the desk and at the front door, and to an alarm: what must come before what."""

from __future__ import annotations

from typing import Any

import pytest

from referee.service.base.office import WayStep
from referee.service.intake import deadlines, desk, front_door
from referee.service.match import playing as remembered
from referee.service.turn import advance
from tests.inbox.letter_rules_page import unmet
from tests.service.conftest import GINA, OTTO
from tests.world import World

EVE = "eve@evil.example"
Way = tuple[WayStep[Any, Any], ...]


def test_what_a_yes_takes_weighs_as_much_as_if_it_stood_in_the_letter(match: World) -> None:
    ours = match.last(GINA).reply_to
    (offered,) = match.write(EVE, f"REPLCE {match.waits_for()} BY {OTTO}", ours)
    assert "Reply with just YES to take this correction: REPLACE" in offered.flat
    (asked,) = match.write(EVE, "YES", ours)
    assert (asked.kind, asked.to) == ("confirmation", GINA) and "asks for REPLACE" in asked.flat


def test_press_of_a_letter_that_waits_for_a_yes_does_not_go_before_it(match: World) -> None:
    text = f"BROADCAST\nWe all know this.\nEND\nREPLACE {match.waits_for()} BY {OTTO}"
    (asked,) = match.write(EVE, text, match.last(GINA).reply_to)
    assert (asked.kind, asked.to) == ("confirmation", GINA)
    mails = match.write(GINA, "YES", asked.reply_to)
    assert any("We all know this." in mail.flat for mail in mails if mail.kind == "press")


def test_a_turn_that_a_word_runs_is_told_by_what_was_foreseen_before_it(match: World) -> None:
    phase = match.playing().outcome.phase
    assert phase is not None
    match.reply(GINA, f"BECOME {match.waits_for()}\nBUY 60 wood\nPROCESS {phase.key}")
    receipt = match.last(GINA)
    assert "DONE: your orders were carried out, as far as they could be" in receipt.flat
    assert "this will not be done, or not wholly: buy 60 wood" in receipt.flat


def test_each_doubt_of_a_letter_is_told_once(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    other = next(name for name in match.playing().outcome.state.living if name != seat)
    match.reply(match.player(other), f"OFFER 1 gold TO {seat} FOR 1 cloth")
    match.reply(player, "HIRE 1 worker")
    (receipt,) = match.reply(player, "ACCEPT 1\nROLL OUT", confirms=False)
    assert "] LOOK AGAIN" in receipt.subject
    assert receipt.flat.count("this will not be done, or not wholly: hire 1 worker") == 1


def test_a_yes_to_a_letter_of_a_match_that_has_come_to_stand_still_is_answered(match: World) -> None:
    (asked,) = match.write(EVE, f"REPLACE {match.waits_for()} BY {OTTO}", match.last(GINA).reply_to)
    match.corrupt("nw1")
    remembered._CACHE.clear()
    told, answer = (mail for mail in match.write(GINA, "YES", asked.reply_to) if mail.to == GINA)
    assert "the match stands still" in told.subject
    assert "NOTHING USABLE: nw1 stands still, so nothing is taken but" in answer.flat


# ---------------------------------------------------------------- the table

_FREE = {
    ("press cut out", "a match that waits for its dice"),  # only work done in vain
    ("lines refused", "doubts"),  # only the order in which the doubts of mending and of foresight are found
}
"""Neighbours of which either may come first."""

WAYS = (desk.STEPS, front_door.STEPS, deadlines.STEPS, advance.STEPS)
PLACES = [pytest.param(way, place, id=way[place].name) for way in WAYS for place in range(len(way) - 1)]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way[0].does.__module__)
def test_what_each_step_needs_is_found_before_it(way: Way) -> None:
    assert unmet(way) == []


@pytest.mark.parametrize(("way", "place"), PLACES)
def test_steps_that_change_places_are_missed(way: Way, place: int) -> None:
    first, second = way[place : place + 2]
    assert bool(unmet((*way[:place], second, first, *way[place + 2 :]))) == ((first.name, second.name) not in _FREE)


@pytest.mark.parametrize(("way", "place"), PLACES)
def test_a_step_that_is_left_out_is_missed(way: Way, place: int) -> None:
    assert unmet((*way[:place], *way[place + 1 :]))
