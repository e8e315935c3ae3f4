"""Lessons: a position, a task, and what must have happened for it to be done; how many tries before the right line is shown. By
letter and in the page from one file each.

A lesson is a TOML file in the folder `lessons` of its game (docs/lessons.md). It is played ahead without a log, as a trial is,
always with the same dice: what counts is what a try did, never its words. Its tests stand in the language of IF:
the tests of the game itself, of the position after the try, and those of `_TESTS`, of the try.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial, reduce
from importlib.resources import files
from itertools import takewhile
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import replace

from referee.core.chance import Chance, Keyed
from referee.core.event import Amended, Edit, Event, PhaseBegan, PhaseEnded
from referee.core.game import AnyGame, imagined
from referee.core.hash_tree import Tree
from referee.core.names import Seat
from referee.core.order import Condition, Not, Noun, Predicate, Refusal, Verb, Vocabulary
from referee.core.page import Page
from referee.core.position import Position, completed, evolved, figures, intents_in, named, told
from referee.core.question import Question, Source, slot_of
from referee.core.record import Acted, Created, Entry
from referee.core.stage import Ended, Outcome
from referee.kit.conditions import compares, satisfied
from referee.kit.game import BaseGame
from referee.kit.opponents import Strength
from referee.orders import Reading, read, understand_condition
from referee.service.base.letter_facts import Refused
from referee.service.base.ports import MatchRow
from referee.service.house.press_blocks import addressed, blocks_apart
from referee.service.intake.commands.command import desk_words
from referee.service.intake.corrections import bound, corrected
from referee.service.match.playing import Playing, codec_of
from referee.service.match.result import Denial, need
from referee.service.match.sealing import Seals
from referee.service.match.sheets import closing, debts, refused, sheet_owed
from referee.service.turn.preview import Ahead

# ---------------------------------------------------------------- the file


class Wrong(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A likely wrong try: `when` it is one, as a condition, and the words about it."""

    when: str
    says: str


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the position of a lesson comes about.

    `seats` play, of them its reader `seat`; `sheets` are what each orders, one after the other as they are asked for, and
    "steady" or "novice" leaves one to a bot, as `others` says of whoever has none. It begins when the reader has none left and
    is asked for one.

    `figures` are set then, as a ruling would; with a `position` that was cut out of a match, in JSON, it begins there.
    `replies` are what others do as soon as they read the reader's letter, if it lets them.
    """

    seat: str
    seats: tuple[str, ...]
    options: dict[str, str] = {}
    dice: str = ""
    others: Literal["silent", "novice", "steady"] = "silent"
    sheets: dict[str, tuple[str, ...]] = {}
    replies: dict[str, str] = {}
    figures: dict[str, int] = {}
    position: str = ""


class Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A lesson as it is written.

    `passes` is what must be true of a try, `shown` the lines that make it so. Unless one asks for what is refused, nothing may be.
    """

    title: str
    theme: str
    rule: str
    task: str
    passes: str
    hints: tuple[str, str]
    shown: str
    wrong: tuple[Wrong, ...] = ()
    start: Start


class Lesson(Written, frozen=True, kw_only=True):
    """A lesson that was read: its game and number, and its conditions understood."""

    game: BaseGame[Any]
    number: int
    aim: Condition
    likely: tuple[tuple[Condition, str], ...]
    file: str
    text: str

    def begin(self) -> Rehearsal:
        """Its position, when the reader is asked. Raises Faulty."""
        stage = Rehearsal(self)
        if not stage.asked:
            raise self.faulty("seat", f"{stage.seat} is asked for no orders after these sheets.")
        return stage

    def faulty(self, words: str, sentence: str) -> Faulty:
        """The fault of the line in which these words stand."""
        return Faulty(self.file, self.text.partition(words)[0].count("\n") + 1, sentence)

    @property
    def wanted(self) -> tuple[str, ...]:
        """The words that its reader must be told."""
        return tuple(_told_in(self.aim))

    @property
    def law(self) -> str:
        """The sentence of its rule."""
        return _law(self.game, self.rule)


