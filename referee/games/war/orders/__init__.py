"""The orders of War! that declare themselves, in the order of the phases that carry them out."""

from __future__ import annotations

from referee.games.war.lines import SINGULARS
from referee.games.war.orders.incite import InciteRevolt
from referee.games.war.orders.natives import RemoveSphere, WesternizeRegion
from referee.games.war.state import War
from referee.kit.declared import Book

__all__ = ["BOOK"]

BOOK: Book[War] = Book((RemoveSphere, WesternizeRegion, InciteRevolt), SINGULARS)
