"""Record sheets as a workbook for spreadsheet programs: a worksheet for each; equal sheets give equal bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from referee.core.page import Cell, Grid, Sheet

_FORBIDDEN = re.compile(r"[\[\]:*?/\\']+")
_LONGEST = 31
"""Characters of a worksheet's name, by the format."""

_NARROW, _WIDE = 6, 60
_DATED = datetime(2000, 1, 1, tzinfo=UTC)
"""The same for all: what is in the file depends on the sheets alone."""


def workbook(sheets: Sequence[Sheet]) -> bytes:
    """The sheets as XLSX. Text is never a formula, a link or a number, whatever a player wrote."""
    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with Workbook(out, options) as book:
        book.set_properties({"created": _DATED})
        bold = book.add_format({"bold": True})
        for name, sheet in zip(_names(sheets), sheets, strict=True):
            # Title, tables one under the other, notes; columns as wide as what stands in the tables.
            page = book.add_worksheet(name)
            page.write_string(0, 0, sheet.title, bold)
            row = 2
            for grid in sheet.grids:
                row = _table(page, row, grid, bold) + 1
            for note in sheet.notes:
                page.write_string(row, 0, note)
                row += 1
            for column, width in enumerate(_widths(sheet.grids)):
                page.set_column(column, column, width)
    return out.getvalue()


def _names(sheets: Iterable[Sheet]) -> list[str]:
    """A name for each worksheet: short, without what the format forbids, no two alike."""
    names: list[str] = []
    for sheet in sheets:
        whole = " ".join(_FORBIDDEN.sub(" ", sheet.title).split()) or "Sheet"
        name, number = whole[:_LONGEST].strip(), 1
        while name.lower() in [taken.lower() for taken in names]:
            number += 1
            mark = f" {number}"
            name = whole[: _LONGEST - len(mark)].strip() + mark
        names.append(name)
    return names


def _table(page: Worksheet, row: int, grid: Grid, bold: Format) -> int:
    """A table from this row on; the row after it."""
    if grid.caption:
        page.write_string(row, 0, grid.caption, bold)
        row += 1
    _line(page, row, grid.columns, bold)
    for cells in grid.rows:
        row += 1
        _line(page, row, cells)
    if grid.total:
        row += 1
        _line(page, row, grid.total, bold)
    return row + 1


def _line(page: Worksheet, row: int, cells: Sequence[Cell], look: Format | None = None) -> None:
    for column, cell in enumerate(cells):
        if isinstance(cell, str):
            page.write_string(row, column, cell, look)
        else:
            page.write_number(row, column, cell, look)


def _widths(grids: Iterable[Grid]) -> list[int]:
    widths: list[int] = []
    for grid in grids:
        for cells in (grid.columns, *grid.rows):
            widths += [_NARROW] * (len(cells) - len(widths))
            for column, cell in enumerate(cells):
                widths[column] = min(_WIDE, max(widths[column], len(str(cell)) + 2))
    return widths
