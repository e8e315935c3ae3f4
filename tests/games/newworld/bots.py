"""Matches played by random bots over the menus, on the real stage with keyed dice."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import msgspec

from referee.core.chance import Keyed
from referee.core.choices import Pick
from referee.core.names import Seat
from referee.core.position import start
from referee.core.question import Source
from referee.core.record import Answered, Codec, Created, Record
from referee.core.stage import Outcome, Unsealed, resume
from referee.games.newworld.game import NewWorld
from referee.games.newworld.position.state import World

GAME = NewWorld()
CODEC = Codec(GAME.events, GAME.intents)
DEFAULTS = {setting.name: setting.default for setting in GAME.settings}


def options(**changed: str) -> dict[str, str]:
    """The default options with some changed."""
    return {**DEFAULTS, **changed}


def picker(secret: bytes) -> Pick:
    """A stream of choices for bots: SHA-256 in counter mode."""
    counter = iter(range(10**9))

    def pick(n: int) -> int:
        return int.from_bytes(hashlib.sha256(secret + str(next(counter)).encode()).digest(), "big") % n

    return pick


class Match:
    """A match in memory: the log so far, run on answer by answer."""

    def __init__(self, seats: tuple[str, ...], chosen: Mapping[str, str], secret: bytes) -> None:
        self.secret = secret
        self.created = Created(GAME.name, tuple(map(Seat, seats)), dict(chosen), "")
        self.position = start(GAME, self.created)
        self.log: list[Record] = []
        self.outcome: Outcome[World] = self.run(())

    def run(self, inputs: tuple[Record, ...]) -> Outcome[World]:
        """Run on with fresh records; the tail of the running phase is checked again."""
        tail = self.log[self.position.count - 1 :]
        out = resume(GAME, CODEC, self.position, tail, inputs, Unsealed(Keyed(self.secret, 0)), lambda q: True)
        self.log += out.written
        self.position = out.position
        self.outcome = out
        return out


def answered(match: Match, pick: Pick, silent: bool) -> tuple[Record, ...]:
    """An answer to each open question: by a bot, or the default where nobody writes."""
    return tuple(
        Answered(
            q.key,
            q.seat,
            msgspec.Raw(q.menu.encode(q.menu.default if silent else q.menu.sample(pick))),
            Source.DEFAULT if silent else Source.PLAYER,
        )
        for q in match.outcome.open
    )
