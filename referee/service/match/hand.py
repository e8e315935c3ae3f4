"""A hand on a match: what is done to a match within a transaction is done by one value, which is the match as it stands by then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from referee.core.record import Overrode, Record
from referee.core.stage import Ended
from referee.service.match.playing import Playing, play_on
from referee.service.office import At

THE_PLAYERS = "the players"
"""By whom it is what the players voted for."""


@dataclass
class BareHand(At):
    """A match as it stands by now, in whose name and why something is done to it. Nothing but the hand changes."""

    playing: Playing
    by: str = ""
    reason: str = ""

    @property
    def match(self) -> str:
        return self.playing.row.name

    @property
    def status(self) -> str:
        return self.playing.row.status

    @property
    def waits(self) -> bool:
        """Whether the match waits for its dice."""
        return self.playing.outcome.sealed is not None

    def play(self, records: Sequence[Record], cause: str) -> Sequence[Ended[Any]]:
        """Take records into the log, and run the rules on as far as they go; the phases that ended."""
        self.playing = play_on(self, self.playing, records, cause)
        return self.playing.outcome.ended

    def log(self, action: str, cause: str = "") -> None:
        """Put into the log what is done; its cause is the game master's letter unless another is named."""
        cause = cause or (self.by if self.by == THE_PLAYERS else f"game master {self.by}")
        self.play([Overrode(action, self.by, self.reason)], cause)

    def save(self, **changed: object) -> None:
        """Keep the row of the match with these parts changed."""
        self.playing = replace(self.playing, row=replace(self.playing.row, **changed))
        self.step.save_match(self.playing.row)
