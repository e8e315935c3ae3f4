"""Deeds of several orders, deeds by dice, and those of the course itself; here how a deed is done whole or not at all.

The deed of a single order stands in its class. Read moving, building, works, then debts, fighting, air_and_sea.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from referee.core.table import Table
from referee.games.empire.events import OpenEvent, evolve
from referee.games.empire.position.state import Empire

# ---------------------------------------------------------------- rehearsal
# An order of several parts is carried out whole or not at all: it is rehearsed on a copy of the position first (emp.H-02).


class Stage(Protocol):
    """Where a deed without dice is done: the table, or a rehearsal of it."""

    @property
    def state(self) -> Empire:
        """The position now."""
        ...

    @property
    def at(self) -> int:
        """When it is, in seconds since 1970; 0 where no desk keeps the time."""
        ...

    def emit(self, event: OpenEvent) -> None:
        """Let an event happen."""
        ...


class Rehearsal:
    """A position to try orders on; `told` is what would happen."""

    def __init__(self, empire: Empire, at: int = 0) -> None:
        self._then, self._followed, self.at = empire, 0, at
        self.told: list[OpenEvent] = []

    @property
    def state(self) -> Empire:
        """The position now, with what the events so far book: it follows them when it is looked at."""
        for event in self.told[self._followed :]:
            self._then = evolve(self._then, event)
        self._followed = len(self.told)
        return self._then

    def back_to(self, empire: Empire) -> None:
        """Take a position from before again."""
        self._then, self._followed = empire, len(self.told)

    def emit(self, event: OpenEvent) -> None:
        """Note an event."""
        self.told.append(event)


def whole(table: Table[Empire], deed: Callable[[Stage], None]) -> None:
    """A deed that changes nothing when any part of it is refused."""
    stage = Rehearsal(table.state, table.at)
    deed(stage)
    for event in stage.told:
        table.emit(event)
