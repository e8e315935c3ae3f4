"""A chain of rounds: what it is called and when each of its rounds is made."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec


class Chain(msgspec.Struct, frozen=True):
    """Rounds numbered from 1, one every `period` seconds. `hash` is its name in addresses, `genesis` the Unix time of round 1."""

    name: str
    hash: str
    period: int
    genesis: int

    def round_after(self, moment: datetime) -> int:
        """The first round whose time lies after a moment; a round of that very moment may be known already."""
        return max(1, (moment - self._begin) // self._step + 2)

    def time_of(self, round: int) -> datetime:
        """When a round is made, UTC. Raises ValueError for a round that is never made."""
        if round < 1:
            raise ValueError(f"there is no round {round}")
        try:
            return self._begin + self._step * (round - 1)
        except OverflowError as error:
            raise ValueError(f"round {round} lies beyond the calendar") from error

    @property
    def _begin(self) -> datetime:
        return datetime.fromtimestamp(self.genesis, UTC)

    @property
    def _step(self) -> timedelta:
        return timedelta(seconds=self.period)
