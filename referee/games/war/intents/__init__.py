"""Lawful orders of a turn's sheet, as War! understands them. Standing orders are in standing.py."""

from __future__ import annotations

from referee.core.order import Intent
from referee.games.war.intents.setup import (
    AskPlacement,
    BuyPieces,
    DraftRegions,
    FreeBuilding,
    FreeResource,
    NameCapital,
    PlacePieces,
    SwapRegions,
    lots_bought,
)
from referee.games.war.lots import Lot, lots_in_words, named_fleets

__all__ = [
    "AskPlacement",
    "BuyPieces",
    "DraftRegions",
    "FreeBuilding",
    "FreeResource",
    "Lot",
    "NameCapital",
    "PlacePieces",
    "SHEET",
    "SwapRegions",
    "lots_bought",
    "lots_in_words",
    "named_fleets",
]

SHEET: tuple[type[Intent], ...] = (
    DraftRegions, BuyPieces, PlacePieces, AskPlacement, SwapRegions, NameCapital,
    FreeBuilding, FreeResource,)  # fmt: skip
"""Orders that wait for their phase, but those that declare themselves."""
