"""What the grammar makes of a line before any vocabulary is asked: parts in a row, headings, conditions."""

from __future__ import annotations

from enum import Enum

import msgspec

from referee.core.order import Comparison, Quantity


class Sort(Enum):
    """What a part is by its looks."""

    WORD = "word"
    QUANTITY = "quantity"
    QUOTED = "quoted text"
    HEX = "hex"
    SPAN = "span of time"
    MOMENT = "moment"
    DATE = "date"
    ADDRESS = "address"
    COMMA = "comma"
    AND = "and"
    ARROW = "arrow"
    STAR = "star"
    OTHER = "other mark"


# Parts are made by the hundred and cannot form a cycle, so the garbage collector need not look at them (gc=False).
class Part(msgspec.Struct, frozen=True, gc=False):
    """A word or mark of a line: as typed, folded for look-up, and where it stands (columns from 0)."""

    sort: Sort
    text: str
    folded: str
    column: int
    end: int
    quantity: Quantity | None = None


class SentenceShape(msgspec.Struct, frozen=True, gc=False):
    """A line that gives an order. `adds`: it began with ADD. Without parts it was empty but for that."""

    parts: tuple[Part, ...]
    adds: bool = False


class PredicateShape(msgspec.Struct, frozen=True):
    """One test of a condition."""

    parts: tuple[Part, ...]
    comparison: Comparison | None = None
    number: int | None = None


class NotOf(msgspec.Struct, frozen=True):
    """NOT term."""

    term: Test


class AllOf(msgspec.Struct, frozen=True):
    """Terms joined by AND."""

    terms: tuple[Test, ...]


class AnyOf(msgspec.Struct, frozen=True):
    """Terms joined by OR."""

    terms: tuple[Test, ...]


Test = PredicateShape | NotOf | AllOf | AnyOf


class StandingHeading(msgspec.Struct, frozen=True):
    """STANDING."""


class PreviewHeading(msgspec.Struct, frozen=True):
    """PREVIEW."""


class IfLate(msgspec.Struct, frozen=True):
    """IF LATE."""


class ForTurnHeading(msgspec.Struct, frozen=True):
    """FOR TURN n [PHASE p]."""

    turn: int
    phase: str


class If(msgspec.Struct, frozen=True):
    """IF condition."""

    test: Test


class Else(msgspec.Struct, frozen=True):
    """ELSE."""


class ElseIf(msgspec.Struct, frozen=True):
    """ELSE IF condition."""

    test: Test


class End(msgspec.Struct, frozen=True):
    """END."""


class Malformed(msgspec.Struct, frozen=True):
    """A line that has no shape: what is wrong, and where. `heading` is the block word it began with, if any."""

    sentence: str
    column: int
    width: int
    heading: str = ""


Shape = (
    SentenceShape | StandingHeading | PreviewHeading | IfLate | ForTurnHeading | If | Else | ElseIf | End | Malformed
)
