"""Lawful orders of production."""

from __future__ import annotations

from referee.core.order import Intent
from referee.games.war.pieces import plural

__all__ = [
    "BuildBuilding",
    "BuildCanal",
    "BuildUnits",
    "BuyDiplomacy",
    "DevelopResource",
]


class BuyDiplomacy(Intent, frozen=True):
    """Up to so many diplomacy points at 10 PP each (27.production.income.3)."""

    number: int

    def meaning(self) -> str:
        return f"Buy up to {self.number} DP at 10 PP each, as far as your cities and PP allow."


class BuildUnits(Intent, frozen=True):
    """Units bought in a region; fleets appear in `sea`, "" for the default (R27-25)."""

    kind: str
    number: int
    region: str
    sea: str = ""

    def meaning(self) -> str:
        where = f", into {self.sea}" if self.sea else ""
        return f"Buy {self.number} {self.kind if self.number == 1 else plural(self.kind)} in {self.region}{where}."


class BuildBuilding(Intent, frozen=True):
    """One building in a region."""

    kind: str
    region: str

    def meaning(self) -> str:
        return f"Build a {self.kind} in {self.region}."


class DevelopResource(Intent, frozen=True):
    """The resource of a region developed."""

    region: str

    def meaning(self) -> str:
        return f"Develop the resource of {self.region}."


class BuildCanal(Intent, frozen=True):
    """One half of the Suez Canal paid for (27.opt.suez.1)."""

    region: str = "Egypt"

    def meaning(self) -> str:
        return "Pay for half of the Suez Canal."
