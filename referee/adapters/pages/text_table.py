"""Grids as aligned plain-text tables that never run over the edge: wrapped, or split into groups of columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from referee.adapters.pages.layout import WIDTH, cells, one_line, words_in_lines
from referee.core.page import Cell, Grid

_GAP = "  "
_LEAST = 14
_FIGURE = re.compile(r"[+-]?\d[\d.,]*%?( \([+-]?\d+\))?|-?")


def figures(grid: Grid) -> tuple[bool, ...]:
    """For each column whether it holds numbers only, which flush right."""
    rows = _rows(grid)
    return tuple(bool(rows) and all(_is_figure(row[i]) for row in rows) for i in range(len(grid.columns)))


_TELEPHONE = 39
"""Letters side by side on a telephone, of the type that tables have; between columns go one and a half."""


def folds(grid: Grid) -> bool:
    """Whether a table is too wide for a telephone, even with its longer texts in several lines."""
    if not grid.columns:
        return False
    widths = [_column(grid, i, right).least + 1.5 for i, right in enumerate(figures(grid))]
    return sum(widths) > _TELEPHONE


def _rows(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    return (*grid.rows, grid.total) if grid.total else grid.rows


def _is_figure(cell: Cell) -> bool:
    return isinstance(cell, int) or _FIGURE.fullmatch(cell) is not None


class _Column(NamedTuple):
    header: str
    cells: list[str]
    figures: bool
    width: int
    least: int


def table(grid: Grid, width: int = WIDTH) -> str:
    """A grid as an aligned table with its header underlined.

    Too wide, it is wrapped in its widest text columns; wider still, it is split into several tables that all
    begin with the first column.
    """
    if not grid.columns:
        return ""
    columns = [_column(grid, i, right) for i, right in enumerate(figures(grid))]
    if (widths := _fitted(columns, width)) is not None:
        return _drawn(columns, widths, bool(grid.total))
    return "\n\n".join(_drawn(part, _forced(part, width), bool(grid.total)) for part in _split(columns, width))


def _column(grid: Grid, place: int, right: bool) -> _Column:
    texts = [one_line(str(row[place])).strip() for row in _rows(grid)]
    header = one_line(grid.columns[place])
    if right:
        texts = _flush(texts)
    natural = max(map(cells, (header, *texts)))
    if right or natural <= _LEAST:
        return _Column(header, texts, right, natural, natural)
    word = max((cells(word) for text in (header, *texts) for word in text.split()), default=0)
    return _Column(header, texts, right, natural, min(natural, max(word, _LEAST)))


def _flush(texts: list[str]) -> list[str]:
    """Numbers with a change in brackets, padded so that the numbers stand under each other."""
    parts = [text.partition(" ") for text in texts]
    after = max((len(blank + change) for _, blank, change in parts), default=0)
    return [number + (blank + change).ljust(after) for number, blank, change in parts] if after else texts


def _fitted(columns: Sequence[_Column], width: int) -> list[int] | None:
    """Column widths that fit, the widest text columns made narrower as far as need be; None if nothing fits."""
    widths = [column.width for column in columns]
    room = width - len(_GAP) * (len(columns) - 1)
    if sum(column.least for column in columns) > room:
        return None
    while sum(widths) > room:
        spare = [i for i, column in enumerate(columns) if widths[i] > column.least]
        widths[max(spare, key=widths.__getitem__)] -= 1
    return widths


def _split(columns: Sequence[_Column], width: int) -> list[list[_Column]]:
    """Groups of columns that fit side by side, each led by the first column."""
    groups = [[columns[0]]]
    for column in columns[1:]:
        if len(groups[-1]) > 1 and _fitted([*groups[-1], column], width) is None:
            groups.append([columns[0]])
        groups[-1].append(column)
    return groups


def _forced(columns: Sequence[_Column], width: int) -> list[int]:
    """Widths that fit at any price: if need be words are broken."""
    fair = (width - len(_GAP) * (len(columns) - 1)) // len(columns)
    narrow = [column._replace(least=min(column.least, fair)) for column in columns]
    return _fitted(columns, width) or _fitted(narrow, width) or [fair] * len(columns)


def _drawn(columns: Sequence[_Column], widths: Sequence[int], total: bool) -> str:
    rule = _GAP.join("-" * width for width in widths)
    rows = zip(*(column.cells for column in columns), strict=True)
    draw = _row_drawer(columns, widths)
    lines = [draw([column.header for column in columns]), rule, *map(draw, rows)]
    if total:
        lines.insert(len(lines) - 1, rule)
    return "\n".join(lines)


def _row_drawer(columns: Sequence[_Column], widths: Sequence[int]) -> Callable[[Sequence[str]], str]:
    aligned = [*zip(widths, (column.figures for column in columns), strict=True)]

    def line(texts: Iterable[str]) -> str:
        return _GAP.join(_padded(text, *how) for text, how in zip(texts, aligned, strict=True)).rstrip()

    def wrapped(texts: Sequence[str]) -> str:
        stacks = [
            words_in_lines(t.split(), "", "", w) if cells(t) > w else [t] for t, w in zip(texts, widths, strict=True)
        ]
        return "\n".join(line(level) for level in zip_longest(*stacks, fillvalue=""))

    fits = all(width >= column.width for width, column in zip(widths, columns, strict=True))
    return line if fits else wrapped


def _padded(text: str, width: int, right: bool) -> str:
    blanks = " " * (width - cells(text))
    return blanks + text if right else text + blanks
