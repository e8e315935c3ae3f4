"""The pages of a match: its front, which is its last page when it is over, one for each report, and those of other papers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from referee.core.page import Drawing, Page, Sheet
from referee.core.record import Forwarded, Live, Overrode, Rewound
from referee.service.match.playing import Playing
from referee.service.office import At, Office
from referee.service.outgoing.frames import option_rows
from referee.service.ports import Listed, MatchRow, Report, Step
from referee.service.press.pages import Paper
from referee.service.site.card import Card, card_of
from referee.service.site.course import public_course
from referee.service.times import iso, stamp
from referee.service.turns.library import page_of, sheets_of
from referee.service.turns.retrospect import Course, curve_of, honours, turning_points

CARD, CURVE, FEED = "card.json", "points.svg", "feed.atom"
"""Files of a match's folder: what the pages of the house are made of, the chart of the points, the news for feed readers."""


class Turn(msgspec.Struct, frozen=True):
    """A report as the front lists it: its page, its picture or "", and when it was written, in ISO 8601.

    One that was `set_aside` by a rewind, then, is still to be read.
    """

    file: str
    title: str
    said: str
    at: str
    map: str = ""
    set_aside: str = ""


class Secrets(msgspec.Struct, frozen=True):
    """What whoever checks a match begins with, in hex: `secret` is empty until it is over."""

    commitment: str
    secret: str
    head: str


class SiteIndex(msgspec.Struct, frozen=True):
    """The front of a match. `turns` and `papers` (file and page) are what can be read, the newest turn first.

    `curve` is the sentence of the chart of the points, "" without one. `story` and `honours` are told of a match that is over.
    `housed`: the pages of the house lie beside this folder. `feed` is the file of the feed, "" where no reader could reach it.
    `wide`: the map cannot be read as wide as a telephone.
    """

    game: str
    match: str
    card: Card
    options: tuple[tuple[str, str], ...]
    proof: Secrets
    turns: tuple[Turn, ...]
    papers: tuple[tuple[str, Page], ...] = ()
    curve: str = ""
    story: tuple[str, ...] = ()
    honours: tuple[str, ...] = ()
    housed: bool = False
    feed: str = ""
    wide: bool = False


class SitePage(msgspec.Struct, frozen=True):
    """One report with its sheets; `earlier`, `later` and `map` are file names, "" where there is none.

    `instead` is the sentence for those who do not see the map; a `wide` one cannot be read as wide as a telephone.
    """

    match: str
    game: str
    page: Page
    sheets: tuple[Sheet, ...]
    at: str
    head: str
    earlier: str = ""
    later: str = ""
    map: str = ""
    instead: str = ""
    wide: bool = False


class Fronted(msgspec.Struct, frozen=True):
    """The front of a match as data, its card, and the picture of the course of its points."""

    index: SiteIndex
    card: Card
    curve: Drawing | None


def file_names(public: Sequence[Listed]) -> list[str]:
    """The page of each report; what a turn was before a rewind has one of its own."""
    return [f"turn-{r.turn:03}{f'-rewind-{r.epoch}' if r.epoch else ''}-{r.seq}.html" for r in public]


def chart_file(page: str, report: Listed) -> str:
    """The picture that stands on a report's page; "" where there is none."""
    return page.replace(".html", ".svg") if report.drawn else ""


def drawing_of(report: Report) -> Drawing | None:
    """The map that was kept with a report."""
    return msgspec.json.decode(report.chart, type=Drawing) if report.chart else None


def report_page(
    office: Office, row: MatchRow, report: Report, ways: tuple[str, str], map: str, drawing: Drawing | None
) -> str:
    """The page of a report between the pages before and after it, with its picture and the file of that."""
    page = SitePage(
        row.name,
        office.games[row.game].title,
        page_of(report),
        sheets_of(report),
        stamp(report.at, "UTC"),
        f"{report.seq}:{report.head[:16]}",
        *ways,
        map,
        *((drawing.instead, drawing.seam > 0) if drawing else ()),
    )
    return office.renderer.render_site("page", page)


def paper_page(office: Office, row: MatchRow, paper: Paper) -> str:
    """The page of what is no report: press, diaries, treaties."""
    return office.renderer.render_site("page", SitePage(row.name, office.games[row.game].title, paper.page, (), "", ""))


def fronted(
    at: At,
    playing: Playing,
    public: Sequence[Listed],
    last: Drawing | None,
    proof: Secrets,
    papers: Sequence[Paper],
    alive: Sequence[Live] = (),
) -> Fronted:
    """The front of a match from its public reports, of which the `last` shows a map, and what a verifier needs of it.

    `alive` are the records that count of a match that is over, of which its end is told.
    """
    course = public_course(at.step, playing)
    records = [
        (entry.at, playing.codec.load(entry.payload)) for entry in at.step.entries_of(playing.row.name, Overrode)
    ]
    moved = [moment for moment, record in records if isinstance(record, (Rewound, Forwarded))]
    kept = [moment for moment, record in records if isinstance(record, Overrode) and record.restores]
    turns = _turns_of(public, moved)
    changed = max((*(turn.at for turn in turns), *moved, *kept), default="")
    card = card_of(at.step, playing, course, public, changed, alive, (turns[0].map, last.instead) if last else ("", ""))
    chart = curve_of(playing, course.moments, course.tally.unit)
    index = SiteIndex(
        playing.game.title,
        playing.row.name,
        card,
        tuple(row[:2] for row in sorted(option_rows(playing.game.settings, playing.row.options))),
        proof,
        turns,
        tuple((paper.name, paper.page) for paper in papers),
        chart.instead if chart else "",
        *(_told_at_the_end(at.step, playing, course, alive) if card.over else ((), ())),
        wide=bool(last and last.seam),
    )
    return Fronted(index, card, chart)


def _told_at_the_end(
    step: Step, playing: Playing, course: Course, alive: Sequence[Live]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where the match turned, and what its log proves to anybody's credit."""
    return turning_points(course.moments, course.tally.unit), honours(step, playing, course.moments, alive)


def _turns_of(public: Sequence[Listed], moved: Sequence[str]) -> tuple[Turn, ...]:
    """The reports as the front lists them, the newest first; `moved` is when each other course began, by the epochs of reports."""
    turns = []
    for name, report in zip(file_names(public), public, strict=True):
        epoch = min((r.epoch for r in public if r.epoch > report.epoch and r.turn <= report.turn), default=0)
        aside = moved[epoch - 1] if epoch else ""
        turns.append(Turn(name, report.title, report.said, iso(report.at), chart_file(name, report), aside))
    return tuple(turns[::-1])
