"""Who watches is greeted with the first letter, and his plain questions are answered or passed on, like those of members."""

from __future__ import annotations

import pytest

from tests.service.conftest import GINA, OTTO
from tests.world import World


@pytest.fixture
def watched(match: World) -> World:
    match.write(OTTO, "OBSERVE nw1")
    match.new_mail()
    return match


@pytest.mark.parametrize("words", ["OBSERVE nw1", "WATCH nw1, please", "I would like to watch nw1"])
def test_a_command_brings_the_first_letter_as_a_wish_does(match: World, words: str) -> None:
    match.write(OTTO, words)
    assert "How New World is played" in match.last(OTTO, "started").flat


def test_who_is_winning_is_answered_with_the_standings(watched: World) -> None:
    (answer,) = watched.reply(OTTO, "Who is winning?")
    assert "Standings" in answer.flat and "Culture" in answer.flat
    assert "Most Culture wins" not in answer.flat and "says who plays which seat" not in answer.flat


@pytest.mark.parametrize(
    "words", ["When is the next turn?", "when does the next report come", "Wann ist der nächste Zug?"]
)
def test_when_something_happens_next_is_answered_with_the_deadline(watched: World, words: str) -> None:
    (answer,) = watched.reply(OTTO, words)
    assert f"{watched.waits_for()} has until Sun 22 Nov 2026, 12:00 UTC" in answer.flat


def test_where_lateness_is_hidden_he_learns_no_ones_deadline(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1 WITH lateness hidden")
    for player in ("anna@players.example", "ben@players.example"):
        world.write(player, "JOIN nw1")
    world.reply(GINA, "START", "receipt")
    world.write(OTTO, "OBSERVE nw1")
    (answer,) = world.reply(OTTO, "When is the next turn?")
    assert "has until" not in answer.flat


def test_what_is_not_understood_is_passed_on_with_his_address(watched: World) -> None:
    (asked,) = watched.reply(OTTO, "Could my brother take the next free seat?")
    assert "Shall I pass this on to gina, your game master, with your address" in asked.flat
    mails = watched.reply(OTTO, "YES")
    (passed,) = [mail for mail in mails if mail.to == GINA]
    assert "Could my brother take the next free seat?" in passed.flat
    assert f"To answer, write to {OTTO} yourself" in passed.flat
    assert "The answer comes to" in watched.last(OTTO).flat


def test_he_floods_no_game_master(watched: World) -> None:
    for number in range(7):
        watched.reply(OTTO, f"Could my brother number {number} take the seat?")
        watched.reply(OTTO, "YES")
    assert sum(mail.kind == "passed on" for mail in watched.all_mail()) == 5
    assert "pass on no more of them until tomorrow" in watched.last(OTTO).flat
