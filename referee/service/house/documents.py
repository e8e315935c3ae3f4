"""The documents of SEND: each is declared here once, and found in one way, whoever asks and wherever.

HELP SEND, the words that may follow SEND, the refusals and `referee show` follow from the table at the end.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

import msgspec

from referee.core.names import Reader, Role
from referee.core.order import Order
from referee.core.page import Drawing, Grid, Page
from referee.kit.wording import in_a_row
from referee.mail import Attachment
from referee.moments import past_day
from referee.service.base.office import At
from referee.service.base.ports import Member, Player
from referee.service.house.archive import archive_of
from referee.service.house.choices import choices_file, choices_now, choices_page
from referee.service.house.forgetting import known_of
from referee.service.house.press import diaries_page, diary_of, press_for, treaties_for
from referee.service.house.proofs import proof_page, table_file, table_of
from referee.service.house.reliability import hours_page, record_page
from referee.service.match.open_log import LISTED, LOG, listed
from referee.service.match.playing import BareHand, Playing
from referee.service.match.result import Came, Denial, Enclosed, heed, need, understood
from referee.service.post.turn_link import TABLE
from referee.service.turn.knowledge import (
    Found,
    enclosed,
    exported,
    guide_page,
    history_page,
    page_of,
    report_for,
    rules_page,
    sheets_of,
    standings_page,
    stem_of,
)
from referee.service.turn.reports import chart_now, logs_now, reader_of, sheets_now

ANYBODY, MEMBERS, SEAT = "anybody", "members", "players"
"""The readers of a document: of a match those who take part in any way, or those who hold a seat."""

Files = tuple[Attachment, ...]


class Wanted(msgspec.Struct, frozen=True):
    """The document that is asked for. `turn` None is the latest, `seat` "" everybody's, `form` "" pages to read."""

    word: str
    turn: int | None = None
    seat: str = ""
    since: date | None = None
    lines: int = 0
    form: str = ""

    def clauses(self) -> tuple[str, ...]:
        """The prepositions that were written and that only some documents know."""
        written = {"TURN": self.turn is not None, "OF": self.seat, "SINCE": self.since, "LINES": self.lines}
        return tuple(word for word, there in written.items() if there)


@dataclass
class Asking(At):
    """The asker, and his match; `member` is None for somebody read as no member, `playing` where no match is meant.

    `masters`: whether he sees what a game master who does not play sees.
    """

    player: Player
    playing: Playing | None = None
    member: Member | None = None
    masters: bool = False

    @property
    def match(self) -> Playing:
        """The match; a document of none does not look."""
        assert self.playing is not None
        return self.playing

    @property
    def name(self) -> str:
        """The name of the match, "" without one."""
        return self.playing.row.name if self.playing else ""

    @property
    def reader(self) -> Reader:
        """The reader for whom the documents are made."""
        return reader_of(self.member) if self.member else Role.OBSERVER


class Document(msgspec.Struct, frozen=True):
    """A document of SEND: what it is in a phrase, how it is made, a line that brings it, and what the line may hold.

    `clauses` are the prepositions it knows, `forms` the files it is made as; `later` tells who may not have it what else there is.
    """

    phrase: str
    make: Callable[[Asking, Wanted], Found | Files]
    line: str
    who: str = ANYBODY
    clauses: tuple[str, ...] = ()
    forms: tuple[str, ...] = ("json",)
    of_match: bool = True
    later: str = ""

    def told(self) -> str:
        """The line of HELP about it."""
        return self.phrase if self.who == ANYBODY else f"{self.phrase}; for {self.who}"


def wanted(order: Order, today: date) -> Wanted:
    """The request of a sentence with SEND; a day without a year is the last that was."""
    document = next((thing.name for thing in order.things if thing.kind == "document"), "report")
    number, lines = next(iter(order.after("TURN")), None), next(iter(order.after("LINES")), None)
    seat = next((thing.name for thing in order.after("OF") if thing.kind == "seat"), "")
    day, form = (next((thing.name for thing in order.after(word)), "") for word in ("SINCE", "AS"))
    with understood():
        since = past_day(day, today) if day else None
    return Wanted(document, number.count() if number else None, seat, since, lines.count() if lines else 0, form)


def find(asking: Asking, want: Wanted) -> Found | Files:
    """The document, as pages or as files; raises Denial where there is none, with what there is instead."""
    document = DOCUMENTS[want.word]
    heed(_withheld(document, asking, want) or _pointless(document, want) or _unmade(document, want))
    made = document.make(asking, want)
    if want.form and isinstance(made, Found):
        return exported(asking.office.renderer, made, want.form, stem_of(asking.name, want.word, want.turn, want.seat))
    return made


def _withheld(document: Document, asking: Asking, want: Wanted) -> str:
    """Why who asks may not have it."""
    if document.who == ANYBODY or (document.who == MEMBERS and asking.member):
        return ""
    if not isinstance(asking.reader, Role):
        return ""
    way = "" if asking.member else ", in a reply to one of its letters"
    return f"SEND {want.word} is for {document.who} of {asking.name or 'a match'}{way}{document.later}."


