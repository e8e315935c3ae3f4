"""Reports, sheets and maps as data. Templates turn them into text, HTML, CSV; nothing here knows how."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from referee.core.names import Seat

_SEAM = re.compile(r'<svg\b[^>]*\sdata-seam="(\d+)"')

Cell = str | int
"""A cell of a grid: text flushes left, numbers right."""


class Heading(msgspec.Struct, frozen=True, tag=True):
    """A heading inside a page."""

    text: str


class Paragraph(msgspec.Struct, frozen=True, tag=True):
    """Running text."""

    text: str


class Quotation(msgspec.Struct, frozen=True, tag=True):
    """Somebody's own words, line by line as he wrote them; a bar before each line keeps it apart from our own words."""

    text: str


class Note(msgspec.Struct, frozen=True, tag=True):
    """A sentence that must not be overlooked."""

    text: str
    weight: Literal["hint", "warning"] = "hint"


class Bullets(msgspec.Struct, frozen=True, tag=True):
    """A list; an item may cite its rule after it."""

    items: tuple[str, ...]


class Grid(msgspec.Struct, frozen=True, tag=True):
    """A table with a header row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    total: tuple[Cell, ...] | None = None


class Form(msgspec.Struct, frozen=True, tag=True):
    """An order sheet, half filled in, to be edited and sent back line by line."""

    lines: tuple[str, ...]


Block = Heading | Paragraph | Quotation | Note | Bullets | Grid | Form


class Page(msgspec.Struct, frozen=True):
    """A report: a title, one sentence that says it all, and its blocks."""

    title: str
    summary: str
    blocks: tuple[Block, ...]


class Sheet(msgspec.Struct, frozen=True):
    """A record sheet. `of` is the seat it belongs to, None for one that covers the table.

    One `on_request` says at length what reports say in short: no turn letter carries it, SEND sheets does.
    """

    name: str
    title: str
    grids: tuple[Grid, ...]
    of: Seat | None = None
    notes: tuple[str, ...] = ()
    on_request: bool = False


class Drawing(msgspec.Struct, frozen=True):
    """A map or chart as SVG, with the sentence that replaces it where no picture is shown.

    One that is too wide for a telephone says in its first tag where it may be cut in two, `data-seam`.
    """

    svg: str
    instead: str

    @property
    def seam(self) -> int:
        """So many pixels from the left it may be cut in two, to be read one below the other; 0 for nowhere."""
        found = _SEAM.match(self.svg)
        return int(found[1]) if found else 0


class Standing(msgspec.Struct, frozen=True):
    """One seat's place in the final or present order. Equal ranks share a place."""

    rank: int
    seat: Seat
    score: int
    how: str


class Tally(msgspec.Struct, frozen=True):
    """The places, best first, and whether they are final; in a match that ranks nobody all share the first place."""

    standings: tuple[Standing, ...]
    unit: str
    final: bool
    ranked: bool = True

    def winners(self) -> tuple[Seat, ...]:
        """All seats of the first rank; nobody where nobody is ranked."""
        return tuple(s.seat for s in self.standings if s.rank == 1 and self.ranked)