class Faulty(Exception):
    """A lesson that cannot be read: its file, the line, and what would be right."""

    def __init__(self, file: str, line: int, sentence: str) -> None:
        super().__init__(f"{file}, line {line}: {sentence}")


def _line_of(text: str, key: str) -> int:
    """The first line that has a key, 1 where none has."""
    at = re.search(rf"^[^\S\n]*\[*{re.escape(key)}\s*[=\]]", text, re.M) if key else None
    return text[: at.start()].count("\n") + 1 if at else 1


_READ: dict[str, tuple[Lesson, ...]] = {}


def of(game: AnyGame) -> tuple[Lesson, ...]:
    """The lessons of a game in their order. Raises Faulty."""
    if game.name not in _READ:
        package = type(game).__module__.rpartition(".")[0]
        folder = files(package) / "lessons" if package and isinstance(game, BaseGame) else None
        every = folder.iterdir() if folder and folder.is_dir() else ()
        found = sorted((file.name, file) for file in every if file.name.endswith(".toml"))
        _READ[game.name] = tuple(
            loaded(game, at, name, file.read_text("utf-8"))
            for at, (name, file) in enumerate(found, 1)
            if isinstance(game, BaseGame)
        )
    return _READ[game.name]


def loaded(game: BaseGame[Any], number: int, name: str, text: str) -> Lesson:
    """A lesson from the text of its file. Raises Faulty."""

    def faulty(key: str, sentence: str) -> Faulty:
        return Faulty(name, _line_of(text, key), sentence)

    try:
        written = msgspec.toml.decode(text, type=Written)
    except msgspec.ValidationError as problem:
        where = re.search(r"`\$\.?([^`]*)`", str(problem))
        key = re.split(r"[.\[]", where[1].replace("[...]", ""))[-1].rstrip("]") if where else ""
        unknown = re.search(r"unknown field `([^`]*)`", str(problem))
        raise faulty(
            unknown[1] if unknown else key, f"{problem}; docs/lessons.md names what a lesson has."
        ) from problem
    except msgspec.DecodeError as problem:
        line = re.search(r"at line (\d+)", str(problem))
        raise Faulty(name, int(line[1]) if line else 1, f"{problem}.") from problem
    seats, options = tuple(map(Seat, written.start.seats)), written.start.options
    if wrong := game.refuse_options(_settled(game, options), len(seats)):
        raise faulty("seats", wrong)
    if written.start.seat not in seats:
        raise faulty("seat", f"{written.start.seat} is none of its seats: {', '.join(seats)}.")
    if written.rule not in (rule.id for rule in game.rules):
        raise faulty("rule", f"{written.rule} is no rule of {game.title}; docs/rules has them.")
    words = _words(game, game.vocabulary(game.setup(seats, _settled(game, options))))

    def condition(key: str, said: str) -> Condition:
        found = understand_condition(said, words)
        if isinstance(found, Refusal):
            raise faulty(key, f"{said}: {found.sentence}")
        return found

    aim = condition("passes", written.passes)
    likely = tuple((condition("when", one.when), one.says) for one in written.wrong)
    given = {name: getattr(written, name) for name in written.__struct_fields__}
    return Lesson(**given, game=game, number=number, aim=aim, likely=likely, file=name, text=text)


def cut(playing: Playing, events: Sequence[Event], turn: int, seat: Seat) -> str:
    """A lesson to be written on: the position of a match when a seat was first asked for orders in a turn, as it knew it then.

    `events` are those of the phases that have ended. Raises Denial where it was not asked.
    """
    game, created, every = playing.game, playing.created, (*events, *playing.outcome.events)
    need(seat in created.seats, f"{seat} is no seat of this match; it has {', '.join(created.seats)}.")
    state = known = game.setup(created.seats, created.options)
    for event in every:
        phase = game.next_phase(state) if isinstance(event, PhaseBegan) else None
        if isinstance(game, BaseGame) and phase is not None and phase.turn == turn:
            stage = Rehearsal(loaded(game, 0, "", _blank(game, created, known, seat)))
            if stage.asked:
                (question, *_) = debts(stage.playing, seat)
                return _blank(game, created, known, seat, question.rule)
        state = evolved(game, state, event)
        known = reduce(partial(evolved, game), told((event,), seat), known)
    raise Denial(f"{seat} was asked for no orders in turn {turn} of this match.")