def _pointless(document: Document, want: Wanted) -> str:
    """Why a line says more than the document knows: sent as if it had not been said, it would mislead."""
    odd = [clause for clause in want.clauses() if clause not in document.clauses]
    return f"{in_a_row(odd)} cannot go with SEND {want.word}; write {document.line}." if odd else ""


def _unmade(document: Document, want: Wanted) -> str:
    """Why it is not made as such a file."""
    if not want.form or want.form in document.forms:
        return ""
    if not document.forms:
        return f"AS cannot go with SEND {want.word}; write {document.line}."
    made = [word for word, other in DOCUMENTS.items() if want.form in other.forms]
    right = " or ".join((f"SEND {want.word}", *(f"SEND {want.word} AS {form}" for form in document.forms)))
    return f"Only {in_a_row(made)} are made as {want.form}; write {right}."


def enclose(made: Found | Files) -> Came:
    """A document as it goes into the letter that answers."""
    if isinstance(made, Found):
        return Came(enclosed=Enclosed(made.pages, made.sheets, chart=made.chart))
    opens = " The page table.html of the archive opens it; SEND archive brings that page."
    return Came((enclosed(made) + opens * made[0].name.endswith(TABLE),), enclosed=Enclosed(files=made))


# ---------------------------------------------------------------- how they are made


def _private(asking: Asking, page: Callable[[], Page]) -> Found:
    """Texts of players to each other and to themselves: to somebody who writes as a player by BECOME they stay closed."""
    member = asking.member
    if member and member.role == "player" and member.player != asking.player.id:
        raise Denial(
            f"BECOME lets you write for {member.seat}, and opens none of its press, treaties and diary; they stay its own."
        )
    return Found((page(),))


def _report(asking: Asking, want: Wanted) -> Found:
    turns = _turns(asking)
    turn = want.turn if want.turn is not None else (turns[-1] if turns else 0)
    kept = report_for(asking.step, asking.match, asking.reader, turn)
    if kept is None:
        raise _no_turn(asking, want.turn)
    return Found((page_of(kept),))


def _sheets(asking: Asking, want: Wanted) -> Found:
    if want.turn is None:
        sheets = sheets_now(asking.step, asking.match, asking.reader)
    elif kept := report_for(asking.step, asking.match, asking.reader, want.turn):
        sheets = sheets_of(kept)
    else:
        raise _no_turn(asking, want.turn)
    return Found(sheets=tuple(sheet for sheet in sheets if not want.seat or sheet.of in (None, want.seat)))


def _map(asking: Asking, want: Wanted) -> Found:
    if want.turn is not None:
        kept = asking.step.report(asking.name, want.turn, "")
        if kept is None or not kept.chart:
            raise _no_turn(asking, want.turn)
        return Found(chart=msgspec.json.decode(kept.chart, type=Drawing))
    drawing = chart_now(asking.step, asking.match, asking.reader)
    need(drawing, f"{asking.match.game.title} has no map; SEND sheets shows the position.")
    return Found(chart=drawing)


def _turns(asking: Asking) -> list[int]:
    return sorted({report.turn for report in asking.step.listed_reports(asking.name)})


def _no_turn(asking: Asking, turn: int | None) -> Denial:
    turns = _turns(asking)
    have = (
        f"the reports I have are those of turns {turns[0]} to {turns[-1]}" if turns else "no turn has been played yet"
    )
    return Denial(f"There is no report of turn {turn}; {have}." if turn is not None else f"There is no report: {have}.")


def _history(asking: Asking, want: Wanted) -> Found:
    return Found((history_page(asking.step, asking.match, want.turn or 0, want.since, want.lines),))


def _record(asking: Asking, want: Wanted) -> Found:
    """One's own matches or, for a game master who does not play, all players."""
    members = asking.step.members(asking.name)
    players = [p for m in members if m.status == "playing" and (p := asking.step.player(m.player))]
    shown = players if asking.masters else [asking.player]
    return Found((record_page(asking, shown, not asking.masters, asking.player.id),))


def _data(asking: Asking, want: Wanted) -> Found:
    if not asking.player.id:
        said = "Nothing but the letters you sent, for some days. At the machine: referee forget and an address shows what is kept."
        return Found((Page("Your data here", said, ()),))
    kept = known_of(asking.step, asking.player)
    grid = Grid(("what", "how much", "when you are forgotten"), tuple((k.what, k.count, k.then) for k in kept))
    said = (
        f"{asking.player.name}, {in_a_row(asking.player.addresses)}, times in {asking.player.zone}. Your press and diary come by "
        "SEND press and SEND diary, your record by SEND record. FORGET me asks the keeper of this service to forget you."
    )
    return Found((Page("Your data here", said, (grid,)),))


def _choices(asking: Asking, want: Wanted) -> Found | Files:
    found = choices_now(asking.match, str(asking.reader))
    return choices_file(found) if want.form else Found((choices_page(found),))


def _table(asking: Asking, want: Wanted) -> Files:
    assert asking.member is not None  # who has a seat has a part in the match
    return table_file(table_of(BareHand(asking.office, asking.step, asking.match), asking.member, asking.player))


