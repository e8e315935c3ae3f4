"""Orders of land war: arming and disarming."""

from __future__ import annotations

from referee.core.order import Intent
from referee.games.empire.intents.naming import which
from referee.games.empire.portions import Some

__all__ = ["Arm", "Disarm"]


class Arm(Intent, frozen=True):
    """Coolies, or formations for more arms, become a formation with arms of their square (H-25)."""

    units: tuple[int, ...]
    formation: str
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Arm {which(self.units, self.some)} as {self.formation}."


class Disarm(Intent, frozen=True):
    """Formations become coolies again; their arms lie in the square (H-25)."""

    units: tuple[int, ...]
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Disarm {which(self.units, self.some)}."
