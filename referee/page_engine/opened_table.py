"""A table file that was opened: what it knows, made a match as one seat sees it, and asked by the same code as letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from referee.core.chance import Keyed
from referee.core.choices import Picked
from referee.core.game import AnyGame, Phase
from referee.core.hash_tree import Tree
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.position import Position, completed, intents_in
from referee.core.question import Orders, Pace, Question
from referee.core.record import Created, Entry, Record, Sheet
from referee.core.stage import Outcome
from referee.core.table import Script
from referee.core.table import Table as Stage
from referee.games import BY_NAME, game_named
from referee.kit.game import BaseGame
from referee.kit.pieces import Pieces, Wish
from referee.orders import Node, Reading, read
from referee.service.base.letter_facts import Ignored, Refused
from referee.service.base.ports import MatchRow
from referee.service.house.choices import TableFile, as_json, decided, in_lines, orders_after, pieces_of, sound_turn
from referee.service.house.press_blocks import blocks_apart
from referee.service.intake.commands.command import desk_words
from referee.service.intake.corrections import bound, corrected, said_once, with_offers
from referee.service.match.playing import Playing, codec_of
from referee.service.match.result import Denial
from referee.service.match.sealing import Seals
from referee.service.match.sheets import bind, meaning_of, refused
from referee.service.turn.preview import look_ahead, preview_page


class Line(msgspec.Struct, frozen=True):
    """A line of a letter that was understood, and what it means; `at_once`: it is done when the letter is read."""

    line: int
    text: str
    meaning: str
    at_once: bool = False


class Judged(msgspec.Struct, frozen=True):
    """The referee's judgement of a letter: lines that stand, those refused, those not read, and what may disappoint."""

    lines: tuple[Line, ...]
    refused: tuple[Refused, ...]
    ignored: tuple[Ignored, ...]
    doubts: tuple[str, ...]


class _Asked(Orders):
    """The order sheet that a table file tells of: it takes the verbs that are named there."""

    def __init__(self, game: AnyGame, verbs: Sequence[str]) -> None:
        super().__init__(verbs, Intent, lambda _: ())
        self._game = game

    def takes(self, intent: Intent) -> bool:
        return not isinstance(self._game, BaseGame) or self._game.book.verb_of(intent) in self.verbs


class Table:
    """A table, and what is asked of it; `playing` is its match, where it is at hand.

    Raises KeyError for a game that is not known here.
    """

    def __init__(self, file: TableFile, playing: Playing | None = None) -> None:
        self.file, self.seat, self.hidden = file, Seat(file.seat), file.known.hidden
        self.playing = playing or as_known(file)
        self.rules = self.playing.game.build
        self._words = self.playing.game.vocabulary(self.playing.outcome.state)
        self._pieces: tuple[str, Pieces] | None = None
        # By their names alone: the titles of the others would have them loaded.
        self._desk = desk_words(tuple(BY_NAME), (file.match,), self.playing.created.seats, True, False, self._words)

    def judge(self, text: str) -> Judged:
        """The referee's judgement of a letter with this text."""
        reading = self.read(text)
        lines = bound(self.playing, self.seat, reading)
        wrong = (*lines.mistakes, *(lines.preview.mistakes if lines.preview else ()))
        mistakes, prose = corrected(self.playing, self.seat, wrong, reading, self.read)
        doubts: tuple[str, ...] = ()
        if lines.whole.sheet and not self.playing.outcome.over:
            doubts = look_ahead(self.playing, self.seat, lines.whole.sheet, self._after(lines.whole.asides)).doubts
        ignored = (*(Ignored(line.number, line.text, line.why) for line in reading.ignored), *prose)
        said = sorted((*self._lines(reading.sheet), *self._words_of(reading)), key=lambda line: line.line)
        return Judged(
            tuple(said), said_once(map(refused, with_offers(self.playing, self.seat, mistakes))), ignored, doubts
        )

    @property
    def verbs(self) -> tuple[str, ...]:
        """The verbs that may be ordered at some time, in the order of play."""
        return tuple(verb.word for verb in self._words.verbs)

    def choices(self, text: str, verbs: Sequence[str] | None = None) -> tuple[Any, ...]:
        """The orders of these verbs, or of all, that can be given after those of a letter."""
        return tuple(orders_after(self.playing, self.seat, self._intents(text), among=verbs))

    def step(self, verb: str, picked: Sequence[Picked], text: str) -> Any:
        """The next question of an order after those of a letter, or the line that the answers make, or the reason why there is
        none."""
        try:
            return decided(self.playing, self.seat, verb, picked, self._intents(text))
        except Denial as denial:
            return {"refused": str(denial)}

    def pieces(self, text: str) -> Pieces:
        """The orders for each piece after the lines of a letter; kept for the letter that was asked of last."""
        if self._pieces is None or self._pieces[0] != text:
            self._pieces = (text, pieces_of(self.playing, self.seat, self._intents(text)))
        return self._pieces[1]

    def preview(self, text: str) -> Any:
        """The page that PREVIEW would answer."""
        return preview_page(self.playing, self.seat, self._sheet(text), self.playing.outcome.state, self.hidden)

    def proposed(self) -> tuple[Wish, ...]:
        """A sound turn, line by line with the reasons."""
        playing, known = self.playing, self.playing.outcome.state
        return in_lines(playing.game, known, sound_turn(playing, self.seat, known))

    def read(self, text: str) -> Reading:
        """A letter with this text as it is read, beside its press."""
        return read(blocks_apart(text, ("press", "broadcast"))[1], self._words, self._desk)

    def _after(self, acts: Sequence[Intent]) -> Any:
        """The position when a letter's acts are done, which come before its sheet."""
        game, state = self.playing.game, self.playing.outcome.state
        stage = Stage(self.file.known.asked, state, Keyed(bytes(32)), game.evolve)
        for act in acts:
            game.aside(stage, self.seat, act)
        return stage.state

    def _sheet(self, text: str) -> Sheet:
        return bind(self.playing, self.seat, self.read(text).sheet).sheet

    def _intents(self, text: str) -> tuple[Intent, ...]:
        playing = self.playing
        return intents_in(playing.game, playing.codec, playing.outcome.state, self.seat, self._sheet(text))

    def _lines(self, nodes: Sequence[Node]) -> Iterator[Line]:
        game, state = self.playing.game, self.playing.outcome.state
        for node in nodes:
            alone = bind(self.playing, self.seat, (node,))
            meanings = [getattr(item, "meaning", "") for item in alone.sheet]
            meanings += [meaning_of(game, state, intent) for intent in alone.asides]
            yield from (Line(node.line, node.text, meaning, bool(alone.asides)) for meaning in meanings[:1])

    def _words_of(self, reading: Reading) -> Iterator[Line]:
        meanings = {verb.word: verb.meaning for verb in self._desk.verbs}
        return (Line(s.line, s.text, f"{s.order.verb}: {meanings.get(s.order.verb, '')}.") for s in reading.desk)


