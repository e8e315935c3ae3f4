"""Lessons by letter: asked for in four languages, answered at once, judged by what was done, and forgotten in time."""

from __future__ import annotations

import re
from typing import Any

import pytest

from referee.core.names import Seat
from referee.games import GAMES
from referee.kit.game import BaseGame
from referee.service.base import notes
from referee.service.base.note_values import Learning, LessonCount
from referee.service.base.ports import Player
from referee.service.house.forgetting import forget
from referee.service.intake import lessons
from referee.service.match.history import known_to, past
from referee.service.match.playing import Playing
from referee.service.match.result import Denial
from tests.service.conftest import ANNA, GINA, OTTO
from tests.world import Mail, World

FIRST = "HIRE 1 worker\nCOLONIZE any"
WORDS = 120
"""So many words a letter may have, without the lines that are shown to be sent."""


def place(world: World, address: str = OTTO) -> Learning | None:
    with world.store.look() as step:
        return notes.LEARNING.of(address).read(step)


def counted(world: World, number: int) -> LessonCount | None:
    with world.store.look() as step:
        return notes.LESSON_COUNT.of("newworld", number).read(step)


@pytest.mark.parametrize(
    ("letter", "says"),
    [
        ("LESSON newworld", "New World in 8 short lessons"),
        ("Lektion New World", "New World in 8 short lessons"),
        ("How do I learn this?", "New World in 8 short lessons"),
        ("Can you teach me New World please?", "New World in 8 short lessons"),
        ("Wie lerne ich das Spiel New World?", "Die Lektionen sind englisch"),
        ("Je voudrais apprendre à jouer, comment faire ?", "Les leçons sont en anglais"),
        ("¿Cómo puedo aprender el juego?", "Las lecciones están en inglés"),
    ],
)
def test_who_asks_to_learn_has_the_first_lesson_at_once(world: World, letter: str, says: str) -> None:
    (mail,) = world.write(OTTO, letter)
    assert mail.subject == "Lesson 1 of 8: A colony of your own" and says in mail.flat
    assert place(world) == Learning("newworld", 1, 0, world.clock.now())


def test_the_third_wrong_try_is_shown_the_line(world: World) -> None:
    world.write(OTTO, "LESSON newworld")
    for tries, says in enumerate(("HIRE 1 worker gets you", "COLONIZE any sends him", "Here it is")):
        (mail,) = world.reply(OTTO, "COLONIZE any")
        assert "Not yet." in mail.flat and says in mail.flat and "The rule, nw.colonization.claim:" in mail.flat
        assert ("| HIRE 1 worker" in mail.text) == (tries == 2)
    (mail,) = world.reply(OTTO, FIRST)
    assert "Lesson 2 of 8" in mail.subject
    assert counted(world, 1) == LessonCount(begun=1, passed=1)
    assert counted(world, 2) == LessonCount(begun=1)


@pytest.mark.parametrize("idle", ["Thank you!", "I am not sure what to do here.", "\n"])
def test_words_alone_pass_nothing(world: World, idle: str) -> None:
    world.write(OTTO, "LESSON newworld")
    world.reply(OTTO, idle)
    assert counted(world, 1) == LessonCount(begun=1)


def test_lessons_are_no_matches_and_end_by_one_word(world: World) -> None:
    world.write(OTTO, "LESSON newworld")
    world.reply(OTTO, "SKIP")
    (mail,) = world.reply(OTTO, "stop.")
    assert "LESSON newworld FROM 2" in mail.flat and place(world) is None
    with world.store.look() as step:
        assert not step.matches() and step.player_at(OTTO) is None
    assert counted(world, 1) == LessonCount(begun=1, skipped=1)


def test_a_word_for_the_desk_is_done_in_a_lesson_too(world: World) -> None:
    (first,) = world.write(OTTO, "LESSON newworld")
    (mail,) = world.reply(OTTO, "HELP")
    assert "What you can write now" in mail.flat
    (mail,) = world.write(OTTO, "LESSON newworld FROM 9", first.reply_to)
    assert "New World has 8 lessons." in mail.flat


def test_a_question_about_rules_is_answered_and_is_no_try(world: World) -> None:
    (first,) = world.write(OTTO, "LESSON newworld")
    (mail,) = world.write(OTTO, "What does a worker cost in New World?", first.reply_to)
    assert "A Worker costs 2 food and 1 cloth" in mail.flat
    assert place(world) == Learning("newworld", 1, 0, world.clock.now())


