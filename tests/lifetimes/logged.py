"""A match of bots in memory whose log is the one that the service would write: so its dice are those of the real match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from referee.core.chance import commitment
from referee.core.game import Completes, Game
from referee.core.record import Answered, Created, Record, kind_of, seal
from referee.core.stage import Outcome, Waits, resume
from referee.service.base.ports import MatchRow
from referee.service.base.times import iso
from referee.service.match.sealing import Seals, Writing, lots, pledge
from tests.match import Match, codec_of
from tests.world import BEGINS

BOT = "a bot"
"""What the log names as the cause of what bots answer."""


class Logged(Match):
    """A match of this name that Gina started when the clock of a World begins, and that bots play at that moment."""

    def __init__(
        self, game: Game[Any], players: int, options: Mapping[str, str], secret: bytes, name: str, waits: Waits
    ) -> None:
        at, wishes = iso(BEGINS), ((),) * players
        chosen = {setting.name: setting.default for setting in game.settings} | dict(options)
        completed = game.complete(chosen) if isinstance(game, Completes) else chosen
        assert not isinstance(completed, str), completed
        seats = game.seat_players(wishes, completed, lots(secret, name, at, wishes))
        created = Created(game.name, tuple(seats), completed, commitment(secret), wishes)
        self._row = MatchRow(name, game.name, "running", secret, {}, {}, BEGINS)
        codec = codec_of(game)
        first = seal(secret, name, None, at, kind_of(created), codec.dump(created), "START by gina")
        start = Writing(self._row, codec, first, Seals(), at, first.cause)
        ((self.head, _),) = start.finished([pledge(secret, Seals())])
        self.seals = start.seals
        super().__init__(game, created, secret, waits)

    def run(self, *inputs: Record) -> Outcome[Any]:
        """Take records and run on until somebody must answer."""
        dated = [replace(i, at=int(BEGINS.timestamp())) if isinstance(i, Answered) else i for i in inputs]
        dice = Writing(self._row, self.codec, self.head, self.seals, iso(BEGINS), BOT if inputs else "the start")
        tail = self.records[self.position.count :]
        out = resume(self.game, self.codec, self.position, tail, dated, dice, self.waits)
        written = dice.finished(out.written)
        self.head, self.seals = written[-1][0] if written else self.head, dice.seals
        return self.went_on(out)
