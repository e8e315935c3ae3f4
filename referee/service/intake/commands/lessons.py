"""LESSON: lessons sent as letters and answered at once; how they are judged is told beside, in intake/lessons.

Lessons are no matches: nothing of them is logged, no limit of seats counts them, and who has proved nothing may have them too,
as far as his purse goes. The first letter bears a reply address, and who answers by it reads where it was sent.
"""

from __future__ import annotations

from datetime import timedelta

from referee.core.game import AnyGame
from referee.core.order import Order
from referee.kit.wording import counted
from referee.mail import strip, without_tokens
from referee.service.base import notes
from referee.service.base.letter_facts import Frame, LessonLetter
from referee.service.base.note_values import Learning, LessonCount
from referee.service.base.ports import LetterIn, Step
from referee.service.house.match_lists import easiest_first
from referee.service.intake import lessons
from referee.service.intake.commands.caller import Caller
from referee.service.intake.commands.command import By, Command, apart, named, number_in, word
from referee.service.intake.confirmations import letter_text, welcome_token
from referee.service.intake.lessons import Lesson, praised, rule_told
from referee.service.intake.mangled_lines import undone
from referee.service.intake.plain_words import tongue_of
from referee.service.match.result import Denial, Told, need
from referee.service.match.sheets import text_to_read
from referee.service.post.answer_limits import Answering
from referee.service.post.post import About, Mail, Reply, Thread, post

_LIVES = timedelta(days=30)
"""So long a lesson can be answered by its reply address."""

_WAYS = ("SKIP", "BACK", "STOP")


def begin(caller: Caller, came: LetterIn, order: Order) -> Told:
    """LESSON: the lesson that is named, else the one under way, else the first of a game. Raises Denial."""
    under_way, games = learning(caller.step, caller), caller.office.games
    name = named(order, "game") or (under_way.game if under_way else easiest_first(caller.office)[0].name)
    game = games[name]
    need(lessons.of(game), f"{game.title} has no lessons; GUIDE {name} tells how it goes.")
    goes_on = under_way is not None and under_way.game == name
    number = number_in(order.after("FROM")) or (under_way.lesson if under_way and goes_on else 1)
    if under_way and not caller.proven:  # whoever wrote it, nobody's place is changed by him
        name, number = under_way.game, under_way.lesson
        game = games[name]
    need(number <= len(lessons.of(game)), f"{game.title} has {counted(len(lessons.of(game)), 'lessons')}.")
    how_many = counted(len(lessons.of(game)), "short lessons")
    said = () if goes_on else (f"{game.title} in {how_many}: I answer each of your letters at once.",)
    tongue = tongue_of(letter_text(caller.letter)).get("learn", "")
    _set(caller, came, game, number, tuple(filter(None, (tongue, *said))))
    return ()


def answer(caller: Caller, came: LetterIn) -> None:
    """A reply to a lesson: a word that goes on, back or ends, or a try."""
    under_way = learning(caller.step, caller)
    assert under_way is not None  # else it would not have been taken for one
    game = caller.office.games[under_way.game]
    course, at = lessons.of(game), min(under_way.lesson, len(lessons.of(game)))
    text = without_tokens(text_to_read(strip(caller.letter.text)), caller.office.address)
    first = next((line.strip(" .!").upper() for line in text.splitlines() if line.strip()), "")
    if first == "STOP":
        _note(caller, None)
        said = f"The lessons end here. LESSON {game.name} FROM {at} takes them up again."
        _post(
            caller,
            came,
            LessonLetter(_frame(caller), "The lessons", "", "", None, (said,), ways=(f"LESSON {game.name} FROM {at}",)),
        )
    elif first == "SKIP":
        count(caller.step, game.name, at, skipped=1)
        _goes_on(caller, came, game, at + 1, ("Skipped.",))
    elif first == "BACK":
        _set(caller, came, game, max(1, at - 1), ())
    else:
        _judged(caller, came, course[at - 1], under_way, text)


def learning(step: Step, caller: Caller) -> Learning | None:
    """The lessons that somebody has under way."""
    return notes.LEARNING.of(caller.player.addresses[0].lower()).read(step)


