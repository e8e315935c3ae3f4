"""Orders that change how units stand."""

from __future__ import annotations

from referee.core.order import Intent
from referee.games.empire.intents.naming import which
from referee.games.empire.portions import Some

__all__ = ["StandDown"]


class StandDown(Intent, frozen=True):
    """Ships beach, dock or put to sea; planes land or start; submarines dive or surface."""

    units: tuple[int, ...]
    how: str
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Let {which(self.units, self.some)} {'take off' if self.how == 'start' else self.how}."
