"""What is under way over the end of a turn: squares worked, construction, factories told to run, arms waited for."""

from __future__ import annotations

import msgspec

from referee.games.empire.position.pieces import Position


class Worked(msgspec.Struct, frozen=True):
    """A food or resource of a square being worked: by which unit, as which grade, since which turn.

    `invested` is the last turn at whose end investment was made; its output appears the turn after.
    """

    at: Position
    kind: str
    grade: int
    country: str
    unit: int
    since: int
    invested: int = -1


class Work(msgspec.Struct, frozen=True):
    """Construction that lasts: what, where, by which coolie, and how many turns are left.

    `begun` is the turn at whose end its materials went in, -1 before. `left` 0 with salvage in `detail`: what a scrapped
    building gives back next turn.
    """

    number: int
    what: str
    at: Position
    country: str
    unit: int
    left: int
    detail: str = ""
    begun: int = -1


class Run(msgspec.Struct, frozen=True):
    """A factory that is to make so many of a product over the end of the turn (emp.H-20)."""

    country: str
    at: Position
    factory: str
    product: str
    number: int


class Arming(msgspec.Struct, frozen=True):
    """A coolie or formation that waits for what this turn produces, to be armed at its end (emp.H-25)."""

    unit: int
    formation: str
    at: Position
    country: str
