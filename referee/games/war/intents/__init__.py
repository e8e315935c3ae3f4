"""Lawful orders of a turn's sheet, as War! understands them. Standing orders are in standing.py."""

from __future__ import annotations

from referee.core.order import Intent
from referee.games.war.intents.setup import (
    FreeBuilding,
    FreeResource,
    NameCapital,
    SwapRegions,
)
from referee.games.war.lots import Lot, lots_in_words, named_fleets

__all__ = [
    "FreeBuilding",
    "FreeResource",
    "Lot",
    "NameCapital",
    "SHEET",
    "SwapRegions",
    "lots_in_words",
    "named_fleets",
]

SHEET: tuple[type[Intent], ...] = (
    SwapRegions, NameCapital, FreeBuilding, FreeResource)
"""Orders that wait for their phase, but those that declare themselves."""
