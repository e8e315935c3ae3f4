"""The pages of a match on the site."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec
from cachetools import LRUCache

from referee.core.names import Role, Seat
from referee.core.page import Drawing, Page, Sheet, Tally
from referee.core.position import told
from referee.core.record import Entry, Forwarded, Live, Overrode, Rewound
from referee.mail import mailto_new
from referee.service.base.match_settings import settings_of
from referee.service.base.office import At, Office
from referee.service.base.ports import Listed, MatchRow, Member, Report, Step
from referee.service.base.times import iso, stamp
from referee.service.house.match_lists import taken_and_all
from referee.service.house.press import Paper
from referee.service.house.reliability import Reliability, reliability_of_each
from referee.service.match.bots import bot_of, bots, own_bots, with_bot
from referee.service.match.clock_words import clock_sentences, table_sentence
from referee.service.match.history import earlier_in
from referee.service.match.members import house_rules, keeps_quiet, unlisted_matches
from referee.service.match.playing import Playing
from referee.service.match.sheets import how_it_stands
from referee.service.match.slot_life import TOLD
from referee.service.post.frames import option_rows
from referee.service.turn.farewell import Course, at_first, curve_of, gone_on, honours, turning_points
from referee.service.turn.knowledge import page_of, sheets_of

# ---------------------------------------------------------------- a match on a card
# The public facts of a match at a glance, kept beside its pages for those of the house.


class Seated(msgspec.Struct, frozen=True):
    """A seat and its player; "" and 0 if he is not told, and 0 for one without a page of his own here."""

    seat: str
    name: str = ""
    player: int = 0


class Awaited(msgspec.Struct, frozen=True):
    """The players everybody waits for, in words and by seats if all may know, and until when, in ISO 8601; "" for no time."""

    said: str = ""
    seats: tuple[str, ...] = ()
    until: str = ""


class Card(msgspec.Struct, frozen=True):
    """A match that has begun, as all may know it.

    `began` and `changed` are ISO 8601, the latter of the last report, rewind or restore; `map` is the file of the last picture
    and `instead` its sentence. `decided`: its game came to an end, and nobody stopped it before. `records` tell how reliably
    each of its players played in it, by his number, once it is over.
    """

    match: str
    game: str
    title: str
    status: str
    phase: str
    awaited: Awaited
    pace: str
    seats: tuple[Seated, ...]
    masters: tuple[str, ...]
    comment: str
    began: str
    changed: str
    reports: int
    map: str
    instead: str
    tally: Tally
    decided: bool = False
    listed: bool = True
    records: dict[int, Reliability] = {}

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.status == "over"

    @property
    def winners(self) -> tuple[Seated, ...]:
        """The winners; none where nobody is ranked, and while the game goes on."""
        winning = self.tally.winners() if self.decided else ()
        return tuple(seated for seated in self.seats if seated.seat in winning)


def read_card(data: bytes) -> Card | None:
    """The card of a match as it was kept; None for one of another form, which is written anew with the match's pages."""
    try:
        return msgspec.json.decode(data, type=Card)
    except msgspec.DecodeError:
        return None


def pace_of(row: MatchRow) -> str:
    """How long somebody on turn has, in words for strangers."""
    settings = settings_of(row.settings)
    return table_sentence("a turn", settings.slot_hours, settings.slots).removesuffix(".")


def card_of(
    at: At,
    playing: Playing,
    course: Course,
    public: Sequence[Listed],
    changed: str,
    alive: Sequence[Live],
    picture: tuple[str, str],
) -> Card:
    """The card of a match that `changed` then, with the file of its last picture and the sentence that stands for it.

    How reliably everybody played is told of a match that is over, when all can read its log, by the records that are `alive` in it.
    """
    step, row, phase, tally = at.step, playing.row, playing.outcome.phase, course.tally
    members = step.members(row.name)
    listed = row.name not in unlisted_matches(step)
    return Card(
        match=row.name,
        game=row.game,
        title=playing.game.title,
        status=row.status,
        phase=phase.title if phase and row.status != "over" else "",
        awaited=awaited(step, playing),
        pace=pace_of(row),
        seats=_seated(step, row, members, playing.created.seats, listed, at.now),
        masters=names(step, [m for m in members if m.role == "gm" and m.status != "left"]),
        comment=house_rules(step, row.name).comment,
        began=iso(row.created_at),
        changed=changed,
        reports=len(public),
        map=picture[0],
        instead=picture[1],
        tally=tally,
        decided=playing.outcome.over,
        listed=listed,
        records=_records(step, row, alive) if listed and row.status == "over" else {},
    )