def _proof(asking: Asking, want: Wanted) -> Found:
    return Found((proof_page(asking, asking.match.row, asking.reader, asking.player.zone),))


_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The date of an archive's files: the same archive is the same file whenever it is asked for."""


def _archive(asking: Asking, want: Wanted) -> Files:
    folder = archive_of(asking, asking.match.row)
    name = asking.name
    files = {**folder.files, "index.html": folder.front}
    digests = {path: hashlib.sha256(data).hexdigest() for path, data in files.items() if path != LOG}
    if signed := listed(asking.office, asking.name, folder.grown.entries, digests):
        files[LISTED] = signed
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(f"{name}/{path}", _LONG_AGO), data, zipfile.ZIP_DEFLATED)
    made = out.getvalue()
    most = asking.office.limits.archive_bytes
    if len(made) > most:
        raise Denial(
            f"The archive of {asking.name} has {len(made) / 1e6:.1f} MB, and {most / 1e6:g} MB go with a letter. SEND report "
            "TURN 3, SEND sheets AS csv and SEND log AS csv bring parts of it; the keeper of this service has the folder."
        )
    return (Attachment(f"{asking.name}-archive.zip", "application/zip", made),)


def _diaries(asking: Asking) -> Found:
    if asking.match.row.status == "over":
        return Found((diaries_page(asking.step, asking.name),))
    closed = f"They are opened when {asking.name} is over; SEND diary brings a player his own."
    return Found((Page(f"Diaries of {asking.name}", closed, ()),))


# ---------------------------------------------------------------- the table


_WRITTEN = "; the archive of the match has it when the match is over"

DOCUMENTS: Mapping[str, Document] = {
    "report": Document("the report of a turn, or of the last one", _report, "SEND report TURN 1", clauses=("TURN",)),
    "sheets": Document(
        "the holdings of each seat, now or after a turn; OF and a seat for one alone",
        _sheets,
        "SEND sheets TURN 1 AS xlsx",
        clauses=("TURN", "OF"),
        forms=("csv", "xlsx", "json"),
    ),
    "map": Document("the map, now or after a turn", _map, "SEND map TURN 1", clauses=("TURN",), forms=()),
    "history": Document(
        "a sentence of each report: of all, from a turn or day on, or the last few",
        _history,
        "SEND history SINCE 2026-11-01 LINES 5",
        clauses=("TURN", "SINCE", "LINES"),
    ),
    "standings": Document(
        "the places of all players now", lambda a, _: Found((standings_page(a.match),)), "SEND standings"
    ),
    "guide": Document(
        "how the game is played, for newcomers",
        lambda a, _: Found((guide_page(a.match.game, options=a.match.row.options),)),
        "SEND guide",
    ),
    "rules": Document(
        "the numbered rules, and what is in force in the match",
        lambda a, _: Found((rules_page(a.match.game, a.match.outcome.state),)),
        "SEND rules",
    ),
    "log": Document(
        "everything that happened, with each die",
        lambda a, _: Found(sheets=logs_now(a.step, a.match, a.reader)),
        "SEND log AS csv",
        forms=("csv", "xlsx", "json"),
    ),
    "press": Document(
        "the press you wrote and were sent",
        lambda a, _: _private(a, lambda: press_for(a.step, a.match, a.member, a.player)),
        "SEND press",
        MEMBERS,
        later="; the archive of the match has the parts that all may read",
    ),
    "diary": Document(
        "your diary",
        lambda a, _: _private(a, lambda: diary_of(a.step, a.match, a.reader, a.player)),
        "SEND diary",
        SEAT,
        later=_WRITTEN,
    ),
    "diaries": Document(
        "the diaries of all, when the match is over",
        lambda a, _: _diaries(a),
        "SEND diaries",
    ),
    "treaties": Document(
        "your treaties",
        lambda a, _: _private(a, lambda: treaties_for(a.step, a.match, a.reader)),
        "SEND treaties",
        SEAT,
        later=_WRITTEN.replace("has it", "has them"),
    ),
    "record": Document("how reliably you have played; a game master gets all players", _record, "SEND record", MEMBERS),
    "hours": Document(
        "at which hours orders come and slots are missed, over all matches",
        lambda a, _: Found((hours_page(a, a.player.zone),)),
        "SEND hours",
        of_match=False,
    ),
    "data": Document("everything that is kept of you here", _data, "SEND data", of_match=False),
    "proof": Document(
        "the checks of the log that can be made now, and the digests of your letters with orders",
        _proof,
        "SEND proof",
    ),
    "archive": Document(
        "all public pages and what 'referee verify' needs, as one zip", _archive, "SEND archive", forms=()
    ),
    "choices": Document("the orders you may give now; for programs AS json", _choices, "SEND choices AS json", SEAT),
    "table": Document(
        "your turn as a file, for the page table.html in the archive and for programs of others",
        _table,
        "SEND table",
        SEAT,
    ),
}
"""The documents of SEND, in the order of HELP."""
