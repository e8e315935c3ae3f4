"""Lawful orders as Empire understands them. A sheet is carried out in the order written; see steps/."""

from __future__ import annotations

from referee.core.order import Intent
from referee.games.empire.intents.air import Bomb, Plunder, TurnPirate
from referee.games.empire.intents.dealing import (
    AcceptControl,
    Balkanize,
    Exchange,
    GiveControl,
    GiveCountry,
    GiveGoods,
    Interpret,
    Seize,
    SeizeGoods,
)
from referee.games.empire.intents.naming import Goods
from referee.games.empire.intents.opening import PlaceCapital, TakePicks
from referee.games.empire.intents.petitioning import PetitionFor, PostSuspension, Vote
from referee.games.empire.intents.slot import Execute, RollOut
from referee.games.empire.intents.war import Arm, Disarm
from referee.games.empire.intents.working import (
    Abandon,
    Appoint,
    Burn,
    Consume,
    Destroy,
    Develop,
    Found,
    Produce,
    Scrap,
)

__all__ = [
    "ASIDES",
    "Abandon",
    "AcceptControl",
    "Appoint",
    "Arm",
    "Balkanize",
    "Bomb",
    "Burn",
    "Consume",
    "Destroy",
    "Develop",
    "Disarm",
    "Exchange",
    "Execute",
    "Found",
    "GiveControl",
    "GiveCountry",
    "GiveGoods",
    "Goods",
    "Interpret",
    "PetitionFor",
    "PlaceCapital",
    "Plunder",
    "PostSuspension",
    "Produce",
    "RollOut",
    "SHEET",
    "Scrap",
    "Seize",
    "SeizeGoods",
    "TakePicks",
    "TurnPirate",
    "Vote",
]

SHEET: tuple[type[Intent], ...] = (
    PlaceCapital, TakePicks,
    Develop, Abandon,
    Found, Scrap, Destroy, Burn, Produce, Consume, Appoint, GiveControl, GiveGoods, GiveCountry,
    Seize, SeizeGoods, Exchange,
    Arm, Disarm, Bomb, TurnPirate, Plunder, Balkanize, Interpret, Execute, RollOut,
)  # fmt: skip
"""Orders carried out in one's own slot that do not declare themselves (orders/)."""


ASIDES = (AcceptControl, PetitionFor, PostSuspension, Vote)
"""Orders that act at once, at any time, and do not declare themselves."""