def _records(step: Step, row: MatchRow, alive: Sequence[Live]) -> dict[int, Reliability]:
    """How reliably each played, without those who were forgotten."""
    found = reliability_of_each(step, row, alive)
    return {number: record for number, record in found.items() if (player := step.player(number)) and player.name}


def awaited(step: Step, playing: Playing) -> Awaited:
    """The players everybody waits for; where lateness is hidden it tells neither whose time runs, nor until when."""
    row = playing.row
    if row.status == "over" or playing.outcome.over:
        return Awaited("The match is over." if playing.outcome.over else "The match was ended; nobody won.")
    if stands := how_it_stands(row):
        return Awaited(f"The match {stands}.")
    keys = {question.key for question in playing.outcome.open}
    if not keys:
        return Awaited("Nobody owes anything.")
    if keeps_quiet(playing) and len(playing.created.seats) > 1:
        return Awaited("Orders are awaited.")
    seats = tuple(sorted({question.seat for question in playing.outcome.open}))
    due = min((a.due_at for a in step.alarms(row.name) if a.kind in TOLD and a.key in keys), default=None)
    return Awaited("", seats, iso(due) if due else "")


def _hidden(row: MatchRow) -> bool:
    """Whether nobody may learn who plays which seat."""
    return settings_of(row.settings).manners.anonymous and row.status != "over"


def _seated(
    step: Step, row: MatchRow, members: Sequence[Member], seats: Sequence[str], listed: bool, now: datetime
) -> tuple[Seated, ...]:
    dummies, away = bots(step, row.name), own_bots(step, row.name, now)
    playing = {m.seat: m.player for m in members if m.seat and m.status in ("playing", "out")}

    def one(seat: str) -> Seated:
        found = step.player(playing[seat]) if seat in playing and not _hidden(row) else None
        if found is None or not found.name:  # nobody, or somebody who was forgotten
            return Seated(seat, dummies.get(seat, ""))
        return Seated(seat, with_bot(found.name, away.get(seat)), found.id if listed else 0)

    return tuple(map(one, seats))


def names(step: Step, members: Sequence[Member]) -> tuple[str, ...]:
    """The names of members of a match."""
    found = ((bot_of(step, member), step.player(member.player)) for member in members)
    return tuple(bot or player.name for bot, player in found if player and player.name)


# ---------------------------------------------------------------- how a match went so far, as everybody may know
# Made of what an observer was told, and of nothing else.


class _Reached(NamedTuple):
    """The course up to the end of a phase, which is this entry of the log."""

    boundary: Entry
    course: Course


_KEPT: LRUCache[str, _Reached] = LRUCache(64)
"""By match: pages are written after each letter, and most letters end no phase."""


def public_course(step: Step, playing: Playing) -> Course:
    """The course of a match as an observer knows it; of one that is kept only the phases since are read."""
    earlier, known = earlier_in(step, playing), _KEPT.get(playing.row.name)
    since = earlier.since(known.boundary) if known is not None else None
    begin = known.course if known is not None and since is not None else at_first(playing)
    course = gone_on(playing, begin, told(earlier.events if since is None else since, Role.OBSERVER))
    _KEPT[playing.row.name] = _Reached(playing.boundary, course)
    return course


# ---------------------------------------------------------------- the pages of a match
# Its front, which is its last page when it is over, one for each report, and those of other papers.


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
    """The values with which a check of a match begins, in hex: `secret` is empty until it is over."""

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


class Unchanged(msgspec.Struct, frozen=True):
    """Sheets of a seat that an earlier page shows as they still are: the file of that page, the title of its report, theirs."""

    of: Seat
    page: str
    report: str
    titles: tuple[str, ...]