def _blank(game: BaseGame[Any], created: Created, known: Any, seat: Seat, rule: str = "") -> str:
    """A lesson with a position, whose words are still to be written."""
    usual = {setting.name: setting.default for setting in game.settings}
    options = [f"{name} = {_quoted(value)}" for name, value in created.options.items() if usual.get(name) != value]
    sound = [line for line in game.order_form(known, seat) if line.strip() and not line.lstrip().startswith("#")]
    law = rule if _law(game, rule) else game.rules[0].id
    return "\n".join(
        (
            'title = "A title"',
            'theme = "A sentence: what it is about."',
            f"rule = {_quoted(law)}",
            'task = "The task."',
            'passes = "ORDERED >= 1"',
            'hints = ["A small help.", "A great help."]',
            f"shown = {_quoted(chr(10).join(sound) or 'ROLL OUT')}",
            "",
            "[start]",
            f"seat = {_quoted(seat)}",
            f"seats = {_quoted(created.seats)}",
            f"options = {{ {', '.join(options)} }}",
            'others = "steady"',
            f"position = '''{_quoted(known)}'''",
            "",
        )
    )


def _quoted(value: Any) -> str:
    """A string or a row of them as TOML and JSON both write it."""
    return msgspec.json.encode(value).decode()


def _settled(game: AnyGame, options: Mapping[str, str]) -> dict[str, str]:
    return {setting.name: setting.default for setting in game.settings} | dict(options)


def _law(game: AnyGame, rule: str) -> str:
    return next((one.text for one in game.rules if one.id == rule), "")


_TESTS = (
    Verb("TOLD", "how many sentences with these words the reader is told", 'TOLD "claims" >= 1', "", ("text",), 1, 1),
    Verb("REFUSED", "how many lines were refused, by a rule or in all", "REFUSED = 0", "", ("rule",), 0, 1),
    Verb("ORDERED", "how many orders stand, of a verb or in all", "ORDERED MOVE >= 2", "", ("order",), 0, 1),
    Verb("PRESS", "how many messages were written", "PRESS TO Spain", "", (), 0, 0, {"TO": ("side", "seat", "any")}),
    Verb("LATE", "how many sheets the deadline took from what lay on file", "LATE >= 1", ""),
)
"""The tests of a try besides those that IF has of the position."""


def _words(game: AnyGame, words: Vocabulary) -> Vocabulary:
    """The words of a lesson's conditions."""
    rules = tuple(Noun(rule.id, "rule") for rule in game.rules)
    verbs = tuple(Noun(verb.word, "order") for verb in words.verbs)
    return Vocabulary((), (*words.nouns, *rules, *verbs), (*_TESTS, *words.predicates))


# ---------------------------------------------------------------- the rehearsal


