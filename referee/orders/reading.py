"""What a letter says: orders sheet by sheet, words for the desk, mistakes, and lines that were not read."""

from __future__ import annotations

import unicodedata

import msgspec

from referee.core.order import Condition, Order, Refusal


class Sentence(msgspec.Struct, frozen=True, tag=True):
    """An order understood: its line of the letter (from 1), the line as typed, the canonical text."""

    order: Order
    line: int
    source: str
    text: str


class Branch(msgspec.Struct, frozen=True, tag=True):
    """An IF block: the condition as a value and in canonical text, and the nodes of its two sides."""

    condition: Condition
    text: str
    then: tuple[Node, ...]
    otherwise: tuple[Node, ...]
    line: int


Node = Sentence | Branch
"""One item of a sheet."""


class ForTurn(msgspec.Struct, frozen=True):
    """Orders for a later turn; `phase` "" means the turn's orders proper."""

    turn: int
    phase: str
    nodes: tuple[Node, ...]


class Mistake(msgspec.Struct, frozen=True):
    """A line that was refused. `column` (from 0) and `width` find the offending word in `source`.

    `stands` is what was taken of it, as a line of its own: then it is on the sheet as well. "": nothing. `meant`: its verb is
    misspelt, and it has a number as orders do.
    """

    line: int
    source: str
    refusal: Refusal
    column: int
    width: int
    stands: str = ""
    meant: bool = False

    def caret(self) -> str:
        """Spaces and ^ to be printed under `source` in a fixed-width font."""
        before, under = self.source[: self.column], self.source[self.column : self.column + self.width]
        return " " * _cells(before) + "^" * max(1, _cells(under))


def _cells(text: str) -> int:
    """How many columns of a fixed-width font the text takes."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


class IgnoredLine(msgspec.Struct, frozen=True):
    """A line that was not read, and why."""

    number: int
    text: str
    why: str


class Reading(msgspec.Struct, frozen=True):
    """Everything a letter says, in its order.

    A sheet that is None was not mentioned; an empty one clears what is on file. `adds`: the letter begins with
    ADD. `yes`: it says YES and nothing else.
    """

    sheet: tuple[Node, ...] = ()
    standing: tuple[Node, ...] | None = None
    late: tuple[Node, ...] | None = None
    turns: tuple[ForTurn, ...] = ()
    preview: tuple[Node, ...] | None = None
    desk: tuple[Sentence, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    ignored: tuple[IgnoredLine, ...] = ()
    adds: bool = False
    yes: bool = False
