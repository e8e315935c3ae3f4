"""Lawful orders of the set-up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.core.order import Intent
from referee.games.war.lots import Lot, lots_in_words

__all__ = [
    "AskPlacement",
    "BuyPieces",
    "DraftRegions",
    "FreeBuilding",
    "FreeResource",
    "NameCapital",
    "PlacePieces",
    "SwapRegions",
    "lots_bought",
]


class DraftRegions(Intent, frozen=True):
    """The regions wanted at the start, best first (R27-80)."""

    regions: tuple[str, ...]

    def meaning(self) -> str:
        return f"Pick the first of these that is still free, each time: {', '.join(self.regions)}."


class BuyPieces(Intent, frozen=True):
    """Units and buildings bought before play; placed by PlacePieces (R27-81)."""

    lots: tuple[Lot, ...]

    def meaning(self) -> str:
        return f"Buy {lots_in_words(self.lots)} for the start."


def lots_bought(sheet: Iterable[Intent]) -> Iterator[Lot]:
    """What a sheet buys before play, in the order written."""
    return (lot for order in sheet if isinstance(order, BuyPieces) for lot in order.lots)


class PlacePieces(Intent, frozen=True):
    """Where bought pieces stand at the start: land units and buildings in a region, fleets in a sea area."""

    lots: tuple[Lot, ...]
    place: str

    def meaning(self) -> str:
        return f"Place {lots_in_words(self.lots)} in {self.place}."


class AskPlacement(Intent, frozen=True):
    """What is not placed by the lines above is asked piece by piece, when the others' pieces are seen (R27-81)."""

    def meaning(self) -> str:
        return "Ask me for the place of each further piece when its turn comes."


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
