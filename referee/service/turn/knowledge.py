"""The knowledge of a reader: the matter of his reports, the library of old ones, and a match taken out with its proofs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from operator import is_
from typing import Any, NamedTuple

import msgspec
from cachetools import LRUCache

from referee.core.event import Event
from referee.core.game import Game, Options, Rule, Tabulates
from referee.core.names import Reader, Role, Seat
from referee.core.page import Block, Bullets, Cell, Drawing, Grid, Heading, Page, Paragraph, Sheet
from referee.core.position import evolved, told
from referee.core.record import Entry
from referee.mail import Attachment
from referee.service.base import notes
from referee.service.base.ports import MatchRow, Renderer, Report, Step
from referee.service.match.history import Earlier, Unread
from referee.service.match.playing import Playing, mark
from referee.service.match.result import need

# ---------------------------------------------------------------- hearing
# The news of each reader of a match so far, and the position he knows by it, carried on from phase to phase.
#
# A match has hundreds of events behind it when a phase ends, and many readers know the position only by what they were told: to
# fold all that anew for each of them took longer than their letters. So the last phase of a match leaves here what its readers
# know, and the next goes on from there, if it stands in the log behind just that phase. After a rewind, a renewal or a
# transaction that was undone it does not, and everything is folded from the beginning again. The words they were told stay unread
# until somebody looks, and of a match of which everybody was told everything nothing is left, as all know the position itself.


class Table(NamedTuple):
    """The start of knowledge: a game, its players, and its options."""

    game: Game[Any]
    seats: tuple[Seat, ...]
    options: Options


class Heard(NamedTuple):
    """Events as a reader learnt of them, and the position they fold to.

    `whole`: he learnt all there was, so what he knows is the position itself, and none is folded for him.
    """

    told: Sequence[Event]
    state: Any
    whole: bool

    def position(self, table: Table) -> Any:
        """The position that he knows."""
        return _folded(table, table.game.setup(table.seats, table.options), self.told) if self.whole else self.state


class _Left(NamedTuple):
    """The readers' knowledge at the end of a phase, which is this entry of the log; the words they were told are not in it."""

    table: Table
    boundary: Entry
    heard: Mapping[Reader, Heard]


_KEPT = 300
"""So many positions are kept in memory: of some sixty matches."""


def _weight(left: _Left) -> int:
    return min(len({id(heard) for heard in left.heard.values()}), _KEPT)


_LEFT: LRUCache[str, _Left] = LRUCache(_KEPT, _weight)
"""By match; the one used longest ago goes first."""

_NOTHING = Heard((), None, True)


class Hearing:
    """Words that some readers heard before a phase and after it; those who were told the same share one of each."""

    def __init__(self, table: Table, earlier: Earlier, readers: Iterable[Reader], match: str = "") -> None:
        """`match`: where to go on from what the phase before has left; "": nowhere."""
        self.table, self._match = table, match
        self.before = self.after = self._so_far(earlier, tuple(readers))

    def _so_far(self, earlier: Earlier, readers: tuple[Reader, ...]) -> dict[Reader, Heard]:
        events = earlier.events
        if earlier.open:
            return dict.fromkeys(readers, Heard(events, None, True))
        left = _LEFT.get(self._match)
        since = earlier.since(left.boundary) if left is not None and left.table == self.table else None
        found: dict[Reader, Heard] = {}
        if left is not None and since is not None:
            until, known = (
                -len(since) or None,
                {reader: left.heard[reader] for reader in readers if reader in left.heard},
            )
            known = _telling(known, lambda reader: Unread(lambda: told(events[:until], reader)))
            found = _gone_on(self.table, known, since)
        if anew := [reader for reader in readers if reader not in found]:
            found |= _gone_on(self.table, dict.fromkeys(anew, _NOTHING), tuple(events))
        return {reader: found[reader] for reader in readers}

    def hear(self, events: tuple[Event, ...]) -> None:
        """Go on to the end of the next phase, in which this has happened."""
        self.before, self.after = self.after, _gone_on(self.table, self.after, events)

    def leave(self, boundary: Entry) -> None:
        """Leave what is known now for the next phase of the match; the last one ended with this entry."""
        if all(heard.whole for heard in self.after.values()):
            _LEFT.pop(self._match, None)
        else:
            _LEFT[self._match] = _Left(self.table, boundary, _telling(self.after, lambda _: ()))


def _telling(heard: Mapping[Reader, Heard], tell: Callable[[Reader], Sequence[Event]]) -> dict[Reader, Heard]:
    """The same, by the words each was told instead; those who share one still do."""
    made: dict[int, Heard] = {}
    for reader, was in heard.items():
        if id(was) not in made:
            made[id(was)] = was._replace(told=tell(reader))
    return {reader: made[id(was)] for reader, was in heard.items()}


