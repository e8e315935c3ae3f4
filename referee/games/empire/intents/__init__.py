"""Lawful orders as Empire understands them. A sheet is carried out in the order written; see steps/."""

from __future__ import annotations

from referee.core.order import Intent
from referee.games.empire.intents.air import Bomb, Engage, Plunder, Scramble, TurnPirate
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
    SetRelation,
)
from referee.games.empire.intents.moving import Disembark, Load, MoveUnits, PumpOil, RollWind, StandDown, Tow, Unload
from referee.games.empire.intents.naming import Goods
from referee.games.empire.intents.opening import PlaceCapital, TakePicks
from referee.games.empire.intents.petitioning import PetitionFor, PostSuspension, Vote
from referee.games.empire.intents.slot import Execute, RollOut
from referee.games.empire.intents.war import Arm, Attack, Disarm, Retreat
from referee.games.empire.intents.working import (
    Abandon,
    Appoint,
    Build,
    Burn,
    Consume,
    Destroy,
    Develop,
    DrawLine,
    Feed,
    Found,
    Produce,
    Scrap,
    SetBirths,
)

__all__ = [
    "ASIDES",
    "ASSAULTS",
    "Abandon",
    "AcceptControl",
    "Appoint",
    "Arm",
    "Attack",
    "Balkanize",
    "Bomb",
    "Build",
    "Burn",
    "Consume",
    "Destroy",
    "Develop",
    "Disarm",
    "Disembark",
    "DrawLine",
    "Engage",
    "Exchange",
    "Execute",
    "Feed",
    "Found",
    "GiveControl",
    "GiveCountry",
    "GiveGoods",
    "Goods",
    "Interpret",
    "Load",
    "MoveUnits",
    "PetitionFor",
    "PlaceCapital",
    "Plunder",
    "PostSuspension",
    "Produce",
    "PumpOil",
    "Retreat",
    "RollOut",
    "RollWind",
    "SHEET",
    "Scramble",
    "Scrap",
    "Seize",
    "SeizeGoods",
    "SetBirths",
    "SetRelation",
    "StandDown",
    "TakePicks",
    "Tow",
    "TurnPirate",
    "Unload",
    "Vote",
]

SHEET: tuple[type[Intent], ...] = (
    PlaceCapital, TakePicks, MoveUnits, Load, Unload, Disembark, Tow, StandDown, PumpOil, RollWind,
    Develop, Abandon, Build,
    DrawLine, Found, Scrap, Destroy, Burn, Produce, Consume, Appoint, SetBirths, GiveControl, GiveGoods, GiveCountry,
    Seize, SeizeGoods, Exchange, SetRelation,
    Arm, Disarm, Attack, Engage, Bomb, TurnPirate, Plunder, Balkanize, Interpret, Execute, RollOut,
)  # fmt: skip
"""Orders carried out in one's own slot, in the order written."""


ASSAULTS = (Attack, Engage, Bomb, Plunder)
"""Orders of the sheet that are decided by dice at once; never implied (P9)."""


ASIDES = (AcceptControl, Feed, PetitionFor, PostSuspension, Retreat, Scramble, SetBirths, Vote)
"""Orders that act at once, at any time. Of these SetBirths may stand in a sheet too, where a bot has no other place for it."""
