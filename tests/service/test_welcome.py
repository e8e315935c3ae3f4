"""What people write at the front door who know nothing of it, and what they are answered."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.mail import strip
from referee.service.intake.answers_to_strangers import asked_in
from referee.service.intake.plain_words import ACTS, Known, Wish, spoken_names, tongue_of
from referee.service.match.sheets import text_to_read
from tests.service.conftest import ANNA, GINA, OTTO, begin
from tests.world import World

SAID = tomllib.loads(Path(__file__).with_name("wishes.toml").read_text("utf-8"))["said"]
"""Letters written for this by somebody who had seen none of the phrases; `not`: what must never be taken for the wish."""

TITLES = {
    "empire": "Empire",
    "newworld": "New World",
    "war17": "War! Age of Imperialism, Version 1.7",
    "war27": "War! Age of Imperialism, Version 27",
}
OPEN = Known(
    spoken_names(TITLES), ("friday", "tuesday2", "oldwar"), ("Holland", "France", "Spain", "England", "Portugal")
)


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("Hi there! I heard you run games by mail? What games do you have?\n\nBest,\nGina", Wish("games")),
        ("I'd like to join friday please, as Spain if I may", Wish("join", match="friday", seat="Spain")),
        ("count me in for friday!", Wish("join", match="friday")),
        ("ich würde gern bei friday mitspielen", Wish("join", match="friday")),
        ("Can I watch oldwar without playing?", Wish("watch", match="oldwar")),
        ("We want to start a game of New World, call it sunday", Wish("create", "newworld", name="sunday")),
        ("How do I win at Empire?", Wish("win", "empire")),
        ("where are the rules of War! 27 please", Wish("rules", "war27")),
        ("hello, i am new here. what do i have to do??", Wish("begin")),
        ("How long does a turn take?", Wish("time")),
        ("Is it free? Do I need an account?", Wish("cost")),
        ("Can I talk to a human?", Wish("person")),
        ("please remove me from your list", Wish("stop")),
        ("combien de joueurs faut-il pour Empire ?", Wish("players", "empire")),
        ("could you show me what the map looks like", Wish("look")),
    ],
)
def test_a_wish_in_plain_words_is_understood(said: str, wish: Wish) -> None:
    assert wish in asked_in(said, OPEN)


@pytest.mark.parametrize(
    "said",
    [
        "I don't want to join friday, I only ask what it is.",
        "Did Tom join friday?",
        "I joined friday last week and never heard back.",
        "If I joined friday, could I stop later?",
        "Automatic reply: I am out of the office and will join you on Friday.",
        "My brother created a match and watches oldwar.",
        "Thanks a lot!",
    ],
)
def test_what_is_not_wished_is_not_offered(said: str) -> None:
    assert not {wish.kind for wish in asked_in(said, OPEN) if not wish.perhaps} & {"join", "watch", "create"}


def understood(said: dict[str, Any]) -> tuple[Wish, ...]:
    return tuple(
        wish for wish in asked_in(text_to_read(strip(said["say"])), OPEN) if not wish.perhaps and wish.kind != "thanks"
    )


def test_nineteen_in_twenty_of_three_hundred_ways_to_say_it_are_understood() -> None:
    wished = [said for said in SAID if said["wish"] not in ("not", "none")]
    missed = [said for said in wished if said["wish"] not in {wish.kind for wish in understood(said)}]
    nothing = [said for said in SAID if said["wish"] == "none"]
    assert len(wished) + len(nothing) == 300 and not any(map(understood, nothing))
    assert len(missed) <= 15, [said["say"] for said in missed]


def test_no_letter_is_taken_for_a_wish_to_do_something_that_it_does_not_wish() -> None:
    for said in SAID:
        does = {wish.kind for wish in understood(said) if wish.kind in ACTS and (wish.game or wish.match)}
        assert does <= {said["wish"]}, said["say"]
    assert sum(said["wish"] == "not" for said in SAID) == 80


def test_seats_and_matches_are_those_that_were_named() -> None:
    for said in SAID:
        for wish in understood(said):
            if wish.kind == said["wish"] in ACTS:
                assert wish.match in ("", said.get("match", wish.match)), said["say"]
                assert wish.seat in ("", said.get("seat", wish.seat)), said["say"]


def test_a_stranger_is_welcomed_and_nothing_he_wrote_is_sent_back(world: World) -> None:
    world.write(GINA, "CREATE newworld AS friday")
    (page,) = world.write(OTTO, "Hello from Brigadoon! What is this? How do I start one?")
    assert page.subject == "Welcome! Games by e-mail, and how to begin"
    assert "It goes like this: you join a match" in page.flat and "friday: New World, forming" in page.flat
    assert "Brigadoon" not in page.flat and "NOTHING USABLE" not in page.flat


def test_a_wish_to_join_is_asked_about_and_a_yes_joins(world: World) -> None:
    world.write(GINA, "CREATE newworld AS friday")
    (question,) = world.write(OTTO, "Hi, I'd love to play in friday, as Holland please", says="")
    assert question.kind == "entry" and "JOIN friday AS Holland" in question.flat
    with world.store.look() as step:
        assert not any(member.role == "player" for member in step.members("friday"))
    *_, receipt = world.write(OTTO, "YES", question.reply_to)
    assert "You are in friday. You wished for Holland." in receipt.flat


def test_a_yes_does_what_was_shown_and_nothing_else(world: World) -> None:
    world.write(GINA, "CREATE newworld AS friday")
    (question,) = world.write(OTTO, "I want to join a game", says="")
    assert "JOIN friday" in question.flat
    world.reply(GINA, "TERMINATE friday")
    world.write(GINA, "CREATE newworld AS sunday")
    world.write(OTTO, "YES", question.reply_to, says="")
    with world.store.look() as step:
        assert not any(member.role == "player" for member in step.members("sunday"))


def test_of_a_flood_only_the_beginning_is_looked_through(world: World) -> None:
    (page,) = world.write(OTTO, "lorem ipsum dolor, " * 5_000 + "\n\nHow do I win at Empire?")
    assert "Welcome!" in page.subject and "countries are ranked" not in page.flat


def test_a_wish_that_fits_no_match_is_told_what_there_is(world: World) -> None:
    begin(world)
    (page,) = world.write(OTTO, "I want to join a game")
    assert "No match waits for players now. PLAY newworld" in page.flat and "OBSERVE nw1" in page.flat


def test_a_line_that_was_tried_is_told_what_is_wrong_with_it(world: World) -> None:
    world.write(GINA, "CREATE newworld AS friday")
    (answer,) = world.write(ANNA, "JOIN fridy")
    assert "NOT DONE" in answer.subject and "friday" in answer.flat


def test_a_game_is_called_by_its_title_too(world: World) -> None:
    (receipt,) = world.write(GINA, "CREATE New World AS friday")
    assert "Match friday of New World is open" in receipt.flat


def test_who_wants_no_letters_is_told_that_none_come(world: World) -> None:
    (page,) = world.write(OTTO, "Stop writing to me!")
    assert "nothing more comes unless somebody writes from there" in page.flat and "JOIN" not in page.flat


# ---------------------------------------------------------------- a game at once


def test_play_creates_seats_three_bots_and_begins_at_one_yes(world: World) -> None:
    (question,) = world.write(OTTO, "PLAY newworld", says="")
    assert question.kind == "entry" and "PLAY newworld" in question.text and question.html
    assert "PLAY begins a game at once against bots, which are programs" in question.flat
    (begun,) = world.write(OTTO, "YES", question.reply_to)
    assert begun.kind == "started" and "Your turn" in begun.subject
    assert "Nobody waits for you; END ends it." in begun.flat and "Ada (steady bot)" in begun.flat
    assert world.status("match1") == "running" and world.player(world.waits_for("match1"), "match1") == OTTO


def test_the_question_about_play_names_the_bots_that_are_asked_for_and_no_word_of_its_writer(world: World) -> None:
    (question,) = world.write(OTTO, "PLAY empire WITH bots 2 novice, slot 2 days", says="")
    assert "PLAY empire WITH bots 2 novice PLAY begins" in question.flat and "usually with three" in question.flat
    (other,) = world.write(ANNA, "PLAY empire AS buy-my-pills WITH bots 2 strong pills.example", says="")
    assert "pills" not in other.flat


def test_who_answers_a_welcome_has_proved_himself_and_his_pages_are_written_at_once(world: World) -> None:
    told = list[str]()
    world.office = replace(world.office, ran=told.append)
    (page,) = world.write(OTTO, "Hi, can I play?")
    begun = world.write(OTTO, "PLAY empire", page.reply_to, says="")
    assert [mail.kind for mail in begun] == ["started"] and world.status("match1") == "running"
    assert "match1" in told
    (again,) = world.write(OTTO, "thanks! And which games are there?", page.reply_to, says="")
    assert "These are the games" in again.flat


def test_a_welcome_proves_nobody_but_whom_it_was_written_to_and_not_for_ever(world: World) -> None:
    (page,) = world.write(OTTO, "Hi, can I play?")
    for who in (ANNA, OTTO):
        (asked,) = world.write(who, "PLAY newworld", page.reply_to, says="")
        assert asked.kind == "entry" and asked.to == who
        world.wait(days=40)


def test_play_takes_the_options_of_a_match_and_the_strength_of_bots(world: World) -> None:
    world.write(OTTO, "PLAY war27 WITH last_turn 5, bots 2 novice")
    begun = world.last(OTTO, "started")
    assert begun.flat.count("(novice bot)") >= 2 and "after turn 5 at the latest" in begun.flat


@pytest.mark.parametrize(
    ("said", "asked", "yes"),
    [
        (
            "Hallo, ich möchte gegen den Computer spielen, nicht zu schwer bitte",
            "so antworte JA; wenn nicht, NEIN.",
            "Ja",
        ),
        ("Bonjour, je voudrais jouer contre l'ordinateur, pas trop difficile", "répondez OUI ; sinon, NON.", "Oui"),
        ("Hola, quiero jugar contra el ordenador, que no sea muy difícil", "responde SÍ; si no, NO.", "Sí"),
    ],
)
def test_a_stranger_is_asked_in_his_language_and_answers_in_it(world: World, said: str, asked: str, yes: str) -> None:
    (question,) = world.write(OTTO, said, says="")
    assert "| PLAY newworld WITH bots 3 novice" in question.text and asked in question.flat
    begun = world.write(OTTO, yes, question.reply_to, says="")
    assert begun[-1].kind == "started" and "(novice bot)" in begun[-1].flat


def test_a_turn_against_bots_alone_runs_soon_after_its_orders_and_play_takes_another_clock(world: World) -> None:
    world.write(OTTO, "PLAY newworld")
    begun = world.last(OTTO, "started")
    assert begun.flat.index("match1 has begun: you play") < begun.flat.index("You owe orders for")
    (receipt,) = world.reply(OTTO, "RESEARCH any")
    assert "COMPLETE" in receipt.subject and world.wait(minutes=2)[-1].is_a("report")
    world.write(OTTO, "PLAY newworld WITH slot 2 days, mind 1h")
    (status,) = world.reply(OTTO, "STATUS")
    assert "A slot lasts 2 days." in status.flat and "match2" in status.flat


def test_nobody_plays_against_bots_without_end(world: World) -> None:
    for _ in range(3):
        world.write(OTTO, "PLAY newworld")
        world.wait(hours=25)
    *_, refused = world.write(OTTO, "PLAY newworld")
    assert "against bots already; END" in refused.flat


def test_nor_by_matches_that_he_opens_joins_and_starts_himself(world: World) -> None:
    for number in range(4):
        world.vouched(OTTO, f"CREATE newworld AS n{number} WITH bots 5 novice, start full")
        world.vouched(OTTO, f"JOIN n{number}")
        world.wait(hours=25)
    with world.store.look() as step:
        rows = [step.match(f"n{number}") for number in range(4)]
    assert [row.status for row in rows if row] == ["running"] * 3 + ["forming"]
    *_, refused = world.vouched(OTTO, "START n3")
    assert "You play n0, n1 and n2 against bots already; END in a reply" in refused.flat


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("PLAY newworld WITH bots 6", "New World has 6 seats here, and 1 is taken; 5 are left for bots."),
        ("PLAY newworld WITH bots 0", "Say how many bots join, and of one strength"),
    ],
)
def test_where_play_is_refused_no_match_is_left(world: World, line: str, told: str) -> None:
    (refused,) = world.vouched(OTTO, line)
    assert told in refused.flat
    with world.store.look() as step:
        assert step.match("match1") is None


@pytest.mark.parametrize("said", ["3 novice bots", "bots 3 novice", "bots novice 3"])
def test_bots_are_called_in_any_order_of_words(world: World, said: str) -> None:
    world.write(OTTO, f"PLAY newworld WITH {said}")
    begun = world.last(OTTO, "started")
    assert begun.flat.count("(novice bot) in") == 3
    assert re.search(r"WHO tells how they play, and BOT \w+ steady makes that one harder\.", begun.flat)


@pytest.mark.parametrize("asks", ["Hi, can I play?", "Hello, may I join a game?", "Hi, I would like to play"])
def test_who_asks_to_play_gets_buttons(tmp_path: Path, asks: str) -> None:
    (page,) = World(tmp_path, site="https://games.example").write(OTTO, asks)
    assert re.search(r'<a [^>]*href="mailto:[^"]*"[^>]*>PLAY newworld</a>', page.html), page.text


def test_a_stranger_gets_html_with_buttons_and_the_pages_he_asks_for(tmp_path: Path) -> None:
    world = World(tmp_path, site="https://games.example")
    (page,) = world.write(OTTO, "Hello, who is this?")
    assert 'href="https://games.example"' in page.html and "mailto:" in page.html and "PLAY newworld" in page.html
    assert "It ends when all 40 colonies are claimed, after round 60 at the latest." in page.flat
    (rules,) = world.write(OTTO, "RULES empire")
    assert "https://games.example/g/empire-rules.html" in rules.text and "DONE" in rules.subject
    assert not rules.html  # the first of an hour alone has buttons
    world.wait(hours=1)
    (guide,) = world.write(OTTO, "GUIDE empire")
    assert "coolies walk" in guide.flat and "https://games.example/g/empire.html" in guide.text
    world.close()


@pytest.mark.parametrize(
    ("letter", "says"),
    [
        ("no", ""),
        ("No, me!", ""),
        ("was on", ""),
        ("a die", ""),
        ("No puedo jugar hoy, quiero mirar.", "Entiendo español"),
        ("Was kann man hier spielen, und wie?", "Ich verstehe Deutsch"),
        ("Comment jouer une partie avec vous ?", "Je comprends le français"),
    ],
)
def test_words_that_english_has_as_well_show_no_other_language(letter: str, says: str) -> None:
    assert tongue_of(letter).get("reads", "").startswith(says) and bool(tongue_of(letter)) == bool(says)


@pytest.mark.parametrize("said", ["hello", "what games do you have?", "how do I start and what does it cost?"])
def test_a_strangers_first_welcome_has_buttons_within_its_bound(world: World, said: str) -> None:
    world.office = replace(world.office, site="https://games.example", keeper="keeper@games.example")
    for number, game in enumerate((*TITLES, "newworld")):
        world.write((GINA, ANNA)[number % 2], f"CREATE {game} AS match{number}")
    (page,) = world.write(OTTO, said, subject="A question")
    html = page.message.get_body(("html",))
    assert html is not None and "JOIN%20match" in html.get_content() and "LESSON%20newworld" in html.get_content()
    assert len(page.raw) <= world.office.limits.answer_bytes == 10_000
    print(f"{len(said)} bytes in words, {len(page.raw)} bytes out")
