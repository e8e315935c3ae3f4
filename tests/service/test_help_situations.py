"""HELP alone is one screen for the situation of its asker; HELP ALL is everything; every line it shows can be sent."""

from __future__ import annotations

import re

import pytest

from referee.service.intake.commands.help import situations
from referee.service.intake.commands.words import every_word
from tests.service.conftest import ANNA, BEN, GINA, OTTO, begin
from tests.world import Mail, World

_SCREEN = 25
"""Lines of text before the signature, beside what is owed."""


def body(mail: Mail) -> str:
    return mail.text.replace("\r", "").partition("-" * 72)[0].strip()


def helped(mails: list[Mail]) -> str:
    (mail,) = mails
    text = body(mail)
    page = text[text.index("What you can write now") :]
    assert page.count("\n") < _SCREEN, page
    assert "[desk]" not in mail.text and "[desk]" not in mail.subject
    return page


def test_a_stranger_reads_how_to_begin(match: World) -> None:
    match.write(GINA, "CREATE newworld AS friday")
    page = helped(match.write(OTTO, "HELP"))
    assert "New World" in page and "Empire" in page
    for line in ("GAMES", "JOIN friday", "OBSERVE nw1", "CREATE newworld AS match1", "HELP ALL"):
        assert line in page
    assert "DEADLINE" not in page and "ROLL OUT" not in page


def test_who_has_joined_and_who_has_opened_a_match_read_different_things(world: World) -> None:
    world.write(GINA, "CREATE newworld AS friday")
    world.write(ANNA, "JOIN friday")
    player, master = helped(world.reply(ANNA, "HELP")), helped(world.reply(GINA, "HELP"))
    assert "RESIGN friday" in player and "START" not in player
    assert "START friday" in master and "SET start full" in master and "RESIGN" not in master


def test_who_owes_who_waits_who_masters_and_who_watches(match: World) -> None:
    owing = match.on_turn()
    waiting = next(who for who in (ANNA, BEN) if who != owing)
    match.write(OTTO, "OBSERVE nw1")
    pages = [helped(match.reply(who, "HELP")) for who in (owing, waiting, GINA, OTTO)]
    assert "ROLL OUT: you are ready" in pages[0] and "Orders of New World:" in pages[0]
    assert "STANDING: above orders" in pages[1] and "PREVIEW" not in pages[1]
    assert "DEADLINE +24h FOR" in pages[2] and "PRESS TO" not in pages[2]
    assert "UNSUBSCRIBE" in pages[3] and "ask me in plain words" in pages[3]


def test_after_the_match_it_tells_what_is_left_to_do(match: World) -> None:
    match.reply(GINA, "TERMINATE")
    assert "REMATCH: asks all of you" in helped(match.reply(ANNA, "HELP"))


def test_a_game_master_who_plays_reads_that_he_has_other_words_too(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    for player in (GINA, ANNA):
        world.write(player, "JOIN nw1")
    world.reply(GINA, "START nw1", "receipt")
    assert "You are its game master too: HELP DEADLINE" in helped(world.reply(GINA, "HELP")).replace("\n", " ")


def test_help_all_is_everything(match: World) -> None:
    (everything,) = match.reply(ANNA, "HELP ALL")
    assert all(word in everything.text for word in ("RESEARCH", "FOR TURN", "ABSENCE", "SET digest", "VERIFY"))
    assert everything.text.count("\n") > 200
    assert "[desk]" not in everything.text


def test_a_word_that_is_none_is_not_answered_with_all_of_them(match: World) -> None:
    (answer,) = match.reply(ANNA, "HELP ABSENC")
    assert "Did you mean ABSENCE?" in answer.flat
    assert answer.text.count("\n") < 45


@pytest.mark.parametrize("options", ["", "WITH anonymous yes"])
def test_a_game_master_is_named_only_where_names_are_open(world: World, options: str) -> None:
    begin(world, options)
    page = helped(world.reply(ANNA, "HELP")).replace("\n", " ")
    assert ("gina runs this match" in page) == (not options)


def test_every_line_of_every_situation_begins_with_a_word_that_there_is() -> None:
    words = [verb.word for verb in every_word().verbs] + ["PREVIEW", "STANDING", "{order}"]
    lines = [line for lines in situations().values() for line, _ in lines]
    assert [line for line in lines if not line.startswith(tuple(words))] == []
    told = [what for lines in situations().values() for _, what in lines]
    named = {word for what in told for word in re.findall(r"\b[A-Z]{4,}\b", what)}
    assert named <= {part for word in (*words, "FOR") for part in word.split()}
