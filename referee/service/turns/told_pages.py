"""Reports and record sheets for their readers, made only from what each was told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from referee.core.event import Event, PhaseEnded
from referee.core.game import Game
from referee.core.names import Reader, Role, Seat
from referee.core.page import Drawing, Grid, Page, Sheet
from referee.core.position import told
from referee.core.stage import Ended
from referee.service.match.aids import aided
from referee.service.match.history import Earlier, Unread, history, known_to
from referee.service.match.playing import Playing
from referee.service.ports import Member, Step
from referee.service.turns.hearing import Heard, Hearing, Table


class Written(NamedTuple):
    """What a reader is given after a phase: the report, the record sheets, and the map of a game that has one."""

    page: Page
    sheets: tuple[Sheet, ...]
    chart: Drawing | None


def pages_and_sheets(hearing: Hearing, ended: Ended[Any]) -> dict[Reader, Written]:
    """For each reader the report of the next phase, and the record sheets and the map after it, from the events up to its end.

    Those who were told the same of a game that writes the same for all readers share one report.
    """
    hearing.hear(ended.events)
    made: dict[Reader, Written] = {}
    shared: dict[int, Written] = {}
    for reader, after in hearing.after.items():
        written = shared.get(id(after)) if hearing.table.game.one_report else None
        if written is None:
            written = shared[id(after)] = _written(hearing.table, ended, hearing.before[reader], after, reader)
        made[reader] = written
    return made


def page_and_sheets(
    game: Game[Any],
    options: dict[str, str],
    seats: tuple[Seat, ...],
    earlier: Sequence[Event],
    ended: Ended[Any],
    reader: Reader,
) -> Written:
    """What `pages_and_sheets` makes for one reader, of all events before the phase."""
    hearing = Hearing(Table(game, seats, options), Earlier(earlier), (reader,))
    return pages_and_sheets(hearing, ended)[reader]


def _written(table: Table, ended: Ended[Any], before: Heard, after: Heard, reader: Reader) -> Written:
    """Made only of what the reader has heard; who has heard everything knows the position itself."""
    game = aided(table.game)
    was, now = (ended.before, ended.after) if after.whole else (before.position(table), after.state)
    happened = told(ended.events, reader)
    page = game.report(was, happened, now, reader)
    return Written(page, game.sheets(after.told, now, reader), game.chart(now, reader, happened))


def mailed(sheets: Iterable[Sheet], reader: Reader) -> tuple[Sheet, ...]:
    """The sheets a turn letter carries: the reader's own and the table's short ones; SEND sheets brings the others."""
    asked = [sheet for sheet in sheets if not sheet.on_request]
    return tuple(sheet for sheet in asked if sheet.of == reader or (sheet.of is None and _is_brief(sheet)))


class Shown(NamedTuple):
    """What of the record sheets a turn letter shows: sheets, whole or what changed of them; `same` are the others' titles.

    `part` says that of some only the changed lines are shown.
    """

    sheets: tuple[Sheet, ...] = ()
    same: tuple[str, ...] = ()
    part: bool = False


def changed(sheets: Sequence[Sheet], before: Sequence[Sheet]) -> Shown:
    """What is not as it was in the report before: the lines alone of a sheet that its reader has had."""
    known = {sheet.title: sheet for sheet in before}
    same = [sheet for sheet in sheets if known.get(sheet.title) == sheet]
    rest = [sheet for sheet in sheets if sheet not in same]
    shown = tuple(_news_of(sheet, known[sheet.title]) if sheet.title in known else sheet for sheet in rest)
    return Shown(shown, tuple(sheet.title for sheet in same), shown != tuple(rest))


def _news_of(sheet: Sheet, before: Sheet) -> Sheet:
    """The lines of a sheet that are new or have changed since it was last told, and which are no more."""
    known = {_kind(grid): grid for grid in before.grids}
    grids, gone = list[Grid](), list[str]()
    for grid in sheet.grids:
        old = known.get(_kind(grid))
        if old is None or grid.total or old.total:  # a sum is told with all that it is made of
            grids += [] if grid == old else [grid]
            continue
        gone += _gone(old, grid)
        rows = tuple(row for row in grid.rows if row not in old.rows)
        grids += [replace(grid, rows=rows)] if rows else []
    notes = tuple(note for note in sheet.notes if note not in before.notes)
    said = (f"No longer there: {'; '.join(gone)}.",) if gone else ()
    return replace(sheet, grids=tuple(grids), notes=(*said, *notes))


def _kind(grid: Grid) -> tuple[str, tuple[str, ...]]:
    # Without numbers; `c5r5` is a name.
    return re.sub(r"\b\d+\b", "", grid.caption), grid.columns


_WHERE = ("Square", "Sea area")


def _gone(old: Grid, now: Grid) -> list[str]:
    """The lines of a table that are no more, by their names; one that only says something else is there still."""
    named = _named_by(old, now)
    there = {tuple(row[at] for at in named) for row in now.rows}
    names = [tuple(row[at] for at in named) for row in old.rows]
    return [" ".join(str(cell) for cell in name if cell != "") for name in names if name not in there]


def _named_by(old: Grid, now: Grid) -> tuple[int, ...]:
    """The columns that tell the lines of a table apart: as many of the first as that takes, and where things are."""
    columns = [at for at, column in enumerate(now.columns) if column != "Number"]
    named = tuple(columns)
    for count in range(1, len(columns) + 1):
        named = tuple(at for n, at in enumerate(columns) if n < count or now.columns[at] in _WHERE)
        if all(len({tuple(row[at] for at in named) for row in grid.rows}) == len(grid.rows) for grid in (old, now)):
            break
    return named


_SHORT = 20
"""Rows of a table sheet that every turn letter may carry; a longer one would bury the news."""


def _is_brief(sheet: Sheet) -> bool:
    return sum(len(grid.rows) for grid in sheet.grids) <= _SHORT


def sheets_now(step: Step, playing: Playing, reader: Reader) -> tuple[Sheet, ...]:
    """The record sheets as they stand now, for a reader."""
    happened = Unread(lambda: told(history(step, playing), reader))
    return playing.game.sheets(happened, known_to(step, playing, reader), reader)


def chart_now(step: Step, playing: Playing, reader: Reader) -> Drawing | None:
    """The map as it stands now, of what a reader knows; None for a game that has none."""
    of_late = told(_of_late(history(step, playing)), reader)
    return playing.game.chart(known_to(step, playing, reader), reader, of_late)


def _of_late(events: Sequence[Event]) -> Sequence[Event]:
    """What has happened since the last phase that has ended began."""
    ends = [at for at, event in enumerate(events) if isinstance(event, PhaseEnded)]
    return events[ends[-2] + 1 :] if len(ends) > 1 else events


def map_in_words(chart: Drawing | None, public: Drawing | None) -> str:
    """The sentence for those who see no pictures, and what the picture leaves out where it is only the public map."""
    if chart is None:
        return ""
    if public is None or public.svg == chart.svg:
        return chart.instead
    return f"{chart.instead} {_PUBLIC}"


_PUBLIC = "SEND map adds what you alone know."


def logs_now(step: Step, playing: Playing, reader: Reader) -> tuple[Sheet, ...]:
    """The logs of a match, for a reader."""
    return playing.game.logs(told(history(step, playing), reader), reader)


def reader_of(member: Member) -> Reader:
    """For whom reports to this member are written."""
    return Seat(member.seat) if member.seat and member.status in ("playing", "out") else Role.OBSERVER
