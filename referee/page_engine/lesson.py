"""A lesson in the page: its task with the table of its reader, and what a try of his comes to, by the code that judges letters."""

from __future__ import annotations

import msgspec

from referee.core.position import told
from referee.games import game_named
from referee.page_engine.opened_table import Table
from referee.page_engine.trial import blank, table_now
from referee.service.house.choices import Map, TableFile
from referee.service.house.press_blocks import blocks_apart
from referee.service.intake import lessons
from referee.service.intake.lessons import Lesson, Verdict, judge, praised, rule_told


class Told(msgspec.Struct, frozen=True):
    """A lesson as it is set: the titles of its course, its own words and rule, and the table of who it is for."""

    course: tuple[str, ...]
    theme: str
    task: str
    rule: str
    table: TableFile


class Judged(msgspec.Struct, frozen=True):
    """The result of a try, in sentences; `rule` tells the rule that it met, and `map` the map after a try that did the task."""

    verdict: Verdict
    said: tuple[str, ...]
    rule: str
    map: Map | None = None


def lesson_of(name: str, number: int) -> Lesson:
    """A lesson of a game, or the last one where there are fewer. Raises LookupError where there is none."""
    course = lessons.of(game_named(name))
    return course[min(number, len(course)) - 1]


def opens(lesson: Lesson) -> tuple[Table, Told]:
    """Its table, and its words."""
    stage, game = lesson.begin(), lesson.game
    playing, seat, known = stage.playing, stage.seat, stage.known_to(stage.seat)
    begins = blank(playing.created, known, seat)
    table = Table(table_now(begins, playing, seat, known, told(stage.events, seat)), playing)
    titles = tuple(one.title for one in lessons.of(game))
    return table, Told(titles, lesson.theme, lesson.task, f"{lesson.rule}: {lesson.law}", table.file)


def tried(lesson: Lesson, tries: int, text: str) -> Judged:
    """The result of a letter with this text, after so many wrong tries before it."""
    verdict = judge(lesson, tries, text)
    if verdict.passed:
        return Judged(verdict, praised(lesson, verdict), "", _map_after(lesson, text))
    return Judged(verdict, verdict.sentences, rule_told(verdict))


def _map_after(lesson: Lesson, text: str) -> Map | None:
    """The map when its reader is asked again; several turns have passed, so it says nothing of the last one."""
    stage = lesson.begin()
    stage.hand_in(stage.seat, stage.read(blocks_apart(text, ("press", "broadcast"))[1]), lesson.start.replies)
    stage.go_on()
    drawing = lesson.game.chart(stage.known_to(stage.seat), stage.seat, ())
    return Map(drawing.svg, drawing.instead) if drawing else None
