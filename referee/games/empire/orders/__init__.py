"""The orders of Empire, in the order a turn is usually written: a class for each verb, from its words to what is lawful now.

In rooms by subject: movement, work, war, dealing. words, binding and offers make orders of lines; dispatch has them carried out,
or refused with a rule while the lines after it go on.
"""

from __future__ import annotations

from referee.games.empire.orders.dealing.giving import AcceptControl, Balkanize, Exchange, GiveControl
from referee.games.empire.orders.dealing.petitions import PetitionFor, PostSuspension, Vote
from referee.games.empire.orders.dealing.seizing import Seize
from referee.games.empire.orders.feeding import FEEDING
from referee.games.empire.orders.lasting import (
    BIRTHS,
    Retreat,
    RetreatAsUsual,
    ScrambleAlways,
    ScrambleNever,
    SetRelation,
)
from referee.games.empire.orders.movement.loading import Disembark, Load, PumpOil, Unload
from referee.games.empire.orders.movement.move import CastOff, MoveUnits, RollWind, Tow
from referee.games.empire.orders.movement.standing import STANCES
from referee.games.empire.orders.opening import PlaceCapital, TakePicks
from referee.games.empire.orders.slot import Execute, Interpret, RollOut
from referee.games.empire.orders.war.arming import Arm, Disarm
from referee.games.empire.orders.war.attack import Attack, Engage
from referee.games.empire.orders.war.raids import Bomb, Plunder, TurnPirate
from referee.games.empire.orders.work.build import Build
from referee.games.empire.orders.work.industry import Consume, Produce
from referee.games.empire.orders.work.scrapping import Burn, Destroy, Scrap
from referee.games.empire.orders.work.working import Abandon, Appoint, Develop, Found
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import KINDS, plural
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