class Rehearsal(Ahead):
    """The match of a lesson as far as it was played; `pages` are the reports that its reader has had since his letter."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson, self.game, self.seat = lesson, lesson.game, Seat(lesson.start.seat)
        start, game = lesson.start, lesson.game
        dice = Keyed(f"lesson {start.dice}".encode())
        self._sheets = {seat: list(sheets) for seat, sheets in start.sheets.items()}
        self._past: tuple[Event, ...] = ()
        self.pages: list[Page] = []
        self.late = 0
        begins = self._position(dice)
        created = completed(game, Created(game.name, tuple(map(Seat, start.seats)), start.options, ""))
        none = Entry("", 0, "", "", "", "", "", "", "")
        row = MatchRow("", game.name, "running", b"", dict(created.options), {}, datetime(2000, 1, 1, tzinfo=UTC))
        outcome: Outcome[Any] = Outcome((), Position(begins, {}, 0), begins, {}, None, (), (), ())
        log = (outcome.position, (), none, True, Seals(), 0, none, none, Tree(), Tree())
        playing = Playing(row, game, codec_of(game), created, *log, outcome)
        super().__init__(playing, dice, random.Random(start.dice))
        self.run()
        self._until_asked()
        if start.figures:
            self._rule(start.figures)
            self._until_asked()
        self.pages.clear()

    @property
    def asked(self) -> bool:
        """Whether the reader is asked what the lesson is about."""
        return not self._sheets.get(self.seat) and sheet_owed(self.playing, self.seat) is not None

    @property
    def events(self) -> tuple[Event, ...]:
        """All that has happened."""
        return (*self._past, *self.playing.outcome.events)

    def read(self, text: str) -> Reading:
        """A letter with this text as it is read."""
        words = self.game.vocabulary(self.playing.outcome.state)
        return read(text, words, desk_words((self.game.name,), (), self.playing.created.seats, True, False, words))

    def hand_in(self, seat: Seat, reading: Reading, replies: Mapping[str, str] = {}) -> None:
        """Everything that a letter says; then its sheet is closed, by the deadline if it has none.

        Others do what they do at once before that, or else after it, as the letter lets them.
        """
        lines = bound(self.playing, seat, reading)
        slots = self.take(seat, lines.whole, lines.drawers)
        left, asked = self._replied(replies), debts(self.playing, seat)
        for question in asked:
            if question.wants_orders and slot_of(question.key) in slots:
                self._close(question)
        self._replied(left)

    def _replied(self, replies: Mapping[str, str]) -> Mapping[str, str]:
        """The immediate acts of others, as far as the letter lets them by now; the rest of the replies."""
        left = dict(replies)
        for other, text in replies.items():
            if intents := bound(self.playing, Seat(other), self.read(text)).whole.asides:
                self.run(*(Acted(Seat(other), self.playing.codec.raw(intent)) for intent in intents))
                del left[other]
        return left

    def go_on(self) -> None:
        """Until the reader is asked for the next sheet, or the game is over."""
        while sheet_owed(self.playing, self.seat) is None and self._step():
            pass

    def _position(self, dice: Chance) -> Any:
        start, game = self.lesson.start, self.game
        seats = tuple(map(Seat, start.seats))
        state = game.setup(seats, _settled(game, start.options))
        if start.position:
            try:
                known = msgspec.json.decode(start.position, type=type(state))
            except msgspec.DecodeError as problem:
                raise self.lesson.faulty("position", f"These rules do not read it; cut it anew. {problem}") from problem
            state = imagined(game, known, self.seat, dice)
        return state

    def _until_asked(self) -> None:
        while not self.asked and self._step():
            pass

    def _rule(self, wanted: Mapping[str, int]) -> None:
        """Figures are set as a ruling sets them; the phase under way begins with them. Raises Faulty."""
        now, edits = self.playing, list[Edit]()
        every = figures(now.position.state, now.created.seats)
        for words, number in wanted.items():
            found = named(every, words)
            if len(found) != 1:
                raise self.lesson.faulty(
                    words, f"{words} is {'more than one' if found else 'no'} figure of the position."
                )
            edits.append(Edit(found[0], every[found[0]], number))
        ruling = Amended("", tuple(edits))
        state = evolved(self.game, now.position.state, ruling)
        self.apart = {seat: evolved(self.game, known, ruling) for seat, known in self.apart.items()}
        self._past += (ruling,)
        self.playing = replace(now, position=replace(now.position, state=state), tail=())
        self.run()

    def _step(self) -> bool:
        """One question is answered by whoever it is put to; False when there is none."""
        open = self.playing.outcome.open
        if not open:
            return False
        question, seat = open[0], open[0].seat
        sheets = self._sheets.get(seat)
        if question.wants_orders and sheets:
            text = sheets.pop(0)
            if text in get_args(Strength):
                self.bot_answers(question, text)
            else:
                self._script(seat, text)
        elif seat == self.seat or self.lesson.start.others == "silent":
            self._close(question)
        else:
            self.bot_answers(question, self.lesson.start.others)
        return True

    def _script(self, seat: Seat, text: str) -> None:
        """A sheet that the file gives. Raises Faulty where a line of it does not stand."""
        reading = self.read(text)
        if wrong := bound(self.playing, seat, reading).mistakes:
            raise self.lesson.faulty(wrong[0].source, f"{seat}: {wrong[0].source}: {wrong[0].refusal.sentence}")
        self.hand_in(seat, reading)

    def _close(self, question: Question[Any]) -> None:
        on_file = f"orders:{question.key}"
        late = (question.seat, on_file) not in self.playing.outcome.drawers
        answer = closing(self.playing, question, at_deadline=late, late=0)
        self.late += question.wants_orders and answer.source in (Source.LATE_INSTRUCTION, Source.STANDING)
        self.run(answer)

    def has_ended(self, ended: Ended[Any]) -> None:
        """The events, and the report of them."""
        self._past += ended.events
        if ended.phase.reports:
            heard = told(ended.events, self.seat)
            self.pages.append(self.game.report(ended.before, heard, ended.after, self.seat))


# ---------------------------------------------------------------- the verdict


class Verdict(msgspec.Struct, frozen=True):
    """The verdict on a try: whether it `passed`, the `sentences` that say so, the rule it met with its words, the lines `shown`
    now, the events that `happened`, the orders `refused`, and the reports."""

    passed: bool
    sentences: tuple[str, ...]
    rule: str
    law: str
    shown: str = ""
    happened: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()
    pages: tuple[Page, ...] = ()


class _Try(msgspec.Struct, frozen=True):
    """The effects of a try: its match afterwards, the news since, the orders that stand, those written to, the refusals, the
    doubts, and whether it `kept` something on file."""

    after: Rehearsal
    events: tuple[Event, ...]
    orders: tuple[str, ...]
    press: tuple[str, ...]
    refused: tuple[Refused, ...]
    doubts: tuple[tuple[str, str], ...]
    kept: bool

    @property
    def nothing(self) -> bool:
        """Whether it asked for nothing at all."""
        return not (self.orders or self.press or self.refused or self.kept)


_GRAMMAR = "A line is one order: its verb first, then what it is about."
"""The rule of what is not understood."""

SHOWN_AFTER = 3
"""With so many wrong tries the line is shown."""


def judge(lesson: Lesson, tries: int, text: str) -> Verdict:
    """The verdict on a letter with this text, after so many wrong tries before it."""
    tried = _tried(lesson, text)
    turn = takewhile(lambda event: not isinstance(event, PhaseEnded), tried.events)
    happened = tuple(said for event in turn if _concerns(event, tried.after.seat) and (said := event.sentence()))
    unfit = tried.nothing or (tried.refused and not _wants_refusal(lesson.aim))
    passed = not unfit and _holds(lesson, tried, lesson.aim)
    if passed:
        met = next((line.rule for line in tried.refused), lesson.rule)
        return Verdict(True, (), met, _law(lesson.game, met), "", happened, tried.refused, tuple(tried.after.pages))
    sentence, rule = _why(lesson, tried)
    hint = lesson.hints[min(tries, 1)] if tries + 1 < SHOWN_AFTER else ""
    shown = lesson.shown if tries + 1 >= SHOWN_AFTER else ""
    sentences, law = tuple(filter(None, (sentence, hint))), _law(lesson.game, rule) or _GRAMMAR
    return Verdict(False, sentences, rule, law, shown, happened, tried.refused, tuple(tried.after.pages))


def _why(lesson: Lesson, tried: _Try) -> tuple[str, str]:
    """Why a try did not do: what was refused, what is said of one like it, what was in doubt; and the rule."""
    if tried.nothing:
        return "Your letter has no order in it.", lesson.rule
    if tried.refused and not _wants_refusal(lesson.aim):
        return tried.refused[0].sentence, tried.refused[0].rule
    if said := next((says for condition, says in lesson.likely if _holds(lesson, tried, condition)), ""):
        return said, lesson.rule
    return tried.doubts[0] if tried.doubts else ("That is lawful, and it is not the task.", lesson.rule)


def _tried(lesson: Lesson, text: str) -> _Try:
    stage = lesson.begin()
    before, seat, playing = len(stage.events), stage.seat, stage.playing
    game, state, seats = lesson.game, playing.outcome.state, playing.created.seats
    blocks, orders = blocks_apart(text, ("press", "broadcast"))
    reading = stage.read(orders)
    lines = bound(playing, seat, reading)
    mistakes, _ = corrected(playing, seat, lines.mistakes, reading, stage.read)
    wrong = [refused(mistake) for mistake in mistakes]
    sheet = intents_in(game, playing.codec, state, seat, lines.whole.sheet)
    doubts = [(doubt.told, doubt.rule) for doubt in game.doubts(state, seat, sheet) if doubt.undone] if sheet else []
    to = [one for block in blocks if block.text for one in addressed(block.to or "all", seats, seat).to]
    stage.hand_in(seat, reading, lesson.start.replies)
    stage.go_on()
    verbs = tuple(game.book.verb_of(one) for one in (*sheet, *lines.whole.asides))
    return _Try(
        stage, told(stage.events[before:], seat), verbs, tuple(to), tuple(wrong), tuple(doubts), bool(lines.drawers)
    )


def _concerns(event: Event, seat: Seat) -> bool:
    """Whether an event is of a seat, or of nobody alone."""
    return getattr(event, "seat", seat) == seat and not isinstance(event, PhaseBegan)


def _holds(lesson: Lesson, tried: _Try, condition: Condition) -> bool:
    stage = tried.after

    def true(test: Predicate) -> bool:
        of = test.things[0].name if test.things else ""
        match test.verb:
            case "TOLD":
                found = sum(of in event.sentence() for event in tried.events)
            case "REFUSED":
                found = sum(not of or line.rule == of for line in tried.refused)
            case "ORDERED":
                found = sum(not of or verb == of for verb in tried.orders)
            case "PRESS":
                whom = {thing.name for clause in test.clauses for thing in clause.things}
                found = sum(not whom or seat in whom for seat in tried.press)
            case "LATE":
                found = stage.late
            case _:
                return lesson.game.holds(stage.playing.outcome.state, stage.seat, test)
        return compares(test, found)

    return satisfied(condition, true)


def _told_in(condition: Condition) -> Iterator[str]:
    if isinstance(condition, Predicate) and condition.verb == "TOLD":
        yield condition.things[0].name
    for term in getattr(condition, "terms", ()):
        yield from _told_in(term)


def _wants_refusal(condition: Condition) -> bool:
    """Whether a condition speaks of what is refused."""
    terms = getattr(condition, "terms", ()) or ((condition.term,) if isinstance(condition, Not) else ())
    return getattr(condition, "verb", "") == "REFUSED" or any(map(_wants_refusal, terms))


# ---------------------------------------------------------------- the verdict in words


_LONG = 30
"""A rule of more words is told by its first sentence, or these; all of it stands in RULES."""


def praised(lesson: Lesson, verdict: Verdict) -> tuple[str, ...]:
    """The praise for a try: the sentences that its lesson asks for, or its refusals."""
    if verdict.refused:
        return (f"Done. {verdict.refused[0].sentence}", rule_told(verdict))
    words = lesson.wanted or (lesson.start.seat,)
    return (" ".join(("Done.", *[said for said in verdict.happened if any(word in said for word in words)][:2])),)


def rule_told(verdict: Verdict) -> str:
    """The rule that a try met, with its number."""
    words = verdict.law.split()
    short = verdict.law.partition(". ")[0].split()[:_LONG]
    law = verdict.law if len(words) <= _LONG else f"{' '.join(short)} ..."
    return f"The rule, {verdict.rule}: {law}" if verdict.rule else law