def _gone_on(table: Table, heard: Mapping[Reader, Heard], events: tuple[Event, ...]) -> dict[Reader, Heard]:
    """The words that each has heard after further events."""
    if not events:
        return dict(heard)
    found: dict[Reader, Heard] = {}
    made: list[tuple[Heard, tuple[Event, ...], Heard]] = []
    for reader, was in heard.items():
        learnt = told(events, reader)
        after = next((after for before, same, after in made if before is was and same == learnt), None)
        if after is None:
            after = _learnt(table, was, events, learnt)
            made.append((was, learnt, after))
        found[reader] = after
    return found


def _learnt(table: Table, was: Heard, events: tuple[Event, ...], learnt: tuple[Event, ...]) -> Heard:
    whole = was.whole and len(learnt) == len(events) and all(map(is_, learnt, events))
    state = None if whole else _folded(table, was.position(table), learnt)
    return Heard(Unread(lambda: (*was.told, *learnt)), state, whole)


def _folded(table: Table, state: Any, events: Iterable[Event]) -> Any:
    for event in events:
        state = evolved(table.game, state, event)
    return state


# ---------------------------------------------------------------- the library
# Old reports and record sheets, the history, the standings and the rules of a match.


class Found(msgspec.Struct, frozen=True):
    """The request."""

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


def called(step: Step, match: str, turn: int, playing: Playing | None = None) -> str:
    """A turn as its game names it in letters; by its number where it neither waits in `playing` nor has a report."""
    phase = playing.outcome.phase if playing else None
    if phase is not None and phase.turn == turn:
        return phase.title
    report = step.report(match, turn, "")
    return report.title if report else f"turn {turn}"


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
    """The places now."""
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


def how_it_ends(game: Game[Any], options: Options | None = None) -> tuple[str, ...]:
    """When a match of a game ends, by these options or the usual ones, and how long it lasts."""
    usual = {setting.name: setting.default for setting in game.settings}
    return tuple(filter(None, (game.guide.ends.format(**{**usual, **(options or {})}), game.guide.lasts)))


def guide_page(game: Game[Any], masters: str = "", options: Options | None = None) -> Page:
    """How a game is played, for a newcomer; of a match with these options, who its game `masters` are."""
    guide = game.guide
    parts = (
        ("When it ends", how_it_ends(game, options)),
        ("How a turn goes", guide.turn),
        ("A good beginning", guide.first),
    )
    blocks: list[Block] = [block for title, said in parts if said for block in (Heading(title), Bullets(said))]
    if guide.words:
        blocks += [
            Heading("Words you will meet"),
            Bullets(tuple(f"{word}: {said}" for word, said in guide.words.items())),
        ]
    ask = f" {masters} runs this match: ask in plain words." if masters else ""
    blocks.append(Paragraph(f"RULES {game.name} brings every rule; HELP brings the words to write.{ask}"))
    return Page(f"How {game.title} is played", game.aim, tuple(blocks))


def _blocks(rules: Iterable[Rule]) -> Iterable[Heading | Paragraph | Bullets]:
    yield Paragraph("TEXT marks what the rulebook says, HOUSE our ruling where it is silent or doubtful.")
    yield Bullets(tuple(f"{rule.id} ({rule.mark}, {rule.citation}): {rule.text}" for rule in rules))


# ---------------------------------------------------------------- documents as files
# SEND sheets AS csv, SEND sheets OF France AS xlsx, SEND report TURN 3 AS json.


_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_FORMULA = re.compile(r"[=@\t\r]|[+-](?!\d)")
"""How a text begins that a spreadsheet program would take for a formula."""

_PLAIN = re.compile(r"[^A-Za-z0-9]+")


def stem_of(match: str, document: str, turn: int | None, seat: str) -> str:
    """The name of a document's files: `w1-sheets-France-turn-3`."""
    parts = (match, document, plain(seat), f"turn-{turn}" if turn is not None else "")
    return "-".join(part for part in parts if part)


def plain(name: str) -> str:
    """A name as it can stand in that of a file."""
    return _PLAIN.sub("-", name).strip("-")


def exported(renderer: Renderer, found: Found, form: str, stem: str) -> tuple[Attachment, ...]:
    """The document found, as files: one CSV for each sheet, a workbook with a worksheet for each, or all of it as JSON."""
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
    """The document found as the files of several forms; nothing for a form it cannot be made in."""
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
