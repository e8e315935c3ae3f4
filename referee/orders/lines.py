"""Lines of a letter: put together out of its text, and as one verb sees them; with the things the language knows by their looks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import msgspec

from referee.core.normal_text import fold
from referee.core.order import Noun, Portion, Quantity, Thing
from referee.moments import Unclear, day_at, days_at, moment_at, seconds_of, span_at
from referee.orders.grammar import LONGEST_LINE, Part, Sort
from referee.orders.lexicon import Lexicon, Names, Usage
from referee.orders.spelling import Misread, number_part, word_part

# ---------------------------------------------------------------- things the language knows by their looks
# Numbers, hexes, spans of time, moments, dates, addresses, texts.


Found = tuple[Thing, int] | None
"""A thing and how many parts it took, or None."""

_HEX = re.compile(r"c?([0-9]+)[,r]([0-9]+)", re.IGNORECASE)
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ESCAPE = re.compile(r'\\(?:(["\\])|u\{([0-9a-fA-F]{1,6})\})')


def unquote(quoted: str) -> str:
    """The text between the quotation marks, escapes undone."""
    return _ESCAPE.sub(_escaped, quoted[1:-1]) if quoted[:1] == '"' else quoted[1:-1]


def _escaped(found: re.Match[str]) -> str:
    if found[1]:
        return found[1]
    code = int(found[2], 16)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else found[0]


def _timed(
    read: Callable[[Sequence[str], int], tuple[str, int] | None], kind: str
) -> Callable[[Sequence[Part], int], Found]:
    """How a day, a moment or a span of time is recognised: by the words of its parts."""

    def recognise(parts: Sequence[Part], i: int) -> Found:
        try:
            found = read([part.text for part in parts], i)
        except Unclear as wrong:
            fixes = [tuple(map(_as_part, offer.split())) for offer in wrong.offers]
            at = (wrong.at, wrong.at + wrong.size)
            raise Misread(wrong.sentence, *at, fixes, ambiguous=bool(fixes)) from None
        if found is None:
            return None
        quantity = Quantity(Portion.EXACTLY, seconds_of(found[0])) if kind == "duration" else None
        return Thing(kind, found[0], quantity), found[1]

    return recognise


def _as_part(word: str) -> Part:
    if word.isdecimal():
        return number_part(word, 0)
    return Part(Sort.DATE, word, word, 0, 0) if _ISO_DATE.fullmatch(word) else word_part(word)


def hex_numbers(text: str) -> tuple[int, int]:
    """Column and row of a hex written 12,7 or c12r7."""
    found = _HEX.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no hex")
    return int(found[1]), int(found[2])


_COLUMN, _ROW = re.compile(r"[cC]\d{1,3}"), re.compile(r"[rR]\d{1,3}")


def _hex(parts: Sequence[Part], i: int) -> Found:
    """`c12r7` or `12,7`, and `c12, r7` as people write it."""
    if _COLUMN.fullmatch(parts[i].text):
        row = i + 2 if i + 1 < len(parts) and parts[i + 1].sort is Sort.COMMA else i + 1
        if row < len(parts) and _ROW.fullmatch(parts[row].text):
            return Thing("hex", f"c{int(parts[i].text[1:])}r{int(parts[row].text[1:])}"), row + 1 - i
    if parts[i].sort is not Sort.HEX:
        return None
    column, row = hex_numbers(parts[i].text)
    return Thing("hex", f"c{column}r{row}"), 1


def _address(parts: Sequence[Part], i: int) -> Found:
    """An address as it stands, with the name before its bracket and what a program hangs on it: `anna@a.org<mailto:anna@a.org>`."""
    at = i
    while at < len(parts) and parts[at].sort in (Sort.WORD, Sort.QUOTED):
        at += 1
    if at == len(parts) or parts[at].sort is not Sort.ADDRESS or (at > i and parts[at].text[0] != "<"):
        return None
    end = at + 1
    while end < len(parts) and _hangs_on(parts[end - 1], parts[end]):
        end += 1
    return Thing("address", parts[i].text.strip("<>") if end == i + 1 else _as_typed(parts[i:end])), end - i


def _as_typed(parts: Sequence[Part]) -> str:
    gaps = ("" if part.column == before.end else " " for before, part in pairwise(parts))
    return parts[0].text + "".join(gap + part.text for gap, part in zip(gaps, parts[1:], strict=True))


def _hangs_on(before: Part, part: Part) -> bool:
    bracketed = part.sort is Sort.ADDRESS and part.text[0] in "<[("
    return bracketed or (part.column == before.end and part.sort not in (Sort.COMMA, Sort.AND))


def _text(parts: Sequence[Part], i: int) -> Found:
    return (Thing("text", unquote(parts[i].text)), 1) if parts[i].sort is Sort.QUOTED else None


def _any(parts: Sequence[Part], i: int) -> Found:
    meant = parts[i].sort is Sort.STAR or parts[i].folded in ("any", "anything", "everything", "all")
    return (Thing("any", "any"), 1) if meant else None


RECOGNISED: dict[str, Callable[[Sequence[Part], int], Found]] = {
    "any": _any,
    "duration": _timed(span_at, "duration"),
    "moment": _timed(moment_at, "moment"),
    "date": _timed(day_at, "date"),
    "days": _timed(days_at, "days"),
    "hex": _hex,
    "address": _address,
    "text": _text,
    "words": _text,
}
"""How each such kind is recognised at a place of a line; numbers and free words depend on what follows."""


JOINTS = frozenset({Sort.COMMA, Sort.AND})
"""The separators between the things of a list."""

_BY_LOOKS = frozenset({Sort.QUOTED, Sort.SPAN, Sort.MOMENT, Sort.DATE, Sort.HEX, Sort.ADDRESS})


class Line:
    """The parts of a line from the verb on. `at` is the part to be read next; `source` the line as typed.

    `curt`: for what is not understood nothing is looked for that may have been meant.
    """

    def __init__(
        self, parts: Sequence[Part], at: int, usage: Usage, lexicon: Lexicon, source: str, curt: bool = False
    ) -> None:
        self.parts = list(parts)
        self.at = at
        self.usage = usage
        self.lexicon = lexicon
        self.source = source
        self.curt = curt
        self._folded = [part.folded for part in parts]
        self._prepositions: dict[int, tuple[str, int] | None] = {}
        self._loud = bool(parts) and parts[0].text.isupper()

    def __len__(self) -> int:
        return len(self.parts)

    @property
    def done(self) -> bool:
        """Whether everything has been read."""
        return self.at >= len(self.parts)

    def folded(self, start: int, end: int) -> str:
        """Parts as one folded text."""
        return " ".join(self._folded[start:end])

    def preposition(self, i: int) -> tuple[str, int] | None:
        """The preposition that begins at part i and how many parts it takes; an arrow is TO."""
        if i not in self._prepositions:
            self._prepositions[i] = self._preposition(i)
        return self._prepositions[i]

    def _preposition(self, i: int) -> tuple[str, int] | None:
        if i >= len(self.parts):
            return None
        if self.parts[i].sort is Sort.ARROW:
            return self.usage.prepositions.get("to", "TO"), 1
        for size in range(min(self.usage.longest, len(self.parts) - i), 0, -1):
            found = self.usage.prepositions.get(self.folded(i, i + size))
            if found is not None:
                return found, size
        return None

    def clear_preposition(self, i: int) -> bool:
        """Whether a preposition stands at part i even amid free words: it is written as loud as the verb."""
        part = self.parts[i]
        return part.sort is Sort.WORD and (part.text.isupper() or not self._loud) and self.preposition(i) is not None

    def has_looks(self, i: int) -> bool:
        """Whether part i is known by its looks and needs no comma before it."""
        return self.parts[i].sort in _BY_LOOKS

    def ends(self, i: int) -> bool:
        """Whether a name may end before part i."""
        done = i >= len(self.parts) or self.parts[i].sort in JOINTS
        return done or self.has_looks(i) or self.preposition(i) is not None

    def run(self, i: int) -> int:
        """Where the words that begin at part i end."""
        end = i + 1
        while not self.ends(end):
            end += 1
        return end

    def exact(self, names: Names, i: int) -> tuple[tuple[Noun, ...], int] | None:
        """The longest exact name at part i and where it ends; it may hold "and" or a preposition."""
        if i >= len(self.parts):
            return None
        if self.parts[i].sort is Sort.QUOTED:
            quoted = names.exact(fold(unquote(self.parts[i].text)))
            return (quoted, i + 1) if quoted else None
        if not names.begins(self._folded[i]):
            return None
        for size in range(min(names.longest, len(self.parts) - i), 0, -1):
            found = names.exact(self.folded(i, i + size))
            if found and self.ends(i + size):
                return found, i + size
        return None

    def part_hex(self, at: int) -> None:
        """Read the 12,7 that stands there as two numbers."""
        part = self.parts[at]
        left, right = part.text.split(",")
        comma = part.column + len(left)
        apart = [
            number_part(left, part.column),
            Part(Sort.COMMA, ",", ",", comma, comma + 1),
            number_part(right, comma + 1),
        ]
        self.parts[at : at + 1] = apart
        self._folded[at : at + 1] = [part.folded for part in apart]
        self._prepositions.clear()


_BREAK = re.compile(r"\r\n|\r|\n")
_SPLIT = re.compile(r'"(?:[^"\\]|\\.)*(?:"|$)|“[^”]*(?:”|$)|„[^“”]*(?:[“”]|$)|«[^»]*(?:»|$)|([;#])')
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff]")
_ORDINARY = re.compile(r"(?!>|-- ?$)[A-Za-z0-9 ,.'&()<>=*+:/\-]*")
"""Rows of plain characters in which nothing is to be joined, split, cleaned or set aside."""

_SIGNATURE = re.compile(r"-- ?")


class Written(msgspec.Struct, frozen=True):
    """One order's worth of text and the line of the letter it begins on (from 1). `why`: set, it is not to be read."""

    number: int
    text: str
    why: str = ""


