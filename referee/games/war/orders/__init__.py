"""The orders of War! that declare themselves, in the order of the phases that carry them out."""

from __future__ import annotations

from referee.games.war.lines import SINGULARS
from referee.games.war.orders.incite import InciteRevolt
from referee.games.war.orders.natives import RemoveSphere, WesternizeRegion
from referee.games.war.orders.units import BuildUnits, BuyDiplomacy
from referee.games.war.orders.works import BuildBuilding, BuildCanal, DevelopResource
from referee.games.war.state import War
from referee.kit.declared import Book

__all__ = ["BOOK", "OPTIONAL_VERBS"]

BOOK: Book[War] = Book(
    (
        BuyDiplomacy,
        RemoveSphere,
        WesternizeRegion,
        InciteRevolt,
        BuildUnits,
        BuildBuilding,
        DevelopResource,
        BuildCanal,
    ),
    SINGULARS,
)

OPTIONAL_VERBS = {BuildCanal.words.verb: "suez"}
"""The verbs that a match has only by an optional rule."""
