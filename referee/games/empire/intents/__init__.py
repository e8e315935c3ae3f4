"""Lawful orders as Empire understands them. A sheet is carried out in the order written; see steps/."""

from __future__ import annotations

from referee.core.order import Intent
from referee.games.empire.intents.air import Bomb, Plunder, TurnPirate
from referee.games.empire.intents.dealing import (
    Balkanize,
    GiveControl,
    GiveCountry,
    GiveGoods,
    Seize,
    SeizeGoods,
)
from referee.games.empire.intents.naming import Goods

__all__ = [
    "Balkanize",
    "Bomb",
    "GiveControl",
    "GiveCountry",
    "GiveGoods",
    "Goods",
    "Plunder",
    "SHEET",
    "Seize",
    "SeizeGoods",
    "TurnPirate",
]

SHEET: tuple[type[Intent], ...] = (
    GiveControl, GiveGoods, GiveCountry,
    Seize, SeizeGoods,
    Bomb, TurnPirate, Plunder, Balkanize,
)  # fmt: skip
"""Orders carried out in one's own slot that do not declare themselves (orders/)."""
