"""Lawful orders of the set-up."""

from __future__ import annotations

from referee.core.order import Intent

__all__ = [
    "FreeBuilding",
    "FreeResource",
    "NameCapital",
    "SwapRegions",
]


class SwapRegions(Intent, frozen=True):
    """A dealt region offered for another player's, or for one that a ring of such offers leads to (R27-90)."""

    region: str
    wanted: str

    def meaning(self) -> str:
        return f"Swap {self.region} for {self.wanted}, if its holder agrees."


class NameCapital(Intent, frozen=True):
    """The region that may hold several buildings (27.opt.multiple_buildings.3)."""

    region: str

    def meaning(self) -> str:
        return f"Make {self.region} your capital."


class FreeBuilding(Intent, frozen=True):
    """The building everybody has free in Europe (27.opt.historical.setup.4)."""

    kind: str
    region: str

    def meaning(self) -> str:
        return f"Your free {self.kind} stands in {self.region}."


class FreeResource(Intent, frozen=True):
    """Where everybody's free developed resource lies, in Europe (27.opt.historical.setup.4)."""

    region: str

    def meaning(self) -> str:
        return f"Your free resource lies in {self.region}."
