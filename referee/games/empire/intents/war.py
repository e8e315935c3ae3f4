"""Orders of land war: arming and disarming; and the standing word on where beaten formations go."""

from __future__ import annotations

from referee.core.order import Intent
from referee.games.empire.intents.naming import which
from referee.games.empire.portions import Some

__all__ = ["Arm", "Disarm", "Retreat"]


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


class Retreat(Intent, frozen=True):
    """Where beaten formations go back to from now on; "" is the nearest city of their own (H-28)."""

    to: str = ""

    def meaning(self) -> str:
        return f"Beaten formations go back towards {self.to or 'their nearest city'}."
