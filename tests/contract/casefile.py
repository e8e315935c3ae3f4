"""Runs a case: stages the position, files and answers what it says, plays one phase, and checks what it expects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

import msgspec

from referee.core.chance import Keyed, Scripted
from referee.core.event import Event
from referee.core.game import Game
from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Vocabulary
from referee.core.position import Position, intents_in
from referee.core.question import Amount, OneOf, Question, Several, Source
from referee.core.record import Acted, Answered, Given, If, Record, Sheet
from referee.core.stage import Outcome, Unsealed, resume
from referee.kit.casefile import Case, Expect, Spoken
from referee.orders import Branch, Node, read
from referee.service.base.ports import Alarm
from referee.service.match.clocks import PERIOD, late_by, next_period
from tests.match import codec_of, secret_of

NO_DESK = Vocabulary((), ())


class Staging(Protocol):
    """A game's own words for cases: the module tests/games/GAME/staging.py."""

    def stage(self, options: Mapping[str, str]) -> Any:
        """The position from which GIVEN starts."""
        ...

    def given(self, state: Any, fact: str) -> Any:
        """The position changed so that a fact holds. Raises ValueError for a fact it does not understand."""
        ...

    def expect(self, before: Any, events: Sequence[Event], after: Any, fact: str) -> str | None:
        """None where the fact holds, otherwise what is true instead. Raises ValueError likewise."""
        ...


def run_case(game: Game[Any], staging: Staging, case: Case) -> list[str]:
    """Everything in which the game differs from the case; empty when it agrees."""
    options = {setting.name: setting.default for setting in game.settings} | case.options
    state = staging.stage(options)
    for fact in case.given:
        state = staging.given(state, fact)
    play = _Play(game, case, state)
    play.go()
    failures = list(play.failures)
    for expected in case.expect:
        wrong = play.missed(staging, expected)
        if wrong:
            failures.append(f"line {expected.line}: expected {expected.kind} {expected.text!r}, but {wrong}")
    if play.refused and not any(expected.kind == "refused" for expected in case.expect):
        failures.append(f"refused: {play.refused}")
    return failures


def events_of(game: Game[Any], staging: Staging, case: Case) -> tuple[Event, ...]:
    """What happens in the phase of a case."""
    state = staging.stage({setting.name: setting.default for setting in game.settings} | case.options)
    for fact in case.given:
        state = staging.given(state, fact)
    play = _Play(game, case, state)
    play.go()
    return play.events


def leaves_no_choice(question: Question[Any]) -> bool:
    """Whether a question has a single answer: nobody should be kept waiting for that."""
    match question.menu:
        case OneOf() as menu:
            return len(menu.options) < 2
        case Several() as menu:
            return not menu.options or menu.at_most < 1
        case Amount() as menu:
            return menu.low == menu.high
    return False


