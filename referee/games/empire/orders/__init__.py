"""The orders of Empire that declare themselves, in the order a turn is usually written."""

from __future__ import annotations

from referee.games.empire.orders.attack import Attack
from referee.games.empire.orders.build import Build
from referee.games.empire.orders.engage import Engage
from referee.games.empire.orders.move import MoveUnits
from referee.games.empire.state import Empire
from referee.kit.declared import Book

__all__ = ["BOOK"]

BOOK: Book[Empire] = Book((MoveUnits, Build, Attack, Engage), {})
"""Every order by its verb."""