class SitePage(msgspec.Struct, frozen=True):
    """One report with its sheets, beside those that are `unchanged`; `earlier`, `later` and `map` are file names, "" for none.

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
    unchanged: tuple[Unchanged, ...] = ()


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
    office: Office,
    row: MatchRow,
    report: Report,
    ways: tuple[str, str],
    map: str,
    drawing: Drawing | None,
    unchanged: tuple[Unchanged, ...] = (),
) -> str:
    """The page of a report between the pages before and after it, with its picture and the file of that."""
    elsewhere = {(one.of, title) for one in unchanged for title in one.titles}
    page = SitePage(
        row.name,
        office.games[row.game].title,
        page_of(report),
        tuple(sheet for sheet in sheets_of(report) if (sheet.of, sheet.title) not in elsewhere),
        stamp(report.at, "UTC"),
        f"{report.seq}:{report.head[:16]}",
        *ways,
        map,
        *((drawing.instead, drawing.seam > 0) if drawing else ("", False)),
        unchanged,
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
    card = card_of(at, playing, course, public, changed, alive, (turns[0].map, last.instead) if last else ("", ""))
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


# ---------------------------------------------------------------- forming
# A match that waits for players, before it has pages of its own: who is in, how many seats are free, the words that take one.


class Way(msgspec.Struct, frozen=True):
    """A deed by a letter of one line: the line, its effect, and the link that writes it."""

    line: str
    does: str
    link: str


class Forming(msgspec.Struct, frozen=True):
    """A match that waits for players: how many of its seats are taken and by whom, and the letters that take one.

    `joined` is empty where nobody may know. One `called_off` waits for nobody any more.
    """

    match: str
    game: str
    title: str
    about: str
    taken: int
    seats: int
    joined: tuple[str, ...]
    choices: tuple[str, ...]
    masters: tuple[str, ...]
    pace: str
    clock: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    by_itself: bool
    comment: str
    ways: tuple[Way, ...]
    called_off: bool = False

    @property
    def page(self) -> str:
        """Its page: when it begins, the front of its folder."""
        return f"{self.match}/index.html"

    @property
    def free(self) -> int:
        """How many more can join."""
        return max(0, self.seats - self.taken)


class FormingPage(msgspec.Struct, frozen=True):
    """The page of a match that waits for players; letters go to this `address`."""

    house: str
    address: str
    game: str
    match: Forming


def forming_page(office: Office, found: Forming) -> FormingPage:
    """The page of one."""
    return FormingPage(office.name, office.address, found.title, found)


def forming_matches(at: At) -> tuple[Forming, ...]:
    """The matches that wait for players and strangers may be told of, the newest first."""
    unlisted = unlisted_matches(at.step)
    return tuple(found for found in all_forming(at) if found.match not in unlisted and not found.called_off)


def all_forming(at: At) -> tuple[Forming, ...]:
    """Every match that has not begun, the newest first; also those that are told to nobody, and those that never will."""
    newest = sorted(at.step.matches("forming"), key=lambda row: row.created_at, reverse=True)
    return tuple(_forming(at, row) for row in newest)


def _forming(at: At, row: MatchRow) -> Forming:
    game, settings, rules = at.office.games[row.game], settings_of(row.settings), house_rules(at.step, row.name)
    members = at.step.members(row.name)
    applied = sorted((m for m in members if m.status == "applied"), key=lambda member: member.number)
    taken, seats = taken_and_all(at, row)
    choices = game.seat_names(row.options)
    return Forming(
        match=row.name,
        game=game.name,
        title=game.title,
        about=game.about,
        taken=taken,
        seats=seats,
        joined=() if settings.manners.anonymous else names(at.step, applied),
        choices=choices,
        masters=names(at.step, [m for m in members if m.role == "gm" and m.status != "left"]),
        pace=pace_of(row),
        clock=clock_sentences(settings),
        options=tuple(shown[:2] for shown in sorted(option_rows(game.settings, row.options))),
        by_itself=settings.starts_full,
        comment=rules.comment,
        ways=_ways(at.office, row, choices, taken < seats),
        called_off=rules.called_off,
    )


def _ways(office: Office, row: MatchRow, choices: tuple[str, ...], free: bool) -> tuple[Way, ...]:
    lines = (
        (f"JOIN {row.name}", "takes the next free seat"),
        (f"JOIN {row.name} AS {choices[0]}", f"asks for a seat by its name: {', '.join(choices)}"),
    )
    watch = (f"OBSERVE {row.name}", "watches, and plays nobody's seat")
    return tuple(
        Way(line, does, mailto_new(office.address, row.name, (line,)))
        for line, does in (*(lines if free else ()), watch)
    )
