"""The orders of Empire, in the order a turn is usually written."""

from __future__ import annotations

from referee.games.empire.kinds import KINDS, plural
from referee.games.empire.orders.arming import Arm, Disarm
from referee.games.empire.orders.attack import Attack
from referee.games.empire.orders.build import Build
from referee.games.empire.orders.dealing import AcceptControl, Exchange, GiveControl
from referee.games.empire.orders.engage import Engage
from referee.games.empire.orders.feeding import FEEDING
from referee.games.empire.orders.industry import Consume, Produce
from referee.games.empire.orders.lasting import (
    BIRTHS,
    Retreat,
    RetreatAsUsual,
    ScrambleAlways,
    ScrambleNever,
    SetRelation,
)
from referee.games.empire.orders.loading import Disembark, Load, Unload
from referee.games.empire.orders.move import MoveUnits, RollWind
from referee.games.empire.orders.opening import PlaceCapital, TakePicks
from referee.games.empire.orders.petitions import PetitionFor, PostSuspension, Vote
from referee.games.empire.orders.pumping import PumpOil
from referee.games.empire.orders.raids import Bomb, Plunder, TurnPirate
from referee.games.empire.orders.razing import Burn, Destroy, Scrap
from referee.games.empire.orders.seizing import Seize
from referee.games.empire.orders.slot import Execute, Interpret, RollOut
from referee.games.empire.orders.splitting import Balkanize
from referee.games.empire.orders.standing import STANCES
from referee.games.empire.orders.towing import CastOff, Tow
from referee.games.empire.orders.working import Abandon, Appoint, Develop, Found
from referee.games.empire.state import Empire
from referee.kit.declared import Book

_SINGULARS = {("unit", plural(kind)): kind for kind in KINDS}

BOOK: Book[Empire] = Book(
    (
        PlaceCapital,
        TakePicks,
        MoveUnits,
        Load,
        Unload,
        Disembark,
        Tow,
        CastOff,
        PumpOil,
        RollWind,
        *STANCES,
        Develop,
        Abandon,
        Build,
        Found,
        Produce,
        Consume,
        Appoint,
        *BIRTHS,
        *FEEDING,
        Scrap,
        Destroy,
        Burn,
        Arm,
        Disarm,
        Attack,
        Retreat,
        RetreatAsUsual,
        Engage,
        Bomb,
        ScrambleAlways,
        ScrambleNever,
        TurnPirate,
        Plunder,
        GiveControl,
        AcceptControl,
        Seize,
        Exchange,
        SetRelation,
        Balkanize,
        Interpret,
        PetitionFor,
        PostSuspension,
        Vote,
        Execute,
        RollOut,
    ),
    _SINGULARS,
)
"""Every order by its verb."""
