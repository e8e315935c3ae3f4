"""Lawful orders of production."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.war.pieces import plural

__all__ = [
    "BuildBuilding",
    "BuildCanal",
    "BuildUnits",
    "BuyDiplomacy",
    "DevelopResource",
    "InciteRevolt",
    "RemoveSphere",
    "WesternizeRegion",
]


class BuyDiplomacy(Intent, frozen=True):
    """Up to so many diplomacy points at 10 PP each (27.production.income.3)."""

    number: int

    def meaning(self) -> str:
        return f"Buy up to {self.number} DP at 10 PP each, as far as your cities and PP allow."


class RemoveSphere(Intent, frozen=True):
    """Spheres taken off a region: an enemy's or rival's as its owner, or one's own (27.production.natives.spheres)."""

    region: str
    owner: Seat
    number: int = 1

    def meaning(self) -> str:
        return f"Take {self.number} of {self.owner}'s spheres of influence off {self.region}."


class WesternizeRegion(Intent, frozen=True):
    """One DP to lower a region's native strength by 3, and so many own spheres taken off for 1 each."""

    region: str
    spheres: int = 0

    def meaning(self) -> str:
        more = f" and take {self.spheres} of your own spheres off it" if self.spheres else ""
        return f"Spend 1 DP on westernizing {self.region}{more}."


class InciteRevolt(Intent, frozen=True):
    """An attempt at a revolt in another's region (27.production.revolt)."""

    region: str
    bribe: bool = False
    with_sphere: bool = False

    def meaning(self) -> str:
        price = "one of your spheres there" if self.with_sphere else "1 DP"
        bribe = ", and 1 DP as a bribe" if self.bribe else ""
        return f"Try to incite a revolt in {self.region} for {price}{bribe}."


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