class _Play:
    """One phase of a case, run until nobody is asked anything more."""

    def __init__(self, game: Game[Any], case: Case, state: Any) -> None:
        self.game, self.case, self.codec = game, case, codec_of(game)
        self.before = self.after = state
        self.events: tuple[Event, ...] = ()
        self.refused: list[str] = []
        self.doubts: list[str] = []
        self.failures: list[str] = []
        self._orders, self._answers = list(case.orders), list(case.answers)
        self._dice = Scripted(())
        self._records: list[Record] = []
        self._position: Position[Any] = Position(state, {}, 0)

    def go(self) -> None:
        drawers = {(said.seat, "standing"): self._sheet(self.before, said) for said in self.case.standing}
        self._position = Position(self.before, drawers, 0)
        outcome = self._run()
        if outcome.open:
            outcome = self._asides(outcome, asked={question.seat for question in outcome.open})
        while outcome.open:
            outcome = self._reply(outcome, outcome.open[0])
        self.after = outcome.state
        self.events = outcome.ended[0].events if outcome.ended else ()
        self._check_all_used()

    def _run(self, *inputs: Record) -> Outcome[Any]:
        self._dice = Scripted(self.case.dice, then=Keyed(secret_of("cases"), 0))
        dice = Unsealed(self._dice)
        out = resume(self.game, self.codec, self._position, self._records, inputs, dice, self._waits, phases=1)
        self._records += out.written
        return out

    def _waits(self, question: Question[Any]) -> bool:
        if leaves_no_choice(question):
            self.failures.append(f"{question.key} is asked, and there is one answer: {question.menu.words()}")
        return any(said.seat == question.seat for said in self._answers)

    def _take(self, said: list[Spoken], seat: Seat) -> str | None:
        found = next((spoken for spoken in said if spoken.seat == seat), None)
        if found is None:
            return None
        said.remove(found)
        return found.text

    def _asides(self, outcome: Outcome[Any], asked: set[Seat]) -> Outcome[Any]:
        """Those who are not on turn may still act at once."""
        for said in [spoken for spoken in self._orders if spoken.seat not in asked]:
            self._orders.remove(said)
            outcome, rest = self._acted(outcome, said)
            if rest:
                self.failures.append(f"{said.seat} is not asked for orders, so {said.text!r} came to nothing")
        return outcome

    def _acted(self, outcome: Outcome[Any], said: Spoken) -> tuple[Outcome[Any], tuple[Intent, ...]]:
        """Do what acts at once; return what waits for the turn."""
        intents = intents_in(self.game, self.codec, outcome.state, said.seat, self._sheet(outcome.state, said))
        for intent in intents:
            if self.game.is_aside(intent):
                outcome = self._run(Acted(said.seat, self.codec.raw(intent)))
        return outcome, tuple(intent for intent in intents if not self.game.is_aside(intent))

    def _reply(self, outcome: Outcome[Any], question: Question[Any]) -> Outcome[Any]:
        value = question.menu.default
        if question.wants_orders:
            text = self._take(self._orders, question.seat)
            if text is not None:
                outcome, said = self._acted(outcome, Spoken(question.seat, text))
                value = tuple(intent for intent in said if question.takes(intent))
                strange = [intent.meaning() for intent in said if not question.takes(intent)]
                self.failures += [f"{question.key} does not ask for this: {meaning}" for meaning in strange]
                self.doubts += [d.told for d in self.game.doubts(outcome.state, question.seat, value)]
        else:
            text = self._take(self._answers, question.seat)
            chosen = question.menu.read(text) if text is not None else None
            if text is not None and chosen is None:
                self.failures.append(f"{text!r} does not answer {question.key}: {question.menu.words()}")
            value = chosen if chosen is not None else value
        source = Source.DEFAULT if text is None else Source.PLAYER
        raw, late = msgspec.Raw(question.menu.encode(value)), _full_days(self.case.late.get(question.seat, 0))
        return self._run(Answered(question.key, question.seat, raw, source, late_by=late))

    def _sheet(self, state: Any, said: Spoken) -> Sheet:
        reading = read(said.text, self.game.vocabulary(state), NO_DESK)
        self.refused += [mistake.refusal.sentence for mistake in reading.mistakes]
        self.failures += [f"not read: {line.text!r} ({line.why})" for line in reading.ignored]
        return self._bound(state, said.seat, reading.sheet)

    def _bound(self, state: Any, seat: Seat, nodes: Sequence[Node]) -> Sheet:
        sheet: list[Given | If] = []
        for node in nodes:
            if isinstance(node, Branch):
                branches = (self._bound(state, seat, node.then), self._bound(state, seat, node.otherwise))
                sheet.append(If(node.text, node.condition, *branches))
            elif isinstance(bound := self.game.bind(state, seat, node.order), Illegal):
                self.refused.append(" / ".join((f"{bound.sentence} [{bound.rule}]", *bound.instead)))
            else:
                sheet.append(Given(node.text, self.codec.raw(bound), bound.meaning()))
        return tuple(sheet)

    def _check_all_used(self) -> None:
        left = self._dice.left()
        if left:
            self.failures.append(f"dice nobody rolled: {left}")
        for what, said in (("orders", self._orders), ("answers", self._answers)):
            self.failures += [f"{what} of {spoken.seat} nobody asked for: {spoken.text!r}" for spoken in said]

    def missed(self, staging: Staging, expected: Expect) -> str | None:
        """What is true instead of the expectation, or None where it holds."""
        told = [f"{sentence} [{event.cites()}]" for event in self.events if (sentence := event.sentence())]
        match expected.kind:
            case "fact":
                return staging.expect(self.before, self.events, self.after, expected.text)
            case "event":
                return None if _in(expected.text, told) else f"what happened was {told}"
            case "not event":
                return f"it happened: {told}" if _in(expected.text, told) else None
            case "refused":
                return None if _in(expected.text, self.refused) else f"refused was {self.refused}"
            case "doubt":
                return None if _in(expected.text, self.doubts) else f"doubted was {self.doubts}"


def _full_days(minutes: int) -> int:
    """By how much the service's clocks count a slot late that is so old."""
    opened = datetime(1976, 1, 1, tzinfo=UTC)
    alarm = Alarm("cases", "deadline", "slot", opened + PERIOD)
    while alarm.due_at <= opened + timedelta(minutes=minutes):
        alarm = next_period(alarm)
    return late_by((alarm,), "slot")


def _in(text: str, sentences: Sequence[str]) -> bool:
    return any(text in sentence for sentence in sentences)