def test_nobody_moves_another_on_in_his_lessons(world: World) -> None:
    world.write(OTTO, "LESSON newworld")
    world.reply(OTTO, "SKIP")
    world.write(OTTO, "LESSON newworld FROM 7")  # whoever wrote it
    assert place(world) is not None and place(world) == Learning("newworld", 2, 0, world.clock.now())
    stolen = world.last(OTTO).reply_to
    world.write(ANNA, "STOP", stolen)
    assert place(world) is not None


def test_who_proves_nothing_is_sent_no_more_lessons_than_other_letters(world: World) -> None:
    sent = [mail for _ in range(40) for mail in world.write(OTTO, "LESSON newworld") if mail.to == OTTO]
    assert len(sent) <= world.office.limits.answers_a_day
    assert sum(len(mail.raw) for mail in sent) <= 25_000 * 2
    assert counted(world, 1) == LessonCount(begun=1)


def test_lessons_lapse_after_a_month(world: World) -> None:
    world.write(OTTO, "LESSON newworld")
    world.wait(days=29)
    assert place(world) is not None
    world.wait(days=2)
    assert place(world) is None
    (mail,) = world.reply(OTTO, FIRST)
    assert "Lesson" not in mail.subject


def test_who_is_forgotten_is_in_no_lesson(world: World) -> None:
    world.write("Otto@Players.example", "LESSON newworld")
    assert place(world) is not None
    with world.office.step() as at:
        forget(at, Player(0, "", (OTTO,)))
    assert place(world) is None


def test_a_member_of_a_match_learns_another_game_beside_it(match: World) -> None:
    (mail,) = match.vouched(GINA, "LESSON newworld")
    assert "Lesson 1 of 8" in mail.subject
    (mail,) = match.reply(GINA, FIRST)
    assert "Lesson 2 of 8" in mail.subject


@pytest.mark.parametrize("game", [game.name for game in GAMES if lessons.of(game)])
def test_no_letter_of_a_course_is_longer_than_a_telephone_shows(world: World, game: str) -> None:
    """Words of the text without its title and without the lines that are shown to be sent."""
    every = world.write(OTTO, f"LESSON {game}")
    for lesson in lessons.of(next(each for each in GAMES if each.name == game)):
        for wrong in ("", "MOVE", *("MOVE nothing at all TO nowhere",) * 2):
            every += world.reply(OTTO, wrong)
        lines = lesson.shown.strip().splitlines()
        tapped = (
            [f"{line} ;" for line in lines] if "END" not in lines else lines
        )  # as the button under them writes them
        every += world.reply(OTTO, "\n".join(tapped))
    assert "Your first match" in every[-1].subject
    assert [(mail.subject, long) for mail in every if (long := length(mail)) > WORDS] == []


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_a_lesson_is_cut_out_of_a_match(world: World, game: str) -> None:
    (begun,) = world.vouched(OTTO, f"PLAY {game} WITH bots 2 novice")
    playing = world.playing("match1")
    (asked, *_) = playing.outcome.open
    phase = playing.outcome.phase
    assert "match1" in begun.subject and phase is not None
    with world.store.look() as step:
        text = lessons.cut(playing, past(step, playing), phase.turn, asked.seat)
        with pytest.raises(Denial, match=f"{asked.seat} was asked for no orders in turn 99 of this match."):
            lessons.cut(playing, past(step, playing), 99, asked.seat)
    known = next(each for each in GAMES if each.name == game)
    assert isinstance(known, BaseGame)
    lesson = lessons.loaded(known, 9, "09.toml", text)
    stage = lesson.begin()
    mine = history_known_to(world, playing, asked.seat)
    first, *_ = known.order_form(
        stage.playing.outcome.state, asked.seat
    )  # what others did in the phase is decided anew
    assert stage.asked and first == known.order_form(mine, asked.seat)[0]
    assert lessons.judge(lesson, 0, lesson.shown).passed


def history_known_to(world: World, playing: Playing, seat: Seat) -> Any:
    with world.store.look() as step:
        return known_to(step, playing, seat)


def length(mail: Mail) -> int:
    lines = mail.text.split("\n=", 1)[-1].split("\n", 1)[-1].split("\n")
    return sum(len(re.findall(r"\w[\w'.-]*", line)) for line in lines if not line.startswith("  | "))
