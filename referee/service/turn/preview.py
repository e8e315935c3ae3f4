"""PREVIEW: orders played out beforehand, in every way the dice can fall or in a stated number of trials with dice of their own;
and a match that is played ahead without a log (`Ahead`), by the page and by lessons.

Neither the match's secret nor anything its holder was not told is at hand where orders are played out: all that goes in is a
position as a seat knows it, his sheet and his standing orders. Everybody else is taken to decide like a silent player.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from itertools import groupby
from math import isqrt, prod
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from referee.core.chance import Chance, Keyed
from referee.core.event import Drawn, Event, PhaseBegan, PhaseEnded, Rolled
from referee.core.game import Foretells, Fortune, Odds, Rehearses
from referee.core.names import Seat
from referee.core.order import Condition, Intent, due
from referee.core.page import Block, Bullets, Heading, Note, Page, Paragraph
from referee.core.position import evolved, in_force, intents_in, parted, told
from referee.core.question import Question, Source, slot_of
from referee.core.record import Acted, Answered, Filed, Given, Record, Sheet
from referee.core.stage import Ended, Unsealed, resume
from referee.core.table import Table
from referee.kit.bare_stage import played_out
from referee.kit.odds import in_words, out_of
from referee.kit.opponents import answer_of
from referee.kit.wording import counted, in_a_row
from referee.service.match.playing import Playing, left_out, tried
from referee.service.match.result import Came
from referee.service.match.sheets import Bound, answered, debts, meaning_of

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


# ---------------------------------------------------------------- PREVIEW
# The effects of a sheet by itself, with the chances of its dice; nothing is stored, and nobody else is told.
#
# The position is the one the writer knows: what he was never told goes in nowhere, so it cannot come out. Of other seats'
# orders nothing is looked at, whether they are on file or not.


_MOST_LINES = 40
_MOST_FORTUNES = 8
"""So many ways a throw may fall are told; rarer ones together."""

_ALONE = "Everybody else is taken to order nothing and to decide like a silent player; the dice of the turn itself will be others."
_HIDDEN = "Things that you were not told were not looked at; where your orders meet them, they were drawn from what they may be."


def preview_page(playing: Playing, seat: Seat, sheet: Sheet, state: Any, hidden: bool) -> Page:
    """The meaning of the lines, their effect by themselves, and the chances, from the position as the seat knows it.

    `hidden`: there is something it was not told.
    """
    intents = intents_in(playing.game, playing.codec, state, seat, sheet)
    doubts = playing.game.doubts(state, seat, intents)
    lines = (*_meant(playing, state, sheet), *(f"Doubt: {doubt.told}" for doubt in doubts))
    blocks: list[Block] = [Bullets(lines)] if lines else []
    if not playing.outcome.over:
        forecast = partial(_ahead, playing, state, seat, intents, hidden)
        blocks += tried(lambda: tuple(forecast()), lambda: (Note(left_out("The forecast"), "warning"),), "a forecast")
    return Page("Preview", "Nothing of this was stored.", tuple(blocks))


def look_ahead(playing: Playing, seat: Seat, sheet: Sheet, state: Any) -> Came:
    """The doubts about a sheet, as things stand and the seat knows them, and how many are grave."""
    intents = intents_in(playing.game, playing.codec, state, seat, sheet)
    found = playing.game.doubts(state, seat, intents)
    told = tuple(f"{doubt.told} ({doubt.rule})" if doubt.rule else doubt.told for doubt in found)
    undone, losses = sum(doubt.undone for doubt in found), sum(doubt.undone or doubt.loss for doubt in found)
    return Came(doubts=told, undone=undone, grave=losses)


def _meant(playing: Playing, state: Any, sheet: Sheet, under: str = "") -> Iterator[str]:
    """The meaning of each line, those of an IF with their condition: it is judged when they are carried out."""
    for item in sheet:
        if isinstance(item, Given):
            yield under + meaning_of(playing.game, state, playing.codec.intent(item.intent))
            continue
        yield from _meant(playing, state, item.then, f"{under}IF {item.text}: ")
        yield from _meant(playing, state, item.otherwise, f"{under}ELSE of IF {item.text}: ")


def _ahead(playing: Playing, state: Any, seat: Seat, intents: Sequence[Intent], hidden: bool) -> Iterator[Block]:
    game = playing.game
    told = game.preview(state, seat, intents) if isinstance(game, Foretells) else ()
    if not isinstance(game, Rehearses):
        if told:
            yield from (Heading("After these orders"), Bullets(told))
        return
    filed = playing.outcome.drawers.get((seat, "standing"), ())

    def standing(now: Any) -> tuple[Intent, ...]:
        return in_force(playing.game, now, seat, intents_in(playing.game, playing.codec, now, seat, filed))

    seen = spread(game, state, seat, intents, standing)
    certain = told or (*_shortened(seen.always), *_left(seen, game.holdings(state, seat)))
    if certain:
        yield from (Heading("After these orders"), Bullets(certain))
    calculated = game.odds(state, seat, intents, standing(state))
    if calculated or (seen.fortunes and seen.number > 1):
        yield Heading("Chances")
        yield from _chances(seen, calculated)
        yield Paragraph(f"{_ALONE} {_HIDDEN}" if hidden else _ALONE)


def _shortened(lines: Sequence[str]) -> tuple[str, ...]:
    more = (f"... and {counted(len(lines) - _MOST_LINES, 'more')}.",) if len(lines) > _MOST_LINES else ()
    return (*lines[:_MOST_LINES], *more)


# ---------------------------------------------------------------- what is left


def _left(seen: Spread, now: Mapping[str, int]) -> Iterator[str]:
    """`You would have 3 PP (now 12) and 4 to 6 brigades (now 5).`"""
    counts = {name: chances for name, chances in seen.holdings.items() if now.get(name) or any(chances)}
    parts = [_figure(name, chances, now.get(name, 0)) for name, chances in counts.items()]
    if parts:
        yield f"You would have {in_a_row(parts)}."


def _figure(name: str, chances: Mapping[int, Fraction], now: int) -> str:
    low, high = min(chances), max(chances)
    said = counted(low, name) if low == high else f"{low} to {high} {name}"
    return said if low == high == now else f"{said} (now {now})"


# ---------------------------------------------------------------- chances


def _chances(seen: Spread, calculated: Sequence[Odds]) -> Iterator[Block]:
    sure = {odds.about for odds in calculated}
    tried = [odds for odds in seen.fortunes if odds.about not in sure]
    if calculated:
        yield Bullets(tuple(chances_in_words(calculated)))
    if tried and not seen.exact:
        yield Paragraph(
            f"From {seen.number} trials with dice of their own, so that each figure may be off by {seen.margin} in 100:"
        )
    if tried:
        yield Bullets(tuple(chances_in_words(tried, seen.number if not seen.exact else 0)))
    exactly = "The other chances" if calculated and not seen.exact and tried else "All chances"
    if calculated or seen.exact:
        exact = "are exact" if exactly == "All chances" else "above are exact"
        yield Paragraph(f"{exactly} {exact}.")


def chances_in_words(found: Iterable[Odds], trials: int = 0) -> Iterator[str]:
    """A line for each thing that chances are about: `Battle of Egypt: you win 62 in 100, Blue wins 38 in 100.`

    `trials` is how many they come from; 0: they were calculated.
    """
    for about, group in groupby(found, lambda odds: odds.about):
        ways = list(group)
        told = [f"{odds.what}: {_said(odds.chance, trials)}" for odds in ways[:_MOST_FORTUNES]]
        rest = sum((odds.chance for odds in ways[_MOST_FORTUNES:]), Fraction(0))
        yield f"{about}: {'; '.join(told)}{'; and others' if rest else ''}."


def _said(chance: Fraction, trials: int) -> str:
    if not trials:
        return in_words(chance)
    if chance == 1:
        return "in every trial"
    hundredth = out_of(chance, 100)
    return f"{hundredth} in 100" if 0 < hundredth < 100 else f"in {int(chance * trials)} of {trials} trials"
