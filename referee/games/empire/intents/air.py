"""Orders of air and sea war: bombing, scrambling, pirates (H-31 to H-33)."""

from __future__ import annotations

from referee.core.order import Intent
from referee.games.empire.intents.naming import which
from referee.games.empire.portions import Some

__all__ = ["Bomb", "Plunder", "TurnPirate"]


class Bomb(Intent, frozen=True):
    """Bombers over a square drop what they carry on a building or worked resource of it (H-31)."""

    at: str
    what: str
    units: tuple[int, ...]
    some: tuple[Some, ...] = ()

    def meaning(self) -> str:
        return f"Bomb {self.what} in {self.at} with {which(self.units, self.some)}."


class TurnPirate(Intent, frozen=True):
    """A cargo ship with a SAC aboard becomes a pirate ship (H-33)."""

    unit: int

    def meaning(self) -> str:
        return f"Turn unit {self.unit} pirate."


class Plunder(Intent, frozen=True):
    """A pirate ship tries to take a ship of its square (H-33)."""

    target: int
    by: int

    def meaning(self) -> str:
        return f"Plunder unit {self.target} with unit {self.by}."
