"""A match in memory: the core alone, no mail and no store. Tests drive it answer by answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from referee.core.chance import Keyed, commitment
from referee.core.event import Event
from referee.core.game import Game
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.position import fold
from referee.core.question import Question, Source
from referee.core.record import Acted, Answered, Codec, Created, Filed, Given, Happened, Record, Sheet
from referee.core.stage import Dice, Ended, Outcome, Unsealed, Waits, resume


@cache
def _codec(events: tuple[type[Event], ...], intents: tuple[type[Intent], ...]) -> Codec:
    return Codec(events, intents)


def codec_of(game: Game[Any]) -> Codec:
    """The codec of a game, built once."""
    return _codec(game.events, game.intents)


def secret_of(name: str) -> bytes:
    """A fixed dice secret for a named test."""
    return hashlib.sha256(name.encode()).digest()


def create(game: Game[Any], players: int, options: Mapping[str, str], secret: bytes) -> Created:
    """The first record of a match of applicants without wishes; settings not named keep their defaults."""
    chosen = {setting.name: setting.default for setting in game.settings} | dict(options)
    seats = game.seat_players(((),) * players, chosen, Keyed(secret, 0))
    return Created(game.name, seats, chosen, commitment(secret))


def events_of(codec: Codec, records: Iterable[Record]) -> tuple[Event, ...]:
    """All events among some records, decoded."""
    return tuple(codec.event(record.event) for record in records if isinstance(record, Happened))


def sheet_of(codec: Codec, *intents: Intent) -> Sheet:
    """Intents as the lines of a sheet on file."""
    return tuple(Given(type(intent).__name__, codec.raw(intent), intent.meaning()) for intent in intents)


class Match:
    """A match whose log grows in memory; every run starts again from the last boundary between phases.

    It begins with `records` where they are given: the log of another match up to some point.
    """

    def __init__(
        self,
        game: Game[Any],
        created: Created,
        secret: bytes,
        waits: Waits = lambda _: True,
        dice: Dice | None = None,
        records: Sequence[Record] = (),
    ) -> None:
        self.game, self.codec, self.created = game, codec_of(game), created
        self.dice = dice or Unsealed(Keyed(secret, 0))
        self.waits = waits
        self.records: list[Record] = list(records) or [created]
        self.ended: list[Ended[Any]] = []
        self.asked: dict[str, tuple[Question[Any], Any]] = {}
        """Every question that was ever open, by its key, with the state in which it was put."""
        self.position = fold(game, self.codec, self.records)[0]
        self.outcome: Outcome[Any]
        self.run()

    def run(self, *inputs: Record) -> Outcome[Any]:
        """Take records and run on until somebody must answer."""
        tail = self.records[self.position.count :]
        return self.went_on(resume(self.game, self.codec, self.position, tail, inputs, self.dice, self.waits))

    def went_on(self, out: Outcome[Any]) -> Outcome[Any]:
        """Keep what a run has come to."""
        self.records += out.written
        self.ended += out.ended
        self.position, self.outcome = out.position, out
        for question in out.open:
            self.asked.setdefault(question.key, (question, out.state))
        return out

    def answer(
        self, question: Question[Any], value: Any, source: Source = Source.PLAYER, late: int = 0
    ) -> Outcome[Any]:
        """Answer a question that is open."""
        raw = msgspec.Raw(question.menu.encode(value))
        return self.run(Answered(question.key, question.seat, raw, source, late))

    def file(self, seat: Seat, drawer: str, *intents: Intent) -> Outcome[Any]:
        """Lay a sheet into a drawer."""
        return self.run(Filed(seat, drawer, sheet_of(self.codec, *intents)))

    def act(self, seat: Seat, intent: Intent) -> Outcome[Any]:
        """Do at once what is allowed at any time."""
        return self.run(Acted(seat, self.codec.raw(intent)))

    def open(self, key: str) -> Question[Any]:
        """The open question whose key ends so."""
        (found,) = (question for question in self.outcome.open if question.key.endswith(key))
        return found

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far, decoded from the log."""
        return events_of(self.codec, self.records)

    def log(self) -> str:
        """The log as text, a record a line: what must be equal byte for byte."""
        return "\n".join(map(self.codec.dump, self.records))
