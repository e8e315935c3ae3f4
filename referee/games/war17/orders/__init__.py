"""The orders of Version 1.7: those of Version 27 that it has, by its own rules where they differ, and its battle plan."""

from __future__ import annotations

from msgspec.structs import astuple

from referee.games.war.deeds.lines import SINGULARS
from referee.games.war.orders.combat import DestroyWorks, ResolveInOrder
from referee.games.war.orders.movement.attack import AttackFleets
from referee.games.war.position.state import War
from referee.games.war17.orders.asides import ASIDES
from referee.games.war17.orders.movement import (
    DeclareWar17,
    EmbarkUnits17,
    ExploreRegion17,
    LandUnits17,
    MoveUnits17,
    SailFleets17,
)
from referee.games.war17.orders.opening import SET_UP
from referee.games.war17.orders.production import BuildBuilding17, BuildUnits17, DevelopResource17
from referee.games.war17.orders.standing import STANDING17
from referee.kit.declared import Book, Declared

BOOK17: Book[War] = Book(
    (
        *SET_UP,
        BuildUnits17,
        BuildBuilding17,
        DevelopResource17,
        MoveUnits17,
        EmbarkUnits17,
        SailFleets17,
        LandUnits17,
        AttackFleets,
        DeclareWar17,
        DestroyWorks,
        ResolveInOrder,
        ExploreRegion17,
        *ASIDES,
        *STANDING17,
    ),
    SINGULARS,
)


def here(order: Declared[War]) -> Declared[War]:
    """An order of Version 27 as this edition's: the same words, judged by its rules."""
    kind = BOOK17.orders[order.words.verb]
    return order if type(order) is kind else kind(*astuple(order))
