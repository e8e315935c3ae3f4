"""What a desk reads of a match that it has in memory, and all that it then has of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import asdict

from referee.core.record import Entry
from referee.service.base.office import At
from referee.service.base.ports import Step
from referee.service.match import playing as kept
from referee.service.match.playing import Playing, load, remember
from tests.world import World


class Counting:
    """A step that tells how many entries of logs were read."""

    def __init__(self, step: Step) -> None:
        self._step = step
        self.read = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._step, name)

    def entries(self, match: str, since: int = 0) -> list[Entry]:
        found = self._step.entries(match, since)
        self.read += len(found)
        return found

    def happenings(self, match: str, since: int, until: int) -> Iterator[Entry]:
        for entry in self._step.happenings(match, since, until):
            self.read += 1
            yield entry


def read_after(world: World, match: str, before: Playing | None) -> tuple[Playing, int]:
    """The match by a desk that has this of it in memory, and how many entries it reads."""
    kept._CACHE.clear()
    if before is not None:
        remember(before)
    with world.store.look() as step:
        row, counting = step.match(match), Counting(step)
        assert row is not None
        return load(At(world.office, cast(Step, counting)), row), counting.read


def shown(playing: Playing) -> dict[str, object]:
    """All that a match in memory says, so that two can be compared."""
    at, waits = playing.outcome, playing.outcome.phase
    asked = [(question.key, question.seat, question.text) for question in at.open]
    stands = (at.position, at.state, at.drawers, at.events, at.sealed, at.fault)
    return {**asdict(playing), "outcome": (stands, waits and (waits.key, waits.turn), asked)}
