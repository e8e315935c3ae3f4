"""Text -> shape: one line, one parse; what it makes of a line before any vocabulary is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

import msgspec

from referee.core.normal_text import fold
from referee.core.order import Comparison, Portion, Quantity

# ---------------------------------------------------------------- shape
# A line as the grammar reads it before any vocabulary is asked: parts in a row, headings, conditions.


class Sort(Enum):
    """The kind of a part by its looks."""

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


LONGEST_LINE = 2_000
"""Characters of the longest line that is read."""

_REMEMBERED = 240
_HEADING = re.compile(r"\s*(if|else|for\s+turn)(?![\w'-])", re.IGNORECASE)
_SORTS = {
    "WORD": Sort.WORD,
    "NUMBER": Sort.QUANTITY,
    "QUOTED": Sort.QUOTED,
    "HEX": Sort.HEX,
    "SPAN": Sort.SPAN,
    "MOMENT": Sort.MOMENT,
    "DATE": Sort.DATE,
    "ADDRESS": Sort.ADDRESS,
    "COMMA": Sort.COMMA,
    "AMPERSAND": Sort.AND,
    "AND": Sort.AND,
    "ARROW": Sort.ARROW,
    "STAR": Sort.STAR,
    "OTHER": Sort.OTHER,
}
_PORTIONS = {"UP_TO": Portion.UP_TO, "ALL": Portion.ALL, "ALL_BUT": Portion.ALL_BUT, "HALF": Portion.HALF}
_NUMBERED = ("UP_TO", "ALL_BUT")
_HEADS = ("END", "ELSE", "STANDING", "PREVIEW", "IF", "FOR_TURN", "ADD", "STOP")


def grammar_text() -> str:
    """The Lark grammar: from the installed package's data, otherwise from the top of the source tree."""
    packed = files("referee").joinpath("_data", "grammar", "orders.lark")
    if packed.is_file():
        return packed.read_text(encoding="utf-8")
    return (Path(__file__).parents[2] / "grammar" / "orders.lark").read_text(encoding="utf-8")


def parse(line: str) -> Shape:
    """The shape of one logical line, whatever the words mean. Never raises; a line without shape is Malformed."""
    if len(line) > LONGEST_LINE:
        sentence = f"This line has {len(line):,} characters; no more than {LONGEST_LINE:,} are read."
        return Malformed(sentence, 0, 1, heading(line))
    return _remember(line) if len(line) <= _REMEMBERED else _parse(line)


@cache
def _plain_lines() -> PlainLines:
    from referee.orders.lalr import terminals

    return PlainLines(terminals())


def _parse(line: str) -> Shape:
    from referee.orders.lalr import parse_by_grammar

    return _plain_lines().read(line) or parse_by_grammar(line)


_remember = lru_cache(maxsize=4096)(_parse)


def heading(line: str) -> str:
    """The word by which a line is a heading, such as IF; "" for an order."""
    found = _HEADING.match(line)
    return " ".join(found[1].upper().split()) if found else ""


def part_of(terminal: str, text: str, column: int) -> Part:
    """The part that one token of the grammar is."""
    quantity = Quantity(Portion.EXACTLY, int(text)) if terminal == "NUMBER" else None
    return Part(_SORTS[terminal], text, fold(text), column, column + len(text), quantity)


def measured(terminal: str, text: str, number: int, column: int, end: int) -> Part:
    """The part that "all", "half", "up to 3" or "all but 2" is."""
    return Part(Sort.QUANTITY, text, fold(text), column, end, Quantity(_PORTIONS[terminal], number))


class PlainLines:
    """Reads what the rule `order` reads, unless the line begins with a keyword.

    `terminals` are the grammar's, name and regular expression, in the order in which its lexer tries them.
    """

    def __init__(self, terminals: Mapping[str, str]) -> None:
        heads = "|".join(f"(?:{terminals[name]})" for name in _HEADS)
        wanted = {*_SORTS, *_PORTIONS, "STOP"}
        tokens = "|".join(f"(?P<{name}>{pattern})" for name, pattern in terminals.items() if name in wanted)
        self._head = re.compile(rf"\s*(?:{heads})")
        self._token = re.compile(rf"\s*(?:{tokens})")

    def read(self, line: str) -> SentenceShape | None:
        """The sentence, or None when the parser must decide."""
        if self._head.match(line):
            return None
        parts: list[Part] = []
        at = 0
        while (found := self._token.match(line, at)) is not None:
            name = found.lastgroup or ""
            at = found.end()
            if name in _NUMBERED:
                number = self._token.match(line, at)
                if number is None or number.lastgroup != "NUMBER":
                    return None
                text = f"{found[name]} {number['NUMBER']}"
                at = number.end()
                parts.append(measured(name, text, int(number["NUMBER"]), found.start(name), at))
            elif name in _PORTIONS:
                parts.append(measured(name, found[name], 0, found.start(name), at))
            elif name != "STOP":
                parts.append(part_of(name, found[name], found.start(name)))
        return SentenceShape(tuple(parts)) if parts and not line[at:].strip() else None