def logical_lines(text: str) -> Iterator[Written]:
    """Every line that says something, in order; empty lines and comments say nothing."""
    rows = _BREAK.split(text) if "\r" in text else text.split("\n")
    i = 0
    while i < len(rows):
        number, row = i + 1, rows[i]
        i += 1
        if _ORDINARY.fullmatch(row):
            if said := row.strip():
                yield Written(number, said)
            continue
        if _SIGNATURE.fullmatch(row):
            yield from _signature(rows, number)
            return
        if row.startswith(">"):
            yield Written(number, row.strip(), "quoted from another letter")
            continue
        row, i = _continued(rows, i)
        for piece in _pieces(row):
            yield Written(number, piece)


def _continued(rows: list[str], i: int) -> tuple[str, int]:
    """The row before rows[i] with all rows that go on with it, and the number of the next row to read."""
    row, cut = _clean(rows[i - 1])
    while row.endswith("\\") and not cut and i < len(rows) and not _stops(rows[i]):
        following = f"{row[:-1].rstrip()} {rows[i].lstrip()}"
        row, cut = (following.rstrip(), False) if len(row) > LONGEST_LINE else _clean(following)
        i += 1
    return row, i


def _signature(rows: list[str], number: int) -> Iterator[Written]:
    for i, row in enumerate(rows[number - 1 :], start=number):
        if row.strip():
            yield Written(i, row.strip(), "part of the signature")


def _stops(row: str) -> bool:
    return row.startswith(">") or _SIGNATURE.fullmatch(row) is not None


def _clean(row: str) -> tuple[str, bool]:
    """The row without marks nobody sees and without its comment; whether it had one.

    Control characters become visible as the replacement character, so no line of a receipt can hide anything.
    """
    seen = _CONTROL.sub("\ufffd", _UNSEEN.sub("", row)).replace("\t", " ")
    if "#" in seen:
        for mark in _SPLIT.finditer(seen):
            if mark[1] == "#":
                return seen[: mark.start()].rstrip(), True
    return seen.rstrip(), False


def _pieces(row: str) -> Iterator[str]:
    start = 0
    for mark in _SPLIT.finditer(row) if ";" in row else ():
        if mark[1] == ";":
            yield from _kept(row[start : mark.start()])
            start = mark.end()
    yield from _kept(row[start:])


def _kept(piece: str) -> Iterator[str]:
    if piece.strip():
        yield piece.strip()
