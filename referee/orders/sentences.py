"""The content of a letter, and lines read before."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

import msgspec

from referee.core.order import Clause, Condition, Order, Portion, Quantity, Refusal, Thing


class Sentence(msgspec.Struct, frozen=True, tag=True):
    """An order understood: its line of the letter (from 1), the line as typed, the canonical text."""

    order: Order
    line: int
    source: str
    text: str


class Branch(msgspec.Struct, frozen=True, tag=True):
    """An IF block: the condition as a value and in canonical text, the nodes of its two sides, its first line and its last."""

    condition: Condition
    text: str
    then: tuple[Node, ...]
    otherwise: tuple[Node, ...]
    line: int
    end: int


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


# ---------------------------------------------------------------- lines read before
# The very same line, or one that differs from it in its numbers alone.
#
# Players write the same lines again and again with other numbers, so most lines of a letter need neither parser nor vocabulary.
# Only lines that were understood are remembered, a bounded number of them.


Understood = tuple[Order, str]
"""An order and its canonical text."""

_MOST = 4_096
_LONGEST = 240
_NUMBER = re.compile(r"(?<![^ ])(0|[1-9][0-9]{0,8})(?=,? |,?$)")
_UNSAFE = re.compile('[0-9#%"\u201c\u201d\u201e\u00ab\u00bb]')
_NUMBERED = frozenset({Portion.EXACTLY, Portion.UP_TO, Portion.ALL_BUT})


class Form:
    """An order and its canonical text with the numbers left out."""

    __slots__ = ("_clauses", "_text", "_things", "_verb")

    def __init__(self, order: Order, text: str) -> None:
        self._verb = order.verb
        self._things = order.things
        self._clauses = tuple((clause, bool(_numbers_in(clause.things))) for clause in order.clauses)
        self._text = _NUMBER.sub("%s", text)

    def filled(self, numbers: Sequence[str]) -> Understood:
        """The order and its text with these numbers, in the order written."""
        left = map(int, numbers)
        things = _filled(self._things, left)
        clauses = [
            Clause(clause.preposition, _filled(clause.things, left)) if counts else clause
            for clause, counts in self._clauses
        ]
        return Order(self._verb, things, tuple(clauses)), self._text % tuple(numbers)


def _filled(things: tuple[Thing, ...], numbers: Iterator[int]) -> tuple[Thing, ...]:
    return tuple(
        [
            Thing(thing.kind, thing.name, Quantity(quantity.portion, next(numbers)))
            if (quantity := thing.quantity) is not None and quantity.portion in _NUMBERED
            else thing
            for thing in things
        ]
    )


def _numbers_in(things: Sequence[Thing]) -> list[str]:
    quantities = [thing.quantity for thing in things if thing.quantity is not None]
    return [str(quantity.number) for quantity in quantities if quantity.portion in _NUMBERED]


def form_of(order: Order, source: str, text: str) -> Form | None:
    """The form of a line, or None where a number of it may be more than a quantity: a hex, a time, a word, a name."""
    numbers = _numbers_in([*order.things, *(thing for clause in order.clauses for thing in clause.things)])
    if _NUMBER.findall(source) != numbers or _NUMBER.findall(text) != numbers:
        return None
    if _UNSAFE.search(_NUMBER.sub("", source)) or _UNSAFE.search(_NUMBER.sub("", text)):
        return None
    return Form(order, text)


class Memory:
    """The meanings of lines, for one set of words. `numerals`: whether a word of the vocabulary begins with a digit.

    Where numbers can be names, or begin them, only equal lines are recalled.
    """

    def __init__(self, numerals: Callable[[], bool]) -> None:
        self._numerals = numerals
        self._lines: dict[str, Understood] = {}
        self._forms: dict[str, Form] = {}

    def recall(self, source: str) -> Understood | None:
        """The meaning of the line, if it is known."""
        found = self._lines.get(source)
        if found is not None or not self._forms:
            return found
        pieces = _NUMBER.split(source)
        numbers = pieces[1::2]
        form = self._forms.get(_key(pieces)) if numbers else None
        if form is None:
            return None
        found = form.filled(numbers)
        self._keep(source, found)
        return found

    def remember(self, source: str, found: Understood) -> None:
        """Keep what a line means, unless it is very long."""
        if len(source) > _LONGEST:
            return
        self._keep(source, found)
        form = None if self._numerals() else form_of(found[0], source, found[1])
        if form is not None:
            if len(self._forms) >= _MOST:
                self._forms.clear()
            self._forms[_key(_NUMBER.split(source))] = form

    def _keep(self, source: str, found: Understood) -> None:
        if len(self._lines) >= _MOST:
            self._lines.clear()
        self._lines[source] = found


def _key(pieces: list[str]) -> str:
    """The line with # for each number; 1 stays, because a name is written in the singular after it."""
    pieces[1::2] = ["1" if number == "1" else "#" for number in pieces[1::2]]
    return "".join(pieces)
