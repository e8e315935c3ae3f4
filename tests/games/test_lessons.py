"""Every lesson can be done as it is shown, never by doing nothing, and whatever else is tried is explained by a rule."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from referee.games import GAMES, game_named
from referee.orders import Sentence
from referee.service.intake import lessons
from referee.service.intake.corrections import bound
from referee.service.intake.lessons import Faulty, Lesson, judge, loaded

LESSONS = [lesson for game in GAMES for lesson in lessons.of(game)]
TRIES = 3
IDLE = ("", "Hello, I do not understand.", "# nothing", "thanks", "STANDING\nEND")

each = pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: f"{one.game.name}-{one.number}")


@each
def test_the_line_that_is_shown_does_it(lesson: Lesson) -> None:
    verdict = judge(lesson, 0, lesson.shown)
    assert verdict.passed, verdict


@each
def test_nothing_is_not_enough(lesson: Lesson) -> None:
    for text in IDLE if lesson.number == 1 else IDLE[:1]:
        verdict = judge(lesson, 2, text)
        assert not verdict.passed and verdict.shown == lesson.shown, text


@each
def test_whatever_is_tried_is_explained(lesson: Lesson) -> None:
    stage, pick = lesson.begin(), random.Random(f"{lesson.game.name} {lesson.number}").randrange
    asked = next(question for question in stage.playing.outcome.open if question.seat == stage.seat)
    state = stage.playing.outcome.state
    for at in range(TRIES):
        lines = [lesson.game.line(state, one) for one in asked.menu.sample(pick)] if asked.wants_orders else []
        spoilt = [line[pick(3) :] if at % 3 == 0 else line for line in lines]
        verdict = judge(lesson, at % 3, "\n".join(spoilt))
        assert verdict.law
        assert verdict.passed or verdict.sentences
        assert all(line.sentence for line in verdict.refused)


SOUND = Path(lessons.__file__).parents[2] / "games" / "newworld" / "lessons" / "01-a-colony.toml"
FAULTS = (
    ("hints = [", "hints = 3 #", "line 6", "Expected `array`"),
    ('seat = "Spain"', 'seat = "Russia"', "line 21", "Russia is none of its seats: Spain, France, England."),
    ('rule = "nw.colonization.claim"', 'rule = "nw.claim"', "line 3", "nw.claim is no rule of New World"),
    ("passes = 'TOLD", "passes = 'SAID", "line 5", "SAID"),
    ('when = "ORDERED HIRE AND', 'when = "ORDRED HIRE AND', "line 12", "ORDRED"),
    ("theme =", "topic =", "line 2", "unknown field `topic`"),
    ("task = ", "task ", "line 4", "Expected '='"),
)


LATER = (
    ('dice = "0"', "sheets = { England = ['HIER 1 worker'] }", "line 20", "England: HIER 1 worker: "),
    ('dice = "0"', "figures = { 'Spain silver' = 1 }", "line 20", "Spain silver is no figure of the position."),
    ('dice = "0"', "position = '[1]'", "line 20", "These rules do not read it; cut it anew."),
)
"""What only shows when its position comes about."""


@pytest.mark.parametrize(("there", "instead", "line", "said"), LATER, ids=range(len(LATER)))
def test_a_position_that_cannot_be_is_named_with_its_line(there: str, instead: str, line: str, said: str) -> None:
    text = SOUND.read_text("utf-8")
    assert there in text
    with pytest.raises(Faulty, match=f"01.toml, {line}: {said}"):
        loaded(lessons.of(game_named("newworld"))[0].game, 1, "01.toml", text.replace(there, instead, 1)).begin()


@pytest.mark.parametrize(("there", "instead", "line", "said"), FAULTS, ids=range(len(FAULTS)))
def test_a_fault_is_named_with_its_line(there: str, instead: str, line: str, said: str) -> None:
    text = SOUND.read_text("utf-8")
    assert there in text
    with pytest.raises(Faulty, match=f"01.toml, {line}: .*{said}"):
        loaded(lessons.of(game_named("newworld"))[0].game, 1, "01.toml", text.replace(there, instead, 1))


# ---------------------------------------------------------------- a first match

MATCHES = 40
SHORT = {"newworld": "", "war27": "last_turn = '5'", "war17": "last_turn = '5'", "empire": "last_turn = '8'"}
"""Settings that make a first match a short one."""
SEATS = {game.name: game.seat_names({s.name: s.default for s in game.settings})[:4] for game in GAMES}


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_who_took_the_lessons_comes_before_three_novices_in_half_of_his_matches(name: str) -> None:
    """A stranger keeps of the sheet that comes with his letter the lines whose words the lessons have shown him, and no others."""
    course = lessons.of(game_named(name))
    game, shown = course[0].game, (lesson.begin().read(lesson.shown).sheet for lesson in course)
    taught = tuple({node.order.verb for sheet in shown for node in sheet if isinstance(node, Sentence)})
    first = 0
    for number in range(MATCHES):
        seat, seats = SEATS[name][number % 4], list(SEATS[name])
        begins = (
            f"seat = '{seat}'\nseats = {seats}\noptions = {{ {SHORT[name]} }}\ndice = '{number}'\nothers = 'novice'"
        )
        stage = loaded(game, 1, "", f"{_UNTAUGHT}rule = '{game.rules[0].id}'\n[start]\n{begins}").begin()
        while stage.asked:
            form = game.order_form(stage.playing.outcome.state, stage.seat)
            reading = stage.read("\n".join(line for line in form if line.startswith(taught)))
            assert not bound(stage.playing, stage.seat, reading).mistakes
            stage.hand_in(stage.seat, reading)
            stage.go_on()
        standings = game.score(stage.playing.outcome.state).standings
        first += any(standing.seat == stage.seat and standing.rank == 1 for standing in standings)
    assert first >= MATCHES / 2


_UNTAUGHT = "title = ''\ntheme = ''\ntask = ''\npasses = 'ORDERED >= 1'\nhints = ['', '']\nshown = ''\n"
