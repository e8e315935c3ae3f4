"""The stage: runs a match's scripts over its log, first checking what is written, then writing on.

A script cannot wait in memory for a week. So the running phase is played again from its start with the answers
and dice on record; the events it emits must equal the log, byte for byte; then it goes on.

Before dice are thrown the log is sealed, once for all throws that follow from the same letters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from referee.core.chance import Chance
from referee.core.event import Amended, Event, PhaseBegan, PhaseEnded, Ruled
from referee.core.game import Game, Phase
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.position import Diverged, Position, evolved, in_force, intents_in
from referee.core.question import Answer, Pace, Question, Source
from referee.core.record import (
    Acted,
    Answered,
    Codec,
    Filed,
    Happened,
    Luck,
    Opened,
    Overrode,
    Record,
    Sealed,
    Sheet,
    is_from_outside,
)
from referee.core.table import Script, Table

S = TypeVar("S")
T = TypeVar("T")


class Dice(Protocol):
    """Where a run has its dice from: the seals of a log, or a source that needs none."""

    def seal(self, written: Sequence[Record], hidden: bool, held: Sealed | None, more: bool) -> Sealed | None:
        """The seal of a throw that follows what this run has written, or None where dice need none.

        `held` is one whose key it has again; `more` says that the run has taken only part of what it was given.
        """
        ...

    def under(self, seal: Sealed | None, opened: Opened | None) -> Chance | None:
        """The dice under a seal, or without one; None while its round is not there, or where none fall without a seal."""
        ...


class Unsealed:
    """Dice that no log is sealed for: of bots, cases and trials."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def seal(self, written: Sequence[Record], hidden: bool, held: Sealed | None, more: bool) -> Sealed | None:
        """None is needed."""
        return None

    def under(self, seal: Sealed | None, opened: Opened | None) -> Chance | None:
        """The same dice, whatever was sealed."""
        return self._chance


class _RoundWaits(BaseException):
    """A script needs dice whose round is not there yet. No Exception: no rule may catch it."""

    def __init__(self, seal: Sealed) -> None:
        super().__init__(seal)
        self.seal = seal


Waits = Callable[[Question[Any]], bool]
"""Whether a question that no sheet on file answers is mailed and waited for, or takes its default at once."""


class Ended(msgspec.Struct, Generic[S], frozen=True):
    """A phase that ended in this run."""

    phase: Phase[S]
    before: S
    events: tuple[Event, ...]
    after: S
    answers: tuple[Answered, ...]
    asked: dict[str, str] = {}
    """The text of each question answered, by its key."""
    sheets: tuple[str, ...] = ()
    """The keys of those among them that were order sheets."""
    chance: tuple[Sealed | Opened | Luck, ...] = ()
    """The seals of its dice, the rounds that opened them, and the words that players put into the log meanwhile."""


