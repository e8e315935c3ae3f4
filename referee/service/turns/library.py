"""The library: old reports and record sheets, the history, the standings and the rules of a match."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Any

import msgspec

from referee.core.game import Game, Rule, Tabulates
from referee.core.names import Reader, Role
from referee.core.page import Block, Bullets, Drawing, Grid, Heading, Page, Paragraph, Sheet
from referee.service.match.playing import Playing, mark
from referee.service.ports import Report, Step


class Found(msgspec.Struct, frozen=True):
    """What was asked for."""

    pages: tuple[Page, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    chart: Drawing | None = None


def page_of(report: Report) -> Page:
    """The page of a kept report."""
    return msgspec.json.decode(report.page, type=Page)


def sheets_of(report: Report) -> tuple[Sheet, ...]:
    """The record sheets kept with a report."""
    return _sheets(report.sheets)


@lru_cache(maxsize=16)
def _sheets(kept: bytes) -> tuple[Sheet, ...]:
    """Read once for all readers whose report has the same."""
    return msgspec.json.decode(kept, type=tuple[Sheet, ...])


def report_for(step: Step, playing: Playing, reader: Reader, turn: int) -> Report | None:
    """The kept report of a turn for this reader: his own where he has one, else the public one."""
    own = step.report(playing.row.name, turn, str(reader)) if not isinstance(reader, Role) else None
    return own or step.report(playing.row.name, turn, "")


def history_page(step: Step, playing: Playing, first: int = 0, since: date | None = None, lines: int = 0) -> Page:
    """Every report kept, oldest first, with the log's head when it was written.

    Those from a turn on, or `since` a day, UTC; of these the last so many `lines`, 0 for all.
    """
    public = [report for report in step.listed_reports(playing.row.name) if report.turn >= first]
    public = [report for report in public if since is None or report.at.date() >= since][-lines:]
    items = tuple(
        f"turn {report.turn}{f' (course {report.epoch + 1})' if report.epoch else ''}: "
        f"{report.title}. {report.said} [log {report.seq}:{report.head[:16]}]"
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


def rules_page(game: Game[Any], state: Any = None) -> Page:
    """All numbered rules of a game; house rulings are marked. Of a match, with its `state`, also what is in force there."""
    tables = game.rule_tables(state) if isinstance(game, Tabulates) else ()
    said = f"{len(game.rules)} numbered rules and rulings."
    return Page(f"The rules of {game.title}", said, (*_blocks(game.rules), *tables))


def guide_page(game: Game[Any], masters: str = "") -> Page:
    """How a game is played, for a newcomer; of a match, who its game `masters` are."""
    guide = game.guide
    parts = (("How a turn goes", guide.turn), ("A good beginning", guide.first))
    blocks: list[Block] = [block for title, said in parts if said for block in (Heading(title), Bullets(said))]
    if guide.words:
        blocks += [
            Heading("Words you will meet"),
            Bullets(tuple(f"{word}: {said}" for word, said in guide.words.items())),
        ]
    ask = f" {masters} runs this match: ask in plain words." if masters else ""
    blocks.append(Paragraph(f"RULES {game.name} brings every rule, HELP the words to write.{ask}"))
    return Page(f"How {game.title} is played", game.aim, tuple(blocks))


def _blocks(rules: Iterable[Rule]) -> Iterable[Heading | Paragraph | Bullets]:
    yield Paragraph("TEXT marks what the rulebook says, HOUSE our ruling where it is silent or doubtful.")
    yield Bullets(tuple(f"{rule.id} ({rule.mark}, {rule.citation}): {rule.text}" for rule in rules))