def count(step: Step, game: str, number: int, begun: int = 0, passed: int = 0, skipped: int = 0) -> None:
    """Count that somebody came to a lesson, did it, or left it out; who it was is kept nowhere."""
    slip = notes.LESSON_COUNT.of(game, number)
    so_far = slip.read(step) or LessonCount()
    slip.keep(step, LessonCount(so_far.begun + begun, so_far.passed + passed, so_far.skipped + skipped))


# ---------------------------------------------------------------- a try


def _judged(caller: Caller, came: LetterIn, lesson: Lesson, under_way: Learning, text: str) -> None:
    stage = lesson.begin()
    text = undone(
        text, caller.letter.otherwise, stage.read, lambda: (lesson.game.vocabulary(stage.playing.outcome.state),)
    ).text
    verdict = lessons.judge(lesson, under_way.tries, text)
    if verdict.passed:
        count(caller.step, lesson.game.name, lesson.number, passed=1)
        _goes_on(caller, came, lesson.game, lesson.number + 1, praised(lesson, verdict))
        return
    _note(caller, Learning(lesson.game.name, lesson.number, under_way.tries + 1, caller.now))
    why, *hint = verdict.sentences
    shown = tuple(verdict.shown.strip().splitlines())
    ask = ("Here it is; send it as it stands:",) if shown else ()
    said = (f"Not yet. {why}", rule_told(verdict), *hint, *ask)
    _post(caller, came, LessonLetter(_frame(caller), _title(lesson), "", _task(lesson), False, said, shown, _WAYS))


# ---------------------------------------------------------------- letters


def _goes_on(caller: Caller, came: LetterIn, game: AnyGame, number: int, said: tuple[str, ...]) -> None:
    """The next lesson; after the last one the first match."""
    if number <= len(lessons.of(game)):
        _set(caller, came, game, number, said, True)
        return
    _note(caller, None)
    last = (
        "That was the last lesson. One line begins your first match: three novices play, and wait for nothing but you."
    )
    play = f"PLAY {game.name} WITH bots 3 novice"
    _post(caller, came, LessonLetter(_frame(caller), "Your first match", "", "", True, (*said, last), (play,), (play,)))


def _set(
    caller: Caller, came: LetterIn, game: AnyGame, number: int, said: tuple[str, ...], done: bool | None = None
) -> None:
    """Set somebody a lesson."""
    lesson, before = lessons.of(game)[number - 1], learning(caller.step, caller)
    again = before is not None and (before.game, before.lesson) == (game.name, number)
    letter = LessonLetter(_frame(caller), _title(lesson), lesson.theme, _task(lesson), done, said, (), _WAYS)
    if _post(caller, came, letter) and not again:
        count(caller.step, game.name, number, begun=1)
        _note(caller, Learning(game.name, number, 0, caller.now))


def _post(caller: Caller, came: LetterIn, letter: LessonLetter) -> bool:
    """Send it with a reply address by which it is answered; False where no answer goes there."""
    token = welcome_token(caller, came, caller.player, "request" if caller.proven else "stranger", caller.now + _LIVES)
    reply = Reply(
        Thread(caller.letter.message_id, caller.letter.references),
        Answering(came.id, "request" if caller.proven else "stranger"),
    )
    post(caller, caller.player, Mail("lesson", letter.title, letter, str(came.id)), About(token=token), reply)
    return bool(token)


def _frame(caller: Caller) -> Frame:
    return Frame(
        "", caller.office.name, "A lesson", caller.player.name if caller.proven else "", page=caller.office.site
    )


def _title(lesson: Lesson) -> str:
    return f"Lesson {lesson.number} of {len(lessons.of(lesson.game))}: {lesson.title}"


def _task(lesson: Lesson) -> str:
    return f"You play {lesson.start.seat}. {lesson.task}"


def _note(caller: Caller, value: Learning | None) -> None:
    notes.LEARNING.of(caller.player.addresses[0].lower()).keep(caller.step, value)


def _alone(caller: Caller, order: Order) -> Told:
    raise Denial("LESSON is answered by a letter of its own: write it alone.")


COMMANDS = (
    Command(
        verb=word(
            "LESSON",
            "teaches a game by short letters, each with a task; your replies are answered at once",
            "LESSON newworld",
            "..1 game; FROM number",
            aliases=("LESSONS",),
        ),
        by=By.ANYONE,
        door=_alone,
        proof=False,
        example=lambda hand: f"LESSON {hand.playing.row.game}",
        note=apart,
    ),
)
