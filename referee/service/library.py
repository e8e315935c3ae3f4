"""The library: old reports, record sheets, standings and the history of a match, for whoever may read them."""

from __future__ import annotations

from datetime import date

import msgspec

from referee.core.names import Reader, Role
from referee.core.page import Bullets, Drawing, Grid, Page, Sheet
from referee.service.helping import rules_page
from referee.service.playing import Playing, mark
from referee.service.ports import Report, Step
from referee.service.reporting import chart_now, logs_now, sheets_now

__all__ = ["Found", "Missing", "fetch", "history_page", "page_of", "report_for", "sheets_of", "standings_page"]


class Found(msgspec.Struct, frozen=True):
    """What was asked for."""

    pages: tuple[Page, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    chart: Drawing | None = None


class Missing(msgspec.Struct, frozen=True):
    """Why there is nothing to send, and what there is instead."""

    sentence: str


def page_of(report: Report) -> Page:
    """The page of a kept report."""
    return msgspec.json.decode(report.page, type=Page)


def sheets_of(report: Report) -> tuple[Sheet, ...]:
    """The record sheets kept with a report."""
    return msgspec.json.decode(report.sheets, type=tuple[Sheet, ...])


def report_for(step: Step, playing: Playing, reader: Reader, turn: int) -> Report | None:
    """The kept report of a turn for this reader: his own where he has one, else the public one."""
    own = step.report(playing.row.name, turn, str(reader)) if not isinstance(reader, Role) else None
    return own or step.report(playing.row.name, turn, "")


def fetch(
    step: Step,
    playing: Playing,
    reader: Reader,
    document: str,
    turn: int | None,
    seat: str,
    since: date | None = None,
    lines: int = 0,
) -> Found | Missing:
    """One document; `turn` None means the latest, `seat` "" means everybody's. The history is of that `turn` and later."""
    match document:
        case "report":
            return _report(step, playing, reader, turn)
        case "sheets":
            return _sheets(step, playing, reader, turn, seat)
        case "history":
            return Found((history_page(step, playing, turn or 0, since, lines),))
        case "log":
            return Found(sheets=logs_now(playing, reader))
        case "standings":
            return Found((standings_page(playing),))
        case "rules":
            return Found((rules_page(playing.game, playing.outcome.state),))
        case "map":
            drawing = chart_now(playing, reader) if turn is None else _chart_of(step, playing, turn)
            if drawing is None and turn is not None:
                return _no_turn(step, playing, turn)
            if drawing is None:
                return Missing(f"{playing.game.title} has no map; SEND sheets shows the position.")
            return Found(chart=drawing)
        case _:
            return Missing(f"I have no {document}; ask for report, sheets, history, standings, rules or map.")


def _chart_of(step: Step, playing: Playing, turn: int) -> Drawing | None:
    """The public map as it was kept with the report of a turn."""
    kept = step.report(playing.row.name, turn, "")
    return msgspec.json.decode(kept.chart, type=Drawing) if kept and kept.chart else None


def _turns(step: Step, playing: Playing) -> list[int]:
    return sorted({report.turn for report in step.reports(playing.row.name)})


def _no_turn(step: Step, playing: Playing, turn: int | None) -> Missing:
    turns = _turns(step, playing)
    have = (
        f"the reports I have are those of turns {turns[0]} to {turns[-1]}" if turns else "no turn has been played yet"
    )
    return Missing(
        f"There is no report of turn {turn}; {have}." if turn is not None else f"There is no report: {have}."
    )


def _report(step: Step, playing: Playing, reader: Reader, turn: int | None) -> Found | Missing:
    turns = _turns(step, playing)
    wanted = turn if turn is not None else (turns[-1] if turns else 0)
    kept = report_for(step, playing, reader, wanted)
    return Found((page_of(kept),)) if kept else _no_turn(step, playing, turn)


def _sheets(step: Step, playing: Playing, reader: Reader, turn: int | None, seat: str) -> Found | Missing:
    if turn is None:
        sheets = sheets_now(playing, reader)
    else:
        kept = report_for(step, playing, reader, turn)
        if kept is None:
            return _no_turn(step, playing, turn)
        sheets = sheets_of(kept)
    return Found(sheets=tuple(sheet for sheet in sheets if not seat or sheet.of in (None, seat)))


def history_page(step: Step, playing: Playing, first: int = 0, since: date | None = None, lines: int = 0) -> Page:
    """Every report kept, oldest first, with the log's head when it was written.

    Those from a turn on, or `since` a day, UTC; of these the last so many `lines`, 0 for all.
    """
    public = [report for report in step.reports(playing.row.name) if report.reader == "" and report.turn >= first]
    public = [report for report in public if since is None or report.at.date() >= since][-lines:]
    items = tuple(
        f"turn {report.turn}{f' (course {report.epoch + 1})' if report.epoch else ''}: "
        f"{report.title}. {page_of(report).summary} [log {report.seq}:{report.head[:16]}]"
        for report in public
    )
    head = mark(playing.told)
    return Page(f"History of {playing.row.name}", f"{len(items)} reports; the log stands at {head}.", (Bullets(items),))


def standings_page(playing: Playing) -> Page:
    """Who stands where now."""
    tally = playing.game.score(playing.outcome.state)
    said = "Final standings." if tally.final else "Standings so far."
    if not tally.ranked:
        rows = tuple((str(s.seat), s.how) for s in tally.standings)
        return Page("Standings", f"{said} Nobody is ranked in this match.", (Grid(("seat", "has"), rows),))
    places = tuple((s.rank, str(s.seat), s.score, s.how) for s in tally.standings)
    return Page("Standings", said, (Grid(("place", "seat", tally.unit, "made of"), places),))
