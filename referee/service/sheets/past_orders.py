"""ORDERS TURN 3: what a seat had on file when a turn ran, from the log."""

from __future__ import annotations

from referee.core.page import Bullets, Heading, Page, Paragraph
from referee.core.record import Answered, Filed
from referee.service.match.playing import alive_in
from referee.service.outgoing.frames import on_file
from referee.service.sheets.visit import Visit


def past_orders(visit: Visit, turn: int) -> Page:
    """The writer's own sheets of a turn as they stood when it ran, with how each slot was closed."""
    sheets: dict[str, Filed] = {}
    closed: dict[str, Answered] = {}
    for entry in alive_in(visit.office, visit.step, visit.playing.row, Filed, Answered):
        record = entry.record
        if isinstance(record, Filed) and record.seat == visit.seat and _is_of(record.drawer, turn):
            sheets[record.drawer.removeprefix("orders:")] = record
        elif isinstance(record, Answered) and record.seat == visit.seat and _is_of(f"orders:{record.key}", turn):
            closed[record.key] = record
    keys = dict.fromkeys((*sheets, *(key for key in closed if key.rpartition("/")[2].startswith("orders"))))
    blocks = tuple(block for key in keys for block in _sheet(key, sheets.get(key), closed.get(key)))
    said = (
        f"As they stand in the log of {visit.match}." if blocks else f"The log has no orders of yours for turn {turn}."
    )
    return Page(f"Your orders of turn {turn}", said, blocks)


def _is_of(drawer: str, turn: int) -> bool:
    return drawer.startswith((f"orders:T{turn}/", f"orders:T{turn} "))


def _sheet(key: str, filed: Filed | None, closed: Answered | None) -> tuple[Heading | Paragraph | Bullets, ...]:
    lines = tuple(f"{'  ' * line.depth}{line.text}" for line in on_file(filed.sheet)) if filed else ()
    how = f"Played by {closed.source.value}{', late' if closed.late_by else ''}." if closed else "Not played yet."
    return (Heading(key), Bullets(lines) if lines else Paragraph("Nothing was on file."), Paragraph(how))