def opened(text: str) -> Table:
    """The table that a file holds. Raises msgspec.ValidationError, KeyError for what is no table file of a game known here."""
    return Table(msgspec.json.decode(text, type=TableFile))


def begun_with(file: TableFile) -> Created:
    """The first record of a table's match."""
    seats = tuple(Seat(chair.seat) for chair in file.seats)
    game = game_named(file.game)
    return completed(game, Created(game.name, seats, file.known.options, ""))


def position_in(file: TableFile, begins: bool = False) -> Position[Any]:
    """The position that its seat knows, with its sheets on file; `begins`: that at which the phase under way began."""
    game, known, created = game_named(file.game), file.known, begun_with(file)
    kind = type(game.setup(created.seats, created.options))
    told = known.before if begins and known.before is not None else known.position
    state = msgspec.json.decode(as_json(told), type=kind)
    filed = msgspec.json.decode(msgspec.json.encode(known.drawers), type=dict[str, Sheet])
    return Position(state, {(Seat(file.seat), name): sheet for name, sheet in filed.items()}, 0)


def as_known(file: TableFile) -> Playing:
    """The match as its seat knows it: without a log, but with its position, its sheets on file and what is asked of it."""
    game, known, seat, position = game_named(file.game), file.known, Seat(file.seat), position_in(file)
    state, drawers = position.state, position.drawers
    verbs = [verb for verb in file.takes if verb not in game.standing_verbs()]
    asked: Question[Any] = Question(known.asked, seat, "", _Asked(game, verbs), Pace.SLOT, "")
    open = (asked,) if known.asked else ()
    return played(file, (), Outcome((), position, state, drawers, _phase(file), (), open, ()))


def played(file: TableFile, tail: tuple[Record, ...], outcome: Outcome[Any]) -> Playing:
    """The match of a table as an outcome leaves it."""
    game = game_named(file.game)
    row = MatchRow(file.match, game.name, "running", b"", dict(file.known.options), {}, datetime.now(UTC), file.turn)
    none = Entry(file.match, 0, "", "", "", "", "", "", "")
    log = (outcome.position, tail, none, True, Seals(), 0, none, none, Tree(), Tree())
    return Playing(row, game, codec_of(game), begun_with(file), *log, outcome)


def _phase(file: TableFile) -> Phase[Any] | None:
    """The phase that waits, by its name alone: a page carries none on. None when the game is over."""
    return None if file.standings.final else Phase("", file.turn, file.phase, _unplayed)


def _unplayed(_: Any) -> Script[None]:
    yield from ()
