"""First letters: what the game is, how a turn goes, its words; for who plays from the start, takes a seat over, or watches."""

from __future__ import annotations

import pytest

from referee.core.game import AnyGame
from referee.games import GAMES
from tests.service.conftest import ANNA, GINA, OTTO
from tests.world import World

NADJA = "nadja@players.example"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_has_a_guide_of_half_a_page(game: AnyGame) -> None:
    guide = game.guide
    assert len(guide.turn) == 5 and 3 <= len(guide.first) <= 5 and guide.words
    said = " ".join((*guide.turn, *guide.first, *(f"{word} {what}" for word, what in guide.words.items())))
    assert len(said.split()) < 450


def test_the_first_letter_tells_what_the_game_is_and_who_runs_it(match: World) -> None:
    letter = match.last(ANNA, "started")
    assert "How New World is played" in letter.flat and "Most Culture wins" in letter.flat
    assert "Upkeep: the phase in which" in letter.flat and "gina runs this match" in letter.flat


def test_who_takes_over_a_seat_gets_one_letter_with_guide_position_and_sheet(match: World) -> None:
    first = match.on_turn()
    match.reply(first, "RESEARCH any\nROLL OUT")
    seat = match.waits_for()
    mails = match.reply(GINA, f"REPLACE {seat} BY {NADJA}")
    (letter,) = [mail for mail in mails if mail.to == NADJA]
    assert letter.kind == "started" and f"You take over {seat}" in letter.flat
    for part in ("How New World is played", "The latest events", "cut here", f"Record sheet of {seat}", "The players"):
        assert part in letter.text, part
    match.write(NADJA, "RESEARCH any", letter.reply_to)
    assert match.drawer(seat, "orders")
    assert not [mail for mail in mails if mail.to == NADJA and mail.kind == "notice"]


def test_who_begins_to_watch_gets_guide_and_position_and_hears_how_to_leave(match: World) -> None:
    mails = match.write(OTTO, "OBSERVE nw1")
    kinds = {mail.kind: mail for mail in mails if mail.to == OTTO}
    assert "How New World is played" in kinds["started"].flat and "You watch nw1" in kinds["started"].flat
    assert "cut here" not in kinds["started"].text
    assert "UNSUBSCRIBE in a reply to any letter of it ends them" in kinds["started"].flat


def test_the_guide_comes_again_whenever_it_is_asked_for(match: World) -> None:
    for ask in ("SEND guide", "GUIDE"):
        assert "How New World is played" in match.reply(ANNA, ask)[-1].flat, ask
    assert "How Empire is played" in match.reply(ANNA, "GUIDE empire")[-1].flat


# ---------------------------------------------------------------- who watches


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
    (asked,) = watched.reply(OTTO, "My brother collects stamps, shall he send some?")
    assert "Shall I pass this on to gina, your game master, with your address" in asked.flat
    mails = watched.reply(OTTO, "YES")
    (passed,) = [mail for mail in mails if mail.to == GINA]
    assert "My brother collects stamps, shall he send some?" in passed.flat
    assert f"To answer, write to {OTTO} yourself" in passed.flat
    assert "The answer comes to" in watched.last(OTTO).flat


def test_he_floods_no_game_master(watched: World) -> None:
    for number in range(7):
        watched.reply(OTTO, f"Could my brother number {number} take the seat?")
        watched.reply(OTTO, "YES")
    assert sum(mail.kind == "passed on" for mail in watched.all_mail()) == 5
    assert "pass on no more of them until tomorrow" in watched.last(OTTO).flat
