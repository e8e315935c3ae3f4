"""Plain text in 72 columns: paragraphs, headings, quoted lines, gathered lines. The templates' filters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, groupby

import msgspec

from referee.core.page import Grid, Tally
from referee.service.base.letters import Ignored

WIDTH = 72
"""Columns of a text letter: with a '>' or two before it a quoted line still fits 80."""

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def kind(value: object) -> str:
    """The name of a value's class, by which a template picks the part that shows it."""
    return type(value).__name__


def one_line(text: str) -> str:
    """The text with every tab, line break or control character as one blank, so that a caret still fits."""
    return _UNPRINTABLE.sub(" ", text).rstrip()


def cells(text: str) -> int:
    """How many columns of a fixed-width font the text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


@lru_cache(maxsize=4096)
def wrap(text: str, first: str = "", rest: str | None = None, width: int = WIDTH) -> str:
    """The words of a text in lines of at most `width` columns; `first` and `rest` begin the lines.

    A word that is longer than a line is broken. What was asked before is remembered: letters repeat themselves.
    """
    rest = " " * len(first) if rest is None else rest
    return "\n".join(words_in_lines(text.split(), first, rest, width))


def words_in_lines(words: Sequence[str], first: str, rest: str, width: int) -> list[str]:
    """At least one line; see `wrap`. Written by hand: several times faster than textwrap, and it counts columns."""
    room = width - max(len(first), len(rest))
    text = " ".join(words)
    if words and text.isascii() and max(map(len, words)) <= room:
        return _cut(text, first, rest, width)
    lines: list[str] = []
    line, used, empty = first, len(first), True
    for word in chain.from_iterable(_pieces(word, room) for word in words):
        size = cells(word)
        if not empty and used + 1 + size > width:
            lines.append(line)
            line, used, empty = rest, len(rest), True
        line, used = (line + word, used + size) if empty else (f"{line} {word}", used + 1 + size)
        empty = False
    return [*lines, line.rstrip() if empty else line]


def _cut(text: str, first: str, rest: str, width: int) -> list[str]:
    """Nearly every text: each character takes a column and no word is too long, so lines end at the last blank in reach."""
    lines: list[str] = []
    at, begin = 0, first
    while len(text) - at > width - len(begin):
        end = text.rfind(" ", at, at + width - len(begin) + 1)
        lines.append(begin + text[at:end])
        at, begin = end + 1, rest
    return [*lines, begin + text[at:]]


def _pieces(word: str, room: int) -> Sequence[str]:
    if cells(word) <= room:
        return (word,)
    step = room if word.isascii() else max(1, room // 2)
    return [word[i : i + step] for i in range(0, len(word), step)]


def underlined(text: str, rule: str) -> str:
    """A heading over a rule as long as its last line."""
    lines = words_in_lines(text.split(), "", "", WIDTH)
    return "\n".join((*lines, rule * cells(lines[-1])))


class Run(msgspec.Struct, frozen=True):
    """Lines of a letter that were not read for one reason: those to show, how many they are in all, and where."""

    lines: tuple[Ignored, ...]
    count: int

    @property
    def where(self) -> str:
        """ "Line 4" or "Lines 5 to 23": several of one line, parted by semicolons, have its number."""
        first, last = self.lines[0].number, self.lines[-1].number
        return f"Line {first}" if first == last else f"Lines {first} to {last}"

    @property
    def shown(self) -> str:
        """Which of the lines are shown, where not all are."""
        if self.count == len(self.lines):
            return ""
        return (
            ", the first and the last being" if len(self.lines) == 2 else f", {len(self.lines)} of {self.count} being"
        )


def runs(ignored: Iterable[Ignored]) -> list[Run]:
    """Neighbouring lines that were not read for the same reason, gathered; lines that stand alone stay alone."""
    said = (line for line in ignored if line.text.strip())
    grouped = (tuple(group) for _, group in groupby(said, key=lambda line: (line.why, line.alone and line.number)))
    return [Run(group, len(group) + sum(line.hidden for line in group)) for group in grouped]


def standings(tally: Tally) -> Grid:
    """Who stands where, as a grid; where nobody is ranked, what everybody has."""
    if not tally.ranked:
        return Grid(("Player", "Has"), tuple((str(s.seat), s.how) for s in tally.standings))
    rows = tuple((s.rank, str(s.seat), s.score, s.how) for s in tally.standings)
    return Grid(("Place", "Player", tally.unit[:1].upper() + tally.unit[1:], "Made of"), rows)
