"""Those who take part: seats at the table, and those who only read."""

from __future__ import annotations

from enum import Enum
from typing import NewType

Seat = NewType("Seat", str)
"""A side in a match by its rulebook name, such as "France"."""


class Role(Enum):
    """A reader who holds no seat."""

    OBSERVER = "observer"
    REFEREE = "referee"


Reader = Seat | Role
"""Anybody a report can be written for."""
