"""Reports and record sheets for their readers, made only from what each was told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from referee.core.amend import evolved
from referee.core.event import Event
from referee.core.game import Game
from referee.core.knowledge import knowledge, told
from referee.core.names import Reader, Role, Seat
from referee.core.page import Drawing, Page, Sheet
from referee.core.stage import Ended
from referee.service.match.playing import Playing
from referee.service.ports import Member


class Written(NamedTuple):
    """What a reader is given after a phase: the report, the record sheets, and the map of a game that has one."""

    page: Page
    sheets: tuple[Sheet, ...]
    chart: Drawing | None


def pages_and_sheets(
    game: Game[Any],
    options: dict[str, str],
    seats: tuple[Seat, ...],
    earlier: Iterable[Event],
    ended: Ended[Any],
    readers: Iterable[Reader],
) -> dict[Reader, Written]:
    """For each reader the report of a phase, and the record sheets and the map after it, from the events up to its end.

    Those who were told everything of a game that writes the same for all readers share one report.
    """
    before_events = tuple(earlier)
    everything = (*before_events, *ended.events)
    made: dict[Reader, Written] = {}
    shared: Written | None = None
    for reader in readers:
        if not all(event.told_to(reader) is event for event in everything):
            made[reader] = _as_told(game, options, seats, before_events, ended, reader)
            continue
        if shared is None or not game.one_report:
            page = game.report(ended.before, ended.events, ended.after, reader)
            shared = Written(page, game.sheets(everything, ended.after, reader), game.chart(ended.after, reader))
        made[reader] = shared
    return made


def page_and_sheets(
    game: Game[Any],
    options: dict[str, str],
    seats: tuple[Seat, ...],
    earlier: Iterable[Event],
    ended: Ended[Any],
    reader: Reader,
) -> Written:
    """What `pages_and_sheets` makes for one reader."""
    return pages_and_sheets(game, options, seats, earlier, ended, (reader,))[reader]


def _as_told(
    game: Game[Any],
    options: dict[str, str],
    seats: tuple[Seat, ...],
    earlier: tuple[Event, ...],
    ended: Ended[Any],
    reader: Reader,
) -> Written:
    before = knowledge(game, seats, options, earlier, reader)
    heard = told(ended.events, reader)
    after = before
    for event in heard:
        after = evolved(game, after, event)
    page = game.report(before, heard, after, reader)
    return Written(page, game.sheets((*told(earlier, reader), *heard), after, reader), game.chart(after, reader))


def mailed(sheets: Iterable[Sheet], reader: Reader) -> tuple[Sheet, ...]:
    """The sheets a turn letter carries: the reader's own and the table's short ones; SEND sheets brings the others."""
    asked = [sheet for sheet in sheets if not sheet.on_request]
    return tuple(sheet for sheet in asked if sheet.of == reader or (sheet.of is None and _is_brief(sheet)))


def changed(
    sheets: Sequence[Sheet], before: Sequence[Sheet], planner: str
) -> tuple[tuple[Sheet, ...], tuple[str, ...]]:
    """The sheets that are not as they were in the report before, and the titles of the others.

    Who plans his turn has his own sheets before him, changed or not.
    """
    known = {sheet.title: sheet for sheet in before}
    same = [s for s in sheets if known.get(s.title) == s and not (planner and s.of == planner)]
    return tuple(s for s in sheets if s not in same), tuple(s.title for s in same)


_SHORT = 20
"""Rows of a table sheet that every turn letter may carry; a longer one would bury the news."""


def _is_brief(sheet: Sheet) -> bool:
    return _length(sheet) <= _SHORT


def _length(sheet: Sheet) -> int:
    return sum(len(grid.rows) for grid in sheet.grids)


def earlier_than(playing: Playing, later: Iterable[Ended[Any]]) -> tuple[Event, ...]:
    """The history before the first of some phases that are the last to have ended."""
    count = len(playing.outcome.events) + sum(len(ended.events) for ended in later)
    return playing.history[: len(playing.history) - count]


def sheets_now(playing: Playing, reader: Reader) -> tuple[Sheet, ...]:
    """The record sheets as they stand now, for a reader."""
    created, history, state = playing.created, playing.history, playing.outcome.state
    if not playing.open_information:
        state = knowledge(playing.game, created.seats, created.options, history, reader)
        history = told(history, reader)
    return playing.game.sheets(history, state, reader)


def chart_now(playing: Playing, reader: Reader) -> Drawing | None:
    """The map as it stands now, of what a reader knows; None for a game that has none."""
    created, state = playing.created, playing.outcome.state
    if not playing.open_information:
        state = knowledge(playing.game, created.seats, created.options, playing.history, reader)
    return playing.game.chart(state, reader)


def map_in_words(chart: Drawing | None, public: Drawing | None) -> str:
    """The sentence for those who see no pictures, and what the picture leaves out where it is only the public map."""
    if chart is None:
        return ""
    if public is None or public.svg == chart.svg:
        return chart.instead
    return f"{chart.instead} {_PUBLIC}"


_PUBLIC = (
    "The picture is the public map; what you alone know stands in the file map.svg, and SEND map shows it as a picture."
)


def logs_now(playing: Playing, reader: Reader) -> tuple[Sheet, ...]:
    """The logs of a match, for a reader."""
    return playing.game.logs(told(playing.history, reader), reader)


def reader_of(member: Member) -> Reader:
    """For whom reports to this member are written."""
    return Seat(member.seat) if member.seat and member.status in ("playing", "out") else Role.OBSERVER
