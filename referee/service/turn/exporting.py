"""A match taken out of this house with its proofs, and what is left of it here."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

import msgspec

from referee.core.page import Cell, Grid, Sheet
from referee.mail import Attachment
from referee.service.base import notes
from referee.service.base.ports import MatchRow, Renderer, Step
from referee.service.match.result import need
from referee.service.turn.knowledge import Found

# ---------------------------------------------------------------- documents as files
# SEND sheets AS csv, SEND sheets OF France AS xlsx, SEND report TURN 3 AS json.


_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_FORMULA = re.compile(r"[=@\t\r]|[+-](?!\d)")
"""How a text begins that a spreadsheet program would take for a formula."""

_PLAIN = re.compile(r"[^A-Za-z0-9]+")


def stem_of(match: str, document: str, turn: int | None, seat: str) -> str:
    """What the files of a document are called: `w1-sheets-France-turn-3`."""
    parts = (match, document, plain(seat), f"turn-{turn}" if turn is not None else "")
    return "-".join(part for part in parts if part)


def plain(name: str) -> str:
    """A name as it can stand in that of a file."""
    return _PLAIN.sub("-", name).strip("-")


def exported(renderer: Renderer, found: Found, form: str, stem: str) -> tuple[Attachment, ...]:
    """What was found, as files: one CSV for each sheet, a workbook with a worksheet for each, or all of it as JSON."""
    if form == "json":
        # Report pages and record sheets for programs, as core.page has them; each block has its kind in `type`.
        data = msgspec.json.encode({"pages": found.pages, "sheets": found.sheets})
        return (Attachment(f"{stem}.json", "application/json", msgspec.json.format(data, indent=1)),)
    need(found.sheets, "Only sheets and log are made as csv or xlsx, as in SEND sheets AS xlsx; a report as json.")
    if form == "xlsx":
        return (Attachment(f"{stem}.xlsx", _XLSX, renderer.workbook(found.sheets)),)
    names = _names(found.sheets)
    return tuple(
        Attachment(f"{stem}-{name}.csv", "text/csv; charset=utf-8", csv_bytes(sheet.grids))
        for name, sheet in zip(names, found.sheets, strict=True)
    )


def in_forms(renderer: Renderer, found: Found, forms: Iterable[str], stem: str) -> tuple[Attachment, ...]:
    """What was found as the files of several forms; nothing for a form it cannot be made in."""
    made = [form for form in forms if found.sheets or form == "json"]
    return tuple(file for form in made for file in exported(renderer, found, form, stem))


def enclosed(files: Sequence[Attachment]) -> str:
    """The sentence that tells which files go with a letter."""
    names = ", ".join(file.name for file in files)
    return f"{'A file goes' if len(files) == 1 else f'{len(files)} files go'} with this letter: {names}."


def _names(sheets: Iterable[Sheet]) -> list[str]:
    """A name for each file, no two alike: two countries of one player have a sheet "a" each."""
    names: list[str] = []
    for sheet in sheets:
        owner = plain(str(sheet.of)) if sheet.of and sheet.of != sheet.name else ""
        name = "-".join(part for part in (owner, plain(sheet.name)) if part)
        same = sum(other == name or other.startswith(f"{name}_") for other in names)
        names.append(f"{name}_{same + 1}" if same else name)
    return names


def csv_bytes(grids: Sequence[Grid]) -> bytes:
    """Tables as CSV, the header first; several stand one under the other, each under its caption."""
    out = io.StringIO()
    writer = csv.writer(out)
    for number, grid in enumerate(grids):
        if number:
            writer.writerow(())
        if len(grids) > 1:
            writer.writerow((grid.caption,))
        writer.writerows(map(_safe, (grid.columns, *grid.rows, *((grid.total,) if grid.total else ()))))
    return out.getvalue().encode()


def _safe(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Players name cities and write petitions: none of it may run as a formula on somebody's machine."""
    return tuple(f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell for cell in cells)


# ---------------------------------------------------------------- a match that moved to another house
# Here nothing of it is done any more, and whoever writes is told where it is played.


MOVED = "moved"
"""The status of a match that is played in another house."""


def where_it_went(step: Step, row: MatchRow) -> tuple[str, str]:
    """In two sentences: that a match is played elsewhere, and what to do. ("", "") for one that is played here."""
    gone = notes.MOVED.of(row.name).read(step) if row.status == MOVED else None
    if gone is None:
        return "", ""
    return (
        f"{row.name} has moved to another referee, {gone.to}, so nothing was done here.",
        f"Reply to the letter that came from {gone.to} when the match moved there, or write to that address.",
    )