class Outcome(msgspec.Struct, Generic[S], frozen=True):
    """Where a run left the match.

    `written` is what must be appended to the log, `position` the last boundary between phases, `phase` the one
    that waits (None: the game is over), `events` what happened in it so far.
    """

    written: tuple[Record, ...]
    position: Position[S]
    state: S
    drawers: dict[tuple[Seat, str], Sheet]
    phase: Phase[S] | None
    events: tuple[Event, ...]
    open: tuple[Question[Any], ...]
    ended: tuple[Ended[S], ...]
    sealed: Sealed | None = None
    """The seal whose round is waited for: nothing can be taken until it is there."""
    fault: str = ""
    """Why the phase under way cannot be played as the log has it, and so nothing is asked."""
    asked: int = 0
    """So many records counted when that was asked which is open now."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase is None and not self.fault


def halted(game: Game[S], position: Position[S], tail: Sequence[Record], fault: str) -> Outcome[S]:
    """A match whose phase under way cannot be played: where it stands, and what is on file."""
    drawers = dict(position.drawers)
    for record in tail:
        if isinstance(record, Filed):
            drawers[record.seat, record.drawer] = record.sheet
    try:
        phase = game.next_phase(position.state)
    except Exception:  # then even its name is unknown
        phase = None
    filed = {place: sheet for place, sheet in drawers.items() if sheet}
    return Outcome((), position, position.state, filed, phase, (), (), (), fault=fault)


Played: TypeAlias = "Callable[[Question[Any], Answer[Any], Any, Mapping[tuple[Seat, str], Sheet]], None]"
"""Looks at the sheet that answers a question, in the position and with the drawers of then."""


def resume(
    game: Game[S],
    codec: Codec,
    position: Position[S],
    tail: Sequence[Record],
    inputs: Sequence[Record],
    dice: Dice,
    waits: Waits,
    phases: int | None = None,
    played: Played | None = None,
) -> Outcome[S]:
    """Run on from a position: check `tail` (live records since), take `inputs`, write until somebody must answer.

    `phases` stops after so many ended phases; `played` looks at each order sheet that is played. Raises Diverged, and
    ValueError when that leaves inputs over.
    """
    return _Run(game, codec, position, tail, inputs, dice, waits, played).go(phases)


def phase_after(game: Game[S], state: S, last: str = "") -> Phase[S] | None:
    """The phase that begins in a position, after the one with the key `last`. Raises Diverged."""
    phase = game.next_phase(state)
    if phase is not None and phase.key == last:
        raise Diverged(f"the rules do not move on: {last} would follow upon itself")
    return phase


def began(game: Game[S], phase: Phase[S]) -> PhaseBegan:
    """How a phase begins, and by which rules."""
    revision = game.revisions[-1].number if game.revisions else 0
    return PhaseBegan(phase.key, phase.title, revision, game.build, game.version)


class _Run(Generic[S]):
    def __init__(
        self,
        game: Game[S],
        codec: Codec,
        position: Position[S],
        tail: Sequence[Record],
        inputs: Sequence[Record],
        dice: Dice,
        waits: Waits,
        played: Played | None = None,
    ) -> None:
        self._game, self._codec, self._dice, self._waits, self._played = game, codec, dice, waits, played
        self._position = self._boundary = position
        self._known = tuple(tail)
        self._fresh = tuple(inputs)
        self._read = 0
        self._taken = 0
        self._written: list[Record] = []
        self._drawers = dict(position.drawers)
        self._sheets: dict[Seat, tuple[Intent, ...]] = {}
        self._events: list[Event] = []
        self._answers: list[Answered] = []
        self._asked: dict[str, str] = {}
        self._filled: list[str] = []
        self._chance: list[Sealed | Opened | Luck] = []
        self._open: tuple[Question[Any], ...] = ()
        self._put = 0
        self._seals: dict[bool, Sealed] = {}
        self._chances: dict[bool, Chance] = {}

    def face(self, purpose: str, index: int, sides: int, hidden: bool = False) -> int:
        """A face from 1 to `sides`, under the seal in force; the log is sealed if it has to be."""
        chance = self._chances.get(hidden)
        if chance is None:
            chance = self._chances[hidden] = self._sealed(hidden)
        return chance.face(purpose, index, sides, hidden)

    def _sealed(self, hidden: bool) -> Chance:
        seal = self._seal_here(hidden)
        if seal is None:
            chance = self._dice.under(None, None)
            if chance is None:
                raise Diverged("the log has a die that no seal covers")
            return chance
        if seal.hidden != hidden:
            raise Diverged("the log has a seal of other dice than those that are thrown")
        self._seals[hidden] = seal
        self._chance.append(seal)
        chance = self._dice.under(seal, self._opened(seal) if seal.round else None)
        if chance is None:
            raise _RoundWaits(seal)
        return chance

    def _seal_here(self, hidden: bool) -> Sealed | None:
        """The seal that the log has here, or is given; at its end a new one, unless dice need none."""
        if self._read < len(self._known):
            record = self._known[self._read]
            self._read += isinstance(record, Sealed)
            return record if isinstance(record, Sealed) else None
        given = self._fresh[self._taken] if self._taken < len(self._fresh) else None
        if isinstance(given, Sealed):
            self._taken += 1
            seal: Sealed | None = given
        else:
            seal = self._dice.seal(tuple(self._written), hidden, self._held(hidden), self._has_more())
        if seal is not None:
            self._written.append(seal)
        return seal

    def _has_more(self) -> bool:
        """Whether something that was given is not taken yet, and would be lost if this run stopped here."""
        return self._taken < len(self._fresh)

    def _held(self, hidden: bool) -> Sealed | None:
        """A seal since which nothing came from outside: one of the phase before."""
        return self._seals.get(hidden)

    def _opened(self, seal: Sealed) -> Opened | None:
        """The round of a seal, as the log has it or it is given now."""
        known = self._read < len(self._known)
        ahead = self._known[self._read : self._read + 1] or self._fresh[self._taken : self._taken + 1]
        record = ahead[0] if ahead else None
        if not isinstance(record, Opened) or record.number != (seal.again or seal.number):
            return None
        if known:
            self._read += 1
        else:
            self._taken += 1
            self._written.append(record)
        self._chance.append(record)
        return record

    def _break_seals(self) -> None:
        """Something came from outside, and may have been chosen by somebody who knows the key."""
        self._seals.clear()
        self._chances.clear()

    def go(self, phases: int | None) -> Outcome[S]:
        state = self._position.state
        ended: list[Ended[S]] = []
        phase = phase_after(self._game, state)
        while phase is not None and (phases is None or len(ended) < phases):
            table = Table(phase.key, state, self, self._game.evolve)
            table.heard = self._hear
            self._events, self._answers, self._sheets, self._asked, self._filled = [], [], {}, {}, []
            self._chances.clear()
            self._chance = []
            try:
                table.emit(began(self._game, phase))
                if not self._perform(phase.script(table), table):
                    return self._outcome(table.state, phase, ended)
            except _RoundWaits as waits:
                return msgspec.structs.replace(self._outcome(table.state, phase, ended), sealed=waits.seal)
            table.emit(PhaseEnded(phase.key, phase.title))
            # Drafts answer questions of one phase; they end with it.
            self._drawers = {place: s for place, s in self._drawers.items() if not place[1].startswith("orders:")}
            told = tuple(self._events), table.state, tuple(self._answers)
            ended.append(Ended(phase, state, *told, self._asked, tuple(self._filled), tuple(self._chance)))
            state = table.state
            count = self._position.count + self._read + len(self._written)
            boundary = msgspec.structs.replace(self._position, state=state, drawers=dict(self._drawers), count=count)
            self._boundary = boundary
            phase = phase_after(self._game, state, phase.key)
        if phase is None:
            # After the end only sheets nobody will play and overrides may follow.
            while (record := self._next_input({})) is not None:
                if isinstance(record, Filed):
                    self._file(record.seat, record.drawer, record.sheet)
                elif not isinstance(record, Overrode | Luck):
                    raise Diverged(f"the log goes on after the end of the game with {record!r}")
        if self._taken < len(self._fresh):
            raise ValueError(f"the last phase to be run has no use for {self._fresh[self._taken]!r}")
        self._events = []
        return self._outcome(state, phase, ended)

    def _outcome(self, state: S, phase: Phase[S] | None, ended: list[Ended[S]]) -> Outcome[S]:
        return Outcome(
            tuple(self._written),
            self._boundary,
            state,
            dict(self._drawers),
            phase,
            tuple(self._events),
            self._open,
            tuple(ended),
            asked=self._put if self._open else 0,
        )

    def _perform(self, script: Script[None], table: Table[S]) -> bool:
        """Drive a script to its end (True) or to questions nobody has answered yet (False)."""
        answers: tuple[Answer[Any], ...] | None = None
        while True:
            try:
                questions = next(script) if answers is None else script.send(answers)
            except StopIteration:
                return True
            answers = self._gather(questions, table)
            if answers is None:
                return False
            self._open = ()

    def _gather(self, questions: tuple[Question[Any], ...], table: Table[S]) -> tuple[Answer[Any], ...] | None:
        answers: dict[str, Answer[Any]] = {}
        by_key = {question.key: question for question in questions}
        self._put = self._position.count + self._read + len(self._written)
        while len(answers) < len(by_key):
            self._file_again()
            record = self._next_input({key: q for key, q in by_key.items() if key not in answers})
            if record is None:
                left = [q for q in questions if q.key not in answers]
                settled = [q for q in left if self._settle(q, table, answers)]
                if not settled:
                    self._open = tuple(left)
                    return None
            else:
                self._take(record, by_key, answers, table)
        return tuple(answers[question.key] for question in questions)

    def _file_again(self) -> None:
        """Sheets on record, in one go: a busy turn has hundreds of them, and they ask nothing of the script."""
        known, end = self._known, len(self._known)
        if self._read < end and isinstance(known[self._read], Filed):
            self._break_seals()
        while self._read < end and isinstance(record := known[self._read], Filed):
            self._file(record.seat, record.drawer, record.sheet)
            self._read += 1

    def _next_input(self, wanted: Mapping[str, Question[Any]]) -> Record | None:
        """The next record of the log, or of the new ones; `wanted` are the questions that have no answer yet."""
        if self._read < len(self._known):
            self._read += 1
            return self._known[self._read - 1]
        if self._taken < len(self._fresh):
            self._taken += 1
            self._written.append(self._fresh[self._taken - 1])
            return self._written[-1]
        return None

    def _take(
        self,
        record: Record,
        by_key: Mapping[str, Question[Any]],
        answers: dict[str, Answer[Any]],
        table: Table[S],
    ) -> None:
        if _breaks_seals(record):
            self._break_seals()
        match record:
            case Answered(key=key):
                if key not in by_key or key in answers:
                    raise Diverged(f"the log answers {key}, which is not open here")
                table.at = record.at or table.at
                self._answer(by_key[key], record, answers)
                if self._played and by_key[key].wants_orders:
                    self._played(by_key[key], answers[key], table.state, self._drawers)
            case Acted(seat=seat, intent=intent):
                table.at = record.at
                self._open = tuple(question for key, question in by_key.items() if key not in answers)
                self._game.aside(table, seat, _decoded(self._codec.intent, intent))
            case Filed(seat=seat, drawer=drawer, sheet=sheet):
                self._file(seat, drawer, sheet)
            case Happened(event=raw) if isinstance(event := _decoded(self._codec.event, raw), Amended | Ruled):
                self._events.append(event)
                table.state = evolved(self._game, table.state, event)
            case Luck():
                self._chance.append(record)
            case Overrode():
                pass
            case _:
                raise Diverged(f"the log has {record!r} where an answer was expected")

    def _answer(self, question: Question[Any], record: Answered, answers: dict[str, Answer[Any]]) -> None:
        try:
            value = question.menu.decode(record.value)
        except (ValueError, msgspec.DecodeError) as problem:
            raise Diverged(f"the answer to {question.key} is not on its menu: {problem}") from problem
        answers[question.key] = Answer(value, record.source, record.late_by, record.by)
        self._answers.append(record)
        self._asked[question.key] = question.text
        if question.wants_orders:
            self._sheets[question.seat] = value
            self._filled.append(question.key)

    def _settle(self, question: Question[Any], table: Table[S], answers: dict[str, Answer[Any]]) -> bool:
        """Answer from the orders given, from standing orders, or at once by default where nobody waits for a letter."""
        if question.wants_orders:
            return False
        standing = self._drawers.get((question.seat, "standing"), ())
        value = question.recognise(self._now(table, question.seat, self._sheets.get(question.seat, ())))
        source = Source.ORDERS
        if value is None and standing:
            intents = intents_in(self._game, self._codec, table.state, question.seat, standing)
            value, source = question.recognise(self._now(table, question.seat, intents)), Source.STANDING
        if value is None:
            if question.pace is not Pace.AUTO and self._waits(question):
                return False
            value, source = question.menu.default, Source.DEFAULT
        record = Answered(question.key, question.seat, msgspec.Raw(question.menu.encode(value)), source)
        self._written.append(record)
        self._answer(question, record, answers)
        return True

    def _now(self, table: Table[S], seat: Seat, intents: tuple[Intent, ...]) -> tuple[Intent, ...]:
        return in_force(self._game, table.state, seat, intents)

    def _file(self, seat: Seat, drawer: str, sheet: Sheet) -> None:
        self._drawers.pop((seat, drawer), None)
        if sheet:
            self._drawers[seat, drawer] = sheet

    def _hear(self, event: Event) -> None:
        raw = self._codec.raw(event)
        if self._read < len(self._known):
            record = self._known[self._read]
            if not isinstance(record, Happened) or bytes(record.event) != bytes(raw):
                event = self._as_begun(event, record, raw)
            self._read += 1
        else:
            self._written.append(Happened(raw))
        self._events.append(event)

    def _as_begun(self, event: Event, record: Record, raw: msgspec.Raw) -> Event:
        """A phase that began under other rules, as the log has it: whether they give the same is seen in what follows."""
        if isinstance(event, PhaseBegan) and isinstance(record, Happened):
            began = _decoded(self._codec.event, record.event)
            if isinstance(began, PhaseBegan) and (began.key, began.title) == (event.key, event.title):
                return began
        raise Diverged(f"the script emits {bytes(raw).decode()} where the log has {_shown(record)}")


class Anew(msgspec.Struct, Generic[S], frozen=True):
    """An open phase played anew by mended rules: where that led, what it took, and what of the log no longer fits.

    A strict run of `inputs` comes to the same.
    """

    outcome: Outcome[S]
    inputs: tuple[Record, ...]
    left_out: tuple[Record, ...]


def play_anew(
    game: Game[S],
    codec: Codec,
    position: Position[S],
    tail: Sequence[Record],
    dice: Dice,
    waits: Waits,
) -> Anew[S]:
    """Play the open phase from its beginning with the sheets, answers, acts and rulings of `tail` as far as they fit still.

    An answer fits where its question is asked again and it stands on its menu; a seat that gave another is asked anew.
    """
    run = _Anew(game, codec, position, tail, dice, waits)
    outcome = run.go(None)
    inputs = tuple(record for record in outcome.written if _is_given(codec, record) or run.repeats(record))
    return Anew(outcome, inputs, run.left_out)


class _Anew(_Run[S]):
    """A run that passes over what does not fit, instead of calling it a divergence."""

    def __init__(
        self,
        game: Game[S],
        codec: Codec,
        position: Position[S],
        tail: Sequence[Record],
        dice: Dice,
        waits: Waits,
    ) -> None:
        super().__init__(game, codec, position, (), (), dice, waits)
        self._left = [record for record in tail if _is_given(codec, record)]
        self._unfit: list[Record] = []
        self._last: Record | None = None
        self._thrown = _seals_of(codec, tail)

    @property
    def left_out(self) -> tuple[Record, ...]:
        """The records passed over: they did not fit, or nobody asked for them any more."""
        return (*self._unfit, *self._left)

    def repeats(self, record: Record) -> bool:
        """Whether a record says that a seal of before holds again, or opens it."""
        return isinstance(record, Opened) or (isinstance(record, Sealed) and bool(record.again))

    def _has_more(self) -> bool:
        return bool(self._left)

    def _held(self, hidden: bool) -> Sealed | None:
        """The seal that stood at this place before: mended rules throw the same dice."""
        return self._thrown.get((id(self._last), hidden)) or super()._held(hidden)

    def _next_input(self, wanted: Mapping[str, Question[Any]]) -> Record | None:
        for record in tuple(self._left):
            if isinstance(record, Answered) and record.key not in wanted:
                continue
            self._left.remove(record)
            if self._fits(record, wanted):
                self._written.append(record)
                if _breaks_seals(record):
                    self._last = record
                return record
            self._unfit.append(record)
        return None

    def _fits(self, record: Record, wanted: Mapping[str, Question[Any]]) -> bool:
        try:
            match record:
                case Answered(key=key, seat=seat, value=value):
                    wanted[key].menu.decode(value)
                    return wanted[key].seat == seat
                case Acted(intent=intent):
                    self._codec.intent(intent)
        except (ValueError, msgspec.DecodeError):
            return False
        return True


def _seals_of(codec: Codec, tail: Sequence[Record]) -> dict[tuple[int, bool], Sealed]:
    """The seals of a phase by the last record before them that came from outside."""
    found: dict[tuple[int, bool], Sealed] = {}
    last: Record | None = None
    for record in tail:
        if isinstance(record, Sealed):
            found.setdefault((id(last), record.hidden), record)
        elif _is_given(codec, record) and _breaks_seals(record):
            last = record
    return found


def _breaks_seals(given: Record) -> bool:
    """Whether something that was given came from outside; a ruling does, though it is an event."""
    return is_from_outside(given) or isinstance(given, Happened)


def _is_given(codec: Codec, record: Record) -> bool:
    """Whether a record came from people, and does not follow from the rules; that a backup was restored is of the log alone."""
    if isinstance(record, Overrode) and record.restores:
        return False
    if not isinstance(record, Happened):
        return not isinstance(record, Sealed | Opened)
    try:
        return isinstance(codec.event(record.event), Amended | Ruled)
    except msgspec.DecodeError:
        return False


def _shown(record: Record) -> str:
    """A record as a person can read it: an event as the log has it."""
    return bytes(record.event).decode() if isinstance(record, Happened) else repr(record)


def _decoded(decode: Callable[[msgspec.Raw], T], raw: msgspec.Raw) -> T:
    try:
        return decode(raw)
    except msgspec.DecodeError as problem:
        raise Diverged(f"the log has {bytes(raw)!r}, which is none of this game's: {problem}") from problem
