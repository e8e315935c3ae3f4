"""Text laid out for mail: wrapping to 72 columns, tables of grids, gathered lines. The templates' filters."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from referee.core.page import Cell, Grid, Tally
from referee.service.letters import Ignored

__all__ = ["WIDTH", "Run", "figures", "one_line", "runs", "standings", "table", "underlined", "wrap"]

WIDTH = 72
"""Columns of a text letter."""

_FIGURE = re.compile(r"[+-]?\d[\d,.]*( \([+-]?\d+\))?")
_GAP = "  "


def one_line(text: object) -> str:
    """Text on one line, without control characters; runs of blanks inside stay."""
    return "".join(" " if unicodedata.category(c) == "Cc" else c for c in str(text)).rstrip()


def wrap(text: object, first: str = "", rest: str | None = None) -> str:
    """Running text in lines of up to 72 columns; `first` stands before the first line, `rest` before the others."""
    following = " " * len(first) if rest is None else rest
    words = " ".join(str(text).split())
    lines = textwrap.wrap(
        words, WIDTH, initial_indent=first, subsequent_indent=following, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines) or first.rstrip()


def underlined(text: object, rule: str) -> str:
    """A heading over a rule as long as its last line."""
    heading = wrap(text)
    return f"{heading}\n{rule * _cells(heading.rpartition(chr(10))[2])}"


def _cells(text: str) -> int:
    """How many columns of a fixed-width font the text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


class Run(NamedTuple):
    """Lines of a letter that were not read for one reason: where they begin and end."""

    first: Ignored
    last: Ignored
    count: int


def runs(ignored: Iterable[Ignored]) -> list[Run]:
    """Neighbouring lines that were not read for the same reason, gathered; lines that stand alone stay alone."""
    grouped = ([*group] for _, group in groupby(ignored, key=lambda line: (line.why, line.alone and line.number)))
    return [Run(group[0], group[-1], len(group)) for group in grouped]


def standings(tally: Tally) -> Grid:
    """Who stands where, as a grid."""
    rows = tuple((s.rank, str(s.seat), s.score, s.how) for s in tally.standings)
    return Grid(("Place", "Player", tally.unit[:1].upper() + tally.unit[1:], "Made of"), rows)


def figures(grid: Grid) -> tuple[bool, ...]:
    """For each column whether it holds numbers only, which flush right."""
    rows = _rows(grid)
    return tuple(bool(rows) and all(_is_figure(row[i]) for row in rows) for i in range(len(grid.columns)))


def _rows(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    return (*grid.rows, *((grid.total,) if grid.total else ()))


def _is_figure(cell: Cell) -> bool:
    return isinstance(cell, int) or _FIGURE.fullmatch(cell) is not None


class _Column(NamedTuple):
    header: str
    cells: tuple[str, ...]
    right: bool

    @property
    def width(self) -> int:
        return max(map(_cells, (self.header, *self.cells)))


def table(grid: Grid, width: int = WIDTH) -> str:
    """A grid as an aligned table with its header underlined.

    Too wide, its widest text column is wrapped; wider still, it is split into tables that begin with its first column.
    """
    columns = [_column(grid, place, right) for place, right in enumerate(figures(grid))]
    if not columns:
        return ""
    parts = [columns] if _spare(columns, width) else _split(columns, width)
    return "\n\n".join(_drawn(part, width, bool(grid.total)) for part in parts)


def _column(grid: Grid, place: int, right: bool) -> _Column:
    cells = tuple(one_line(row[place]).strip() for row in _rows(grid))
    return _Column(one_line(grid.columns[place]), _flush(cells) if right else cells, right)


def _flush(cells: tuple[str, ...]) -> tuple[str, ...]:
    """Figures with a change in brackets behind them, "12 (+1)", aligned at the figure."""
    tail = max((len(cell) - len(cell.partition(" ")[0]) for cell in cells), default=0)
    return tuple(cell + " " * (tail - (len(cell) - len(cell.partition(" ")[0]))) for cell in cells)


_LEAST_TEXT = 24


def _spare(columns: list[_Column], width: int) -> int:
    """Columns left for the widest text column when all others stand at full width; 0 when that is too few to read."""
    total = sum(column.width for column in columns) + len(_GAP) * (len(columns) - 1)
    texts = [column.width for column in columns[1:] if not column.right]
    if total <= width:
        return max(texts, default=1)
    widest = max(texts, default=0)
    left = widest - (total - width)
    return left if widest and left >= min(_LEAST_TEXT, widest) else 0


def _split(columns: list[_Column], width: int) -> list[list[_Column]]:
    """Groups of columns that fit, each begun with the first column."""
    head, groups = columns[0], [[columns[0]]]
    for column in columns[1:]:
        group = [*groups[-1], column]
        if len(groups[-1]) > 1 and not _spare(group, width):
            groups.append([head, column])
        else:
            groups[-1] = group
    return groups


def _drawn(columns: list[_Column], width: int, total: bool) -> str:
    widths = _widths(columns, width)
    lines = [_line([c.header for c in columns], columns, widths), _GAP.join("-" * w for w in widths)]
    count = len(columns[0].cells)
    for place in range(count):
        if total and place == count - 1:
            lines.append(lines[1])
        lines += _row([column.cells[place] for column in columns], columns, widths)
    return "\n".join(line.rstrip() for line in lines)


def _widths(columns: list[_Column], width: int) -> list[int]:
    widths = [column.width for column in columns]
    over = sum(widths) + len(_GAP) * (len(widths) - 1) - width
    texts = [place for place, column in enumerate(columns) if not column.right]
    if over > 0 and texts:
        widest = max(texts, key=lambda place: widths[place])
        widths[widest] = max(widths[widest] - over, 8)
    return widths


def _row(cells: list[str], columns: list[_Column], widths: list[int]) -> list[str]:
    """A row of a table, in as many lines as its longest cell needs."""
    wrapped = [
        textwrap.wrap(cell, size, break_on_hyphens=False) or [""] if _cells(cell) > size else [cell]
        for cell, size in zip(cells, widths, strict=True)
    ]
    height = max(map(len, wrapped))
    padded = [lines + [""] * (height - len(lines)) for lines in wrapped]
    return [_line([lines[i] for lines in padded], columns, widths) for i in range(height)]


def _line(cells: list[str], columns: list[_Column], widths: list[int]) -> str:
    parts = []
    for cell, column, size in zip(cells, columns, widths, strict=True):
        blanks = " " * max(0, size - _cells(cell))
        parts.append(blanks + cell if column.right else cell + blanks)
    return _GAP.join(parts)
