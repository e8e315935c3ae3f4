"""Orders played out beforehand, in every way the dice can fall or in a stated number of trials with dice of their own; and a
match that is played ahead without a log (`Ahead`), by the page and by lessons.

Neither the match's secret nor anything its holder was not told is at hand where orders are played out: all that goes in is a
position as a seat knows it, his sheet and his standing orders. Everybody else is taken to decide like a silent player.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial, reduce
from math import isqrt, prod
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from referee.core.chance import Chance, Keyed
from referee.core.event import Drawn, Event, PhaseBegan, PhaseEnded, Rolled
from referee.core.game import Fortune, Odds, Rehearses
from referee.core.names import Seat
from referee.core.order import Condition, Intent, due
from referee.core.position import evolved, parted, told
from referee.core.question import Question, Source, slot_of
from referee.core.record import Acted, Answered, Filed, Record, Sheet
from referee.core.stage import Ended, Unsealed, resume
from referee.core.table import Table
from referee.kit.bare_stage import played_out
from referee.kit.opponents import answer_of
from referee.service.match.playing import Playing
from referee.service.match.sheets import Bound, answered, debts

Standing = Callable[[Any], Sequence[Intent]]
"""A seat's standing orders, their conditions judged in a position."""


class RehearsingGame(Rehearses, Protocol):
    """A game that can be rehearsed."""

    def evolve(self, state: Any, event: Event) -> Any:
        """The state after an event."""
        ...

    def holds(self, state: Any, seat: Seat, condition: Condition) -> bool:
        """Whether a condition of an IF block is true now."""
        ...


_WORK = 30_000
"""How much all rehearsals of one preview may do, in events: well under a second."""

_WORK_OF_A_LINE = 4
"""The cost of a look at one line of a sheet, in events."""

_TRIALS = (1_000, 400, 200, 100, 50)
"""Numbers of trials; as many are made as that allows."""

_KEY = b"dice of previews, which no match has"


class Spread(msgspec.Struct, frozen=True):
    """The outcome of rehearsals. `exact`: all ways the dice can fall were played, `number` of them; else so many trials.

    `always` are the sentences of what happened in each; `holdings` says for each name how likely each figure is.
    """

    number: int
    exact: bool
    fortunes: tuple[Odds, ...]
    always: tuple[str, ...]
    holdings: dict[str, dict[int, Fraction]]

    @property
    def margin(self) -> int:
        """By how many in a hundred a figure from trials may be off, in 19 of 20 previews."""
        return 0 if self.exact else 100 // isqrt(self.number)


class _Run(msgspec.Struct, frozen=True):
    """One rehearsal: what it cost, and what it brought."""

    work: int
    fortunes: tuple[Fortune, ...]
    sentences: tuple[str, ...]
    holdings: dict[str, int]


_Weighed = tuple[_Run, Fraction]
"""A rehearsal and how likely it is."""

_SILENT = (Rolled, Drawn, PhaseBegan, PhaseEnded)


class _Play:
    """The thing that is rehearsed."""

    def __init__(
        self, game: RehearsingGame, state: Any, seat: Seat, sheet: Sequence[Intent], standing: Standing
    ) -> None:
        self._game, self._state, self._seat = game, state, seat
        self._sheet, self._standing = tuple(sheet), standing

    def run(self, chance: Chance) -> _Run:
        """One rehearsal with these dice."""
        events: list[Event] = []
        table = Table("preview", self._state, chance, self._game.evolve)
        table.heard = events.append
        script = self._game.rehearse(table, self._seat, self._sheet)

        def now() -> tuple[Sequence[Intent], ...]:
            state = table.state
            return tuple(due(self._sheet, partial(self._game.holds, state, self._seat))), self._standing(state)

        played_out(script, self._seat, now)
        fortunes = self._game.fortunes(self._seat, self._state, events, table.state)
        told = (event.sentence() for event in events if not isinstance(event, _SILENT))
        return _Run(
            len(events) + _WORK_OF_A_LINE * (1 + len(self._sheet)),
            tuple(dict.fromkeys(fortunes)),
            tuple(dict.fromkeys(filter(None, told))),
            dict(self._game.holdings(table.state, self._seat)),
        )


class _TooMany(Exception):
    """There are more ways in which the dice can fall than can be looked at: perhaps without end, as in a battle."""


class _Way:
    """One way in which the dice can fall: the faces given, then the first face of each further die."""

    def __init__(self, faces: Sequence[tuple[int, int]]) -> None:
        self._faces = list(faces)
        self._at = 0

    def face(self, purpose: str, index: int, sides: int, hidden: bool = False) -> int:
        """A face from 1 to `sides`. Raises _TooMany."""
        if self._at == len(self._faces):
            self._faces.append((1, sides))
            if self.chance * _WORK < 1:
                raise _TooMany
        self._at += 1
        return self._faces[self._at - 1][0]

    @property
    def chance(self) -> Fraction:
        """How likely it is."""
        return Fraction(1, prod(sides for _, sides in self._faces))

    def following(self) -> list[tuple[int, int]]:
        """The faces with which the next way begins; none after the last."""
        left = self._faces
        while left and left[-1][0] == left[-1][1]:
            left.pop()
        return [*left[:-1], (left[-1][0] + 1, left[-1][1])] if left else []


# ---------------------------------------------------------------- how often


def spread(game: RehearsingGame, state: Any, seat: Seat, sheet: Sequence[Intent], standing: Standing) -> Spread:
    """The outcomes of a sheet, from every way the dice can fall where those are few, else from trials."""
    play = _Play(game, state, seat, sheet, standing)
    every = _every_way(play)
    runs = every or _trials(play)
    others = [frozenset(run.sentences) for run, _ in runs[1:]]
    always = tuple(said for said in runs[0][0].sentences if all(said in other for other in others))
    return Spread(len(runs), bool(every), _fortunes(runs, always), always, _figures(runs))


