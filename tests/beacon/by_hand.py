"""A beacon in the hand of a test: rounds every three seconds, there as soon as they are made, later, or never."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from referee.service.base.ports import Clock

_GENESIS = datetime(2026, 1, 1, tzinfo=UTC)
_PERIOD = timedelta(seconds=3)


class ByHand:
    """Fulfils the port Beacon. A round is found when it was sought and is made; `late` keeps it back, None for ever.

    `sought` has the rounds that were asked for.
    """

    def __init__(self, clock: Clock, late: Callable[[int], timedelta | None] = lambda round: timedelta()) -> None:
        self.name = "drand by hand"
        self.late = late
        self.sought: set[int] = set()
        self._clock = clock

    def round_after(self, moment: datetime) -> int:
        """The first round whose time lies after a moment."""
        return max(1, (moment - _GENESIS) // _PERIOD + 2)

    def time_of(self, round: int) -> datetime:
        """When a round is made. Raises ValueError for one that is never made."""
        if round < 1:
            raise ValueError(f"there is no round {round}")
        return _GENESIS + _PERIOD * (round - 1)

    def seek(self, round: int) -> None:
        """Note that it is sought."""
        self.time_of(round)
        self.sought.add(round)

    def found(self, round: int) -> bytes | None:
        """Its signature, if it is there."""
        late = self.late(round)
        if round not in self.sought or late is None or self._clock.now() < self.time_of(round) + late:
            return None
        return signature(round)

    def forget(self) -> None:
        """As after a new start of the program."""
        self.sought.clear()


def signature(round: int) -> bytes:
    """What stands for the signature of a round."""
    return sha256(f"round {round}".encode()).digest()


def never(round: int) -> None:
    """No relay gives the round."""
