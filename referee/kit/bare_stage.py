"""The bare stage: scripts played ahead without log, codec, letters and seals, by a caller that tries the future.

`played_out` runs a part of a phase to its end for one seat. `Bare` is a whole match whose phase under way stays in memory between
answers; it plays as the stage of the core does, and no part of it can be mailed. `Seen` is what a seat plays ahead from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Generic, TypeVar

import msgspec

from referee.core.chance import Chance
from referee.core.event import Drawn, Event, PhaseEnded, Rolled
from referee.core.game import Game, imagined
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.position import in_force, start, told
from referee.core.question import Answer, Pace, Question, Source
from referee.core.record import Created
from referee.core.stage import Ended, Waits, began, phase_after
from referee.core.table import Script, Table

S = TypeVar("S")

_SOURCES = (Source.ORDERS, Source.STANDING)

Sheets = Callable[[], tuple[Sequence[Intent], ...]]
"""A seat's orders and its standing orders, as they are when a question comes."""


def played_out(script: Script[None], seat: Seat | None = None, sheets: Sheets = tuple) -> None:
    """Run a script to its end: what the seat's own sheets say is its answer, all else is settled by default."""
    try:
        questions = next(script)
        while True:
            filed = [sheets() if question.seat == seat else () for question in questions]
            questions = script.send(tuple(map(_settled, questions, filed)))
    except StopIteration:
        return


def _settled(question: Question[Any], sheets: Iterable[Sequence[Intent]]) -> Answer[Any]:
    for source, sheet in zip(_SOURCES, sheets, strict=False):
        value = question.recognise(sheet)
        if value is not None:
            return Answer(value, source)
    return Answer(question.menu.default, Source.DEFAULT)


class Seen(msgspec.Struct, Generic[S], frozen=True):
    """A seat's knowledge of a match, which is all that it plays ahead from; no sheet of anybody else has a place in it."""

    seat: Seat
    before: S
    """The position in which the phase under way began, as the seat knows it."""
    heard: tuple[Event, ...] = ()
    """Events that it was told since."""
    sheets: dict[str, tuple[Intent, ...]] = {}
    """Its own order sheets of the phase, by the keys of their questions."""
    standing: tuple[Intent, ...] = ()


class _Fallen:
    """Dice that a seat saw fall stay as they fell; all others are of the one who plays ahead."""

    def __init__(self, heard: Iterable[Event], others: Chance) -> None:
        self._others = others
        self._faces = {
            (event.purpose, event.first + at): face
            for event in heard
            if isinstance(event, Rolled | Drawn)
            for at, face in enumerate(event.faces)
        }

    def face(self, purpose: str, index: int, sides: int, hidden: bool = False) -> int:
        """A face from 1 to `sides`."""
        fell = self._faces.get((purpose, index), 0)
        return fell if 0 < fell <= sides else self._others.face(purpose, index, sides, hidden)


class Bare(Generic[S]):
    """A match on the bare stage; `open` are the questions that wait, none when the game is over; `events` those of the phase.

    It begins with its set-up, or with what a seat knows: a position that holds more finds no way in. From what a seat
    knows it begins with the phase under way, for no script can be entered in its middle: dice that the seat saw stay as they
    fell, its own sheets are handed in again, and what others decided in the phase is decided anew.
    An answer must stand on the menu of its question; nobody looks here.
    """

    def __init__(self, game: Game[S], begins: Created | Seen[S], dice: Chance, waits: Waits = lambda _: False) -> None:
        self.game, self._dice, self._waits = game, dice, waits
        self.standing: dict[Seat, Sequence[Intent]] = {}
        self.ended: list[Ended[S]] = []
        self._known: dict[Seat, tuple[int, S]] = {}
        sheets: Mapping[str, Sequence[Intent]] = {}
        if isinstance(begins, Created):
            self._set_up = start(game, begins).state
        else:
            self._dice, self._set_up = _Fallen(begins.heard, dice), imagined(game, begins.before, begins.seat, dice)
            self.standing[begins.seat], sheets = begins.standing, begins.sheets
        self._begin(self._set_up)
        self._go()
        while again := [question for question in self.open if question.key in sheets]:
            self.answer(again[0], sheets[again[0].key])

    @property
    def state(self) -> S:
        """The position now."""
        return self.table.state

    def answer(self, question: Question[Any], value: Any) -> None:
        """Answer a question that is open, and go on where nobody else is waited for. Raises ValueError."""
        self.open.remove(question)
        self._answers[question.key] = Answer(value)
        if question.wants_orders:
            self._sheets[question.seat] = value
            self._filled[question.key] = question.seat, value
        self._go()

    def act(self, seat: Seat, intent: Intent) -> None:
        """Do at once what is allowed at any time."""
        self.game.aside(self.table, seat, intent)
        self._go()

    def file(self, seat: Seat, standing: Sequence[Intent]) -> None:
        """Lay down standing orders in place of those before."""
        self.standing[seat] = standing
        self._go()

    def seen(self, seat: Seat) -> Seen[S]:
        """A seat's knowledge of this match."""
        count, known = self._known.get(seat, (0, self._set_up))
        for ended in self.ended[count:]:
            known = reduce(self.game.evolve, told(ended.events, seat), known)
        self._known[seat] = len(self.ended), known
        own = {key: sheet for key, (whose, sheet) in self._filled.items() if whose == seat}
        return Seen(seat, known, told(self.events, seat), own, tuple(self.standing.get(seat, ())))

    def _begin(self, state: S, last: str = "") -> None:
        self._before = state
        self.events: list[Event] = []
        self.open: list[Question[Any]] = []
        self._asked: tuple[Question[Any], ...] = ()
        self._answers: dict[str, Answer[Any]] = {}
        self._sheets: dict[Seat, Sequence[Intent]] = {}
        self._filled: dict[str, tuple[Seat, Any]] = {}
        self.phase = phase_after(self.game, state, last)
        self.table = Table(self.phase.key if self.phase else "", state, self._dice, self.game.evolve)
        self.table.heard = self.events.append
        if self.phase is not None:
            self.table.emit(began(self.game, self.phase))
            self._script = self.phase.script(self.table)

    def _go(self) -> None:
        """On until somebody must answer, or the game is over."""
        while self.phase is not None:
            self.open = [question for question in self.open if not self._settles(question)]
            if self.open:
                return
            answers = tuple([self._answers[question.key] for question in self._asked])
            try:
                self._asked = self._script.send(answers) if self._asked else next(self._script)
            except StopIteration:
                phase = self.phase
                self.table.emit(PhaseEnded(phase.key, phase.title))
                self.ended.append(Ended(phase, self._before, tuple(self.events), self.state, ()))
                self._begin(self.state, phase.key)
                continue
            self.open, self._answers = list(self._asked), {}

    def _settles(self, question: Question[Any]) -> bool:
        """Whether the answer is on file, or nobody is waited for."""
        if question.wants_orders:
            return False
        seat, state = question.seat, self.table.state
        filed = (of.get(seat, ()) for of in (self._sheets, self.standing))
        answer = _settled(question, (in_force(self.game, state, seat, sheet) for sheet in filed))
        if answer.source is Source.DEFAULT and question.pace is not Pace.AUTO and self._waits(question):
            return False
        self._answers[question.key] = answer
        return True