def _every_way(play: _Play) -> list[_Weighed]:
    """All ways with their chances; none when they are too many."""
    try:
        return list(_ways(play))
    except _TooMany:
        return []


def _ways(play: _Play) -> Iterator[_Weighed]:
    """One way after the other. Raises _TooMany."""
    faces: list[tuple[int, int]] = []
    work, first = 0, True
    while faces or first:
        way = _Way(faces)
        run = play.run(way)
        yield run, way.chance
        work += run.work
        if work > _WORK or (first and run.work > _WORK * way.chance):
            raise _TooMany
        faces, first = way.following(), False


def _trials(play: _Play) -> list[_Weighed]:
    """As many trials as the first one's work says; each has dice of its own, the same in every preview."""
    first = play.run(Keyed(_KEY, 0))
    number = next((n for n in _TRIALS if n * first.work <= _WORK), _TRIALS[-1])
    runs = [first, *(play.run(Keyed(_KEY, trial)) for trial in range(1, number))]
    return [(run, Fraction(1, number)) for run in runs]


def _fortunes(runs: Sequence[_Weighed], always: Sequence[str]) -> tuple[Odds, ...]:
    """Each fortune that is not always said with its chance, by what they are about, the likeliest first."""
    chances: dict[Fortune, Fraction] = {}
    for run, weight in runs:
        for fortune in (fortune for fortune in run.fortunes if fortune.said not in always):
            chances[fortune] = chances.get(fortune, Fraction(0)) + weight
    abouts = list(dict.fromkeys(fortune.about for fortune in chances))
    ranked = sorted(chances.items(), key=lambda item: (abouts.index(item[0].about), -item[1]))
    return tuple(Odds(fortune.about, fortune.what, chance) for fortune, chance in ranked)


def _figures(runs: Sequence[_Weighed]) -> dict[str, dict[int, Fraction]]:
    found: dict[str, dict[int, Fraction]] = {}
    for run, weight in runs:
        for name, number in run.holdings.items():
            chances = found.setdefault(name, {})
            chances[number] = chances.get(number, Fraction(0)) + weight
    return found


# ---------------------------------------------------------------- a match played ahead


class Ahead:
    """A match that is played on without a log, from a `playing` whose phase under way begins.

    `apart` is what each seat knew when that phase began, where it knows less than all; those `here` need no such knowledge.
    """

    def __init__(self, playing: Playing, dice: Chance, draws: random.Random, here: Sequence[Seat] = ()) -> None:
        self.playing, self.apart = playing, dict[Seat, Any]()
        self._chance, self._draws, self._here = Unsealed(dice), draws, here

    def known_to(self, seat: Seat) -> Any:
        """The position as a seat knows it."""
        outcome = self.playing.outcome
        heard = told(outcome.events, seat)
        if seat not in self.apart and heard == outcome.events:
            return outcome.state
        return self._gone_on(self.apart.get(seat, outcome.position.state), heard)

    def run(self, *inputs: Record) -> None:
        """Take these, and go on until somebody must answer."""
        now = self.playing
        outcome = resume(now.game, now.codec, now.position, now.tail, inputs, self._chance, lambda _: True)
        since = (*now.tail, *outcome.written)[outcome.position.count - now.position.count :]
        self.playing = replace(now, position=outcome.position, tail=since, outcome=outcome)
        for ended in outcome.ended:
            for seat in (seat for seat in now.created.seats if seat not in self._here):
                heard = told(ended.events, seat)
                if seat in self.apart or heard != ended.events:
                    self.apart[seat] = self._gone_on(self.apart.get(seat, ended.before), heard)
            self.has_ended(ended)

    def has_ended(self, ended: Ended[Any]) -> None:
        """A phase has ended: whoever plays ahead keeps of it what he shows."""

    def bot_answers(self, question: Question[Any], strength: str) -> None:
        """A bot answers a question by what its seat knows."""
        seen = self.known_to(question.seat)
        value = answer_of(strength, self.playing.game, seen, question, self._draws.randrange)
        self.run(Answered(question.key, question.seat, msgspec.Raw(question.menu.encode(value)), Source.PLAYER))

    def take(
        self, seat: Seat, whole: Bound, drawers: Iterable[tuple[str, Sheet]], chosen: Iterable[tuple[str, int]] = ()
    ) -> list[str]:
        """Take a letter: its immediate acts, its blocks, its `chosen` answers, its sheet for the open question; the rest waits.

        The slots that were asked of the seat are given, for whoever closes them. Raises Denial where it has chosen what cannot be.
        """
        codec, asked = self.playing.codec, [slot_of(question.key) for question in debts(self.playing, seat)]
        for intent in whole.asides:
            self.run(Acted(seat, codec.raw(intent)))
        for drawer, sheet in drawers:
            self.run(Filed(seat, drawer, sheet))
        for typed, place in chosen:
            self.run(answered(self.playing, seat, typed, place))
        rest = whole.sheet
        for question in debts(self.playing, seat):
            if slot_of(question.key) in asked and question.wants_orders:
                sheet, rest = parted(codec, rest, question)
                self.run(Filed(seat, f"orders:{question.key}", sheet))
        if rest:
            self.run(Filed(seat, "next", rest))
        return asked

    def _gone_on(self, state: Any, heard: Sequence[Event]) -> Any:
        return reduce(partial(evolved, self.playing.game), heard, state)
