"""Reports and record sheets, made only from what each reader was told, archived and mailed."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import chain, groupby
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from referee.core.event import Event, PhaseEnded
from referee.core.game import Game
from referee.core.names import Reader, Role, Seat
from referee.core.page import (
    Block,
    Bullets,
    Drawing,
    Form,
    Grid,
    Heading,
    Note,
    Page,
    Paragraph,
    Quotation,
    Sheet,
)
from referee.core.position import told
from referee.core.question import Source
from referee.core.record import BOT, Answered
from referee.core.stage import Ended
from referee.service.base.letter_facts import DiceProof, TurnReport
from referee.service.base.note_values import KeptMap
from referee.service.base.ports import Member, Player, Report, Step
from referee.service.match.bots import OWN_BOT
from referee.service.match.history import Earlier, Unread, earlier_in, history, known_to
from referee.service.match.members import everybody, keeps_quiet, masters_of
from referee.service.match.open_log import key_is_told, proof_of, with_new_key
from referee.service.match.playing import BareHand, Playing, aided
from referee.service.post.delivery import late_delivery, wishes_of
from referee.service.post.frames import form_for, frame
from referee.service.post.post import About, Mail, post
from referee.service.post.subjects import reported
from referee.service.turn.knowledge import Found, Heard, Hearing, Table, in_forms, sheets_of
from referee.service.turn.signed_heads import send_heads

# ---------------------------------------------------------------- told pages
# Reports and record sheets for their readers, made only from what each was told.


class Written(NamedTuple):
    """A reader's papers after a phase: the report, the record sheets, and the map of a game that has one."""

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
    """One reader's part of `pages_and_sheets`, of all events before the phase."""
    hearing = Hearing(Table(game, seats, options), Earlier(earlier), (reader,))
    return pages_and_sheets(hearing, ended)[reader]


def _written(table: Table, ended: Ended[Any], before: Heard, after: Heard, reader: Reader) -> Written:
    """Made only of events that the reader has heard; one who has heard everything knows the position itself."""
    game = aided(table.game)
    was, now = (ended.before, ended.after) if after.whole else (before.position(table), after.state)
    happened = told(ended.events, reader)
    page = game.report(was, happened, now, reader)
    return Written(page, game.sheets(after.told, now, reader), game.chart(now, reader, happened))


def in_one(game: Game[Any], told: Sequence[tuple[Ended[Any], Page]], reader: Reader) -> Page:
    """The report of several phases that were played at one go: whole where a person had a hand in it.

    Of those that bots alone played it has a sentence each, and what they did to the reader; then it says who stands where.
    """
    if len(told) == 1:
        return told[0][1]
    whole = [page for ended, page in told if not _by_bots(ended)]
    title, summary = (whole[0].title, whole[0].summary) if whole else ("Moves of the bots", "")
    blocks = list[Block](whole[0].blocks if whole else ())
    for by_bots, group in groupby(told, lambda one: _by_bots(one[0])):
        for _, page in group if not by_bots else ():
            blocks += [Heading(page.title), Paragraph(page.summary), *page.blocks] if page is not whole[0] else []
        if by_bots:
            blocks += [
                Heading("Moves of the bots"),
                Bullets(tuple(line for _, page in group for line in _brief(page, reader))),
            ]
    tally = game.score(told[-1][0].after)
    places = ", ".join(f"{place.rank}. {place.seat} {place.score}" for place in tally.standings) if tally.ranked else ""
    now: list[Block] = (
        [block for block in told[-1][1].blocks if isinstance(block, Note)] if _by_bots(told[-1][0]) else []
    )
    now += [Paragraph(f"So it stands now, in {tally.unit}: {places}.")] if places else []
    return Page(title, summary, (*blocks, *now, Paragraph(_WHOLE.format(told[-1][0].phase.turn))))


_WHOLE = "SEND report TURN {} brings the report of that turn whole, and so of each."


def _by_bots(ended: Ended[Any]) -> bool:
    """Whether no person decided anything in a phase, and bots did."""
    bots = {answer.seat for answer in ended.answers if answer.by == BOT}
    return bool(bots) and all(answer.seat in bots for answer in ended.answers)


def _brief(page: Page, reader: Reader) -> list[str]:
    """A phase in a sentence, and the lines of its report that name its reader."""
    lines = [line for block in page.blocks if isinstance(block, Bullets) for line in block.items]
    return [
        f"{page.title}: {page.summary}",
        *(line for line in lines if not isinstance(reader, Role) and reader in line),
    ]


def mailed(sheets: Iterable[Sheet], reader: Reader) -> tuple[Sheet, ...]:
    """The sheets a turn letter carries: the reader's own and the table's short ones; SEND sheets brings the others."""
    asked = [sheet for sheet in sheets if not sheet.on_request]
    return tuple(sheet for sheet in asked if sheet.of == reader or (sheet.of is None and _is_brief(sheet)))


class Shown(NamedTuple):
    """The record sheets in a turn letter: sheets, whole or what changed of them; `same` are the others' titles.

    `part` says that of some only the changed lines are shown.
    """

    sheets: tuple[Sheet, ...] = ()
    same: tuple[str, ...] = ()
    part: bool = False


def changed(sheets: Sequence[Sheet], before: Sequence[Sheet]) -> Shown:
    """The changes since the report before: the lines alone of a sheet that its reader has had."""
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


# ---------------------------------------------------------------- the words of a report
# The letters, digits and signs of a letter about a turn: so much is left of it, however mail programs break its lines. Their
# digest is laid down when it is sent, so that it can be compared when no rules are at hand that give it (docs/verify.md, 9).


Draw = Callable[[Grid], str]
"""A table as letters in plain text have it."""

_SIGN = re.compile(r"(?<=[(\s])[+\u2212-](?=[0-9])")
_NO_WORD = re.compile(r"[\W_]+")


_LETTERS = bytes(range(256)).lower()
_OTHERS = bytes(byte for byte in range(128) if not chr(byte).isalnum())


def bare(text: str) -> str:
    """The letters, digits and signs of a text, small."""
    if "+" in text or "-" in text or "\u2212" in text:
        text = _SIGN.sub(lambda found: "plus" if found[0] == "+" else "minus", f" {text}")
    if text.isascii():
        return text.encode().translate(_LETTERS, _OTHERS).decode()
    return _NO_WORD.sub("", text).lower()


def words_of(page: Page, shown: Shown, sentence: str, draw: Draw) -> tuple[str, str]:
    """The bare words of a letter about a turn, from its summary to the end of the map in words; and those with record sheets."""
    said = [page.summary]
    for block in page.blocks:
        said += _texts(block, draw)
    sheets = [PART] if shown.part else []
    for sheet in shown.sheets:
        sheets.append(sheet.title)
        for grid in sheet.grids:
            sheets += _texts(replace(grid, caption="") if grid.caption == sheet.title else grid, draw)
        sheets += sheet.notes
    words = bare("\n".join((*said, sentence)))
    return words, words + bare("\n".join((*sheets, unchanged_line(shown))))


PART = "Record sheets: only what has changed; SEND sheets brings all."
"""Above record sheets of which only the changed lines are shown."""


def unchanged_line(shown: Shown) -> str:
    """The sentence about sheets that are as before."""
    begun = "As before: " if shown.part else "As before, and brought by SEND sheets: "
    return f"{begun}{', '.join(shown.same)}." if shown.same else ""


def _texts(block: Block, draw: Draw) -> Sequence[str]:
    match block:
        case Heading() | Paragraph():
            return (block.text,)
        case Bullets():
            return block.items
        case Note():
            return (f"{'NOTE' if block.weight == 'hint' else 'WARNING'} {block.text}",)
        case Grid():
            rows = (*block.rows, block.total) if block.total else block.rows
            if not rows:
                return (block.caption if block.caption.endswith(".") else f"{block.caption} none",)
            cells = (block.columns, *(tuple(map(str, row)) for row in rows))
            wide = sum(max(map(len, column)) + _APART for column in zip(*cells, strict=True)) > _LINE
            return (block.caption, draw(block)) if wide else (block.caption, *chain.from_iterable(cells))
        case Form():
            return ("cut here", *block.lines, "cut here")
        case Quotation():
            return ()  # it stands behind bars, where nothing counts


_LINE, _APART = 60, 4
"""A table with so few letters in a line is drawn cell by cell, whatever stands between them: it need not be drawn to be read."""


def salt_of_report(secret: bytes, turn: int, epoch: int, reader: str) -> str:
    """A secret of a letter, which nobody else has before the end: without it a digest of few words could be guessed."""
    return hmac.digest(secret, f"told/{turn}/{epoch}/{reader}".encode(), "sha256").hex()


def digest_of_words(salt: str, words: str) -> str:
    """The digest that is laid down of the words of a report."""
    return hashlib.sha256(bytes.fromhex(salt) + words.encode()).hexdigest()


def sheets_now(step: Step, playing: Playing, reader: Reader) -> tuple[Sheet, ...]:
    """The record sheets as they stand now, for a reader."""
    happened = Unread(lambda: told(history(step, playing), reader))
    return playing.game.sheets(happened, known_to(step, playing, reader), reader)


def chart_now(step: Step, playing: Playing, reader: Reader) -> Drawing | None:
    """The map as it stands now, of what a reader knows; None for a game that has none."""
    of_late = told(_of_late(history(step, playing)), reader)
    return playing.game.chart(known_to(step, playing, reader), reader, of_late)


def _of_late(events: Sequence[Event]) -> Sequence[Event]:
    """The events since the last phase that has ended began."""
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
    """The reader for whom reports to this member are written."""
    return Seat(member.seat) if member.seat and member.status in ("playing", "out") else Role.OBSERVER


# ---------------------------------------------------------------- the reports of ended phases, archived and mailed


def automatic_sentences(
    answers: Iterable[Answered],
    asked: Mapping[str, str],
    reader: Reader,
    hidden: bool = False,
    sheets: Container[str] = (),
) -> tuple[str, ...]:
    """The answers that nobody gave, and the rule by which each was chosen: bots gave theirs. Other seats' decisions inside a turn
    stay theirs.

    Where lateness is `hidden`, so does this of their whole turns. A player who ended one of these `sheets` himself knows it.
    """
    lines = []
    for answer in answers:
        own = answer.key in sheets and answer.source is Source.STANDING and not answer.late_by and not answer.by
        if own or answer.by == BOT or answer.source in (Source.PLAYER, Source.ORDERS):
            continue
        whole = answer.key.rpartition("/")[2].startswith("orders")
        if whole and hidden and answer.by != OWN_BOT and reader != answer.seat:
            continue
        if not whole and (reader != answer.seat or not asked[answer.key]):
            continue
        what = f"{_of_turn(answer.key)}: played" if whole else f'"{asked[answer.key]}" was decided'
        if answer.source is Source.BOT and answer.by == OWN_BOT:
            lines.append(f"{answer.seat}, {what} by its player's own bot while he is away.")
            continue
        late = " after the deadline" if answer.late_by else ""
        ended = f", ended by {answer.by}" if answer.by else ""
        lines.append(f"{answer.seat}, {what} by {answer.source.value}{late}{ended}.")
    return tuple(lines)


def _of_turn(key: str) -> str:
    """The number of an order sheet in its turn: one of several that are asked for after another is numbered from the second on."""
    return "the rest of the turn" if key.rpartition("/")[2].startswith("orders ") else "the whole turn"


def publish(hand: BareHand, before: Playing, ended: Sequence[Ended[Any]], mails: bool) -> None:
    """Archive the reports of phases that have ended since `before`, and mail them to everybody in one letter, with the next
    order sheet."""
    people = everybody(hand.step, hand.match)
    readers: list[Reader] = list(dict.fromkeys((Role.OBSERVER, *(reader_of(member) for member, _ in people))))
    proof = DiceProof()
    if mails:
        proof = proof_of(hand, [record for phase in ended for record in phase.chance])
        proof = with_new_key(hand, hand.match, proof)
    created = hand.playing.created
    table = Table(hand.playing.game, created.seats, created.options)
    hearing = Hearing(table, earlier_in(hand.step, before), readers, hand.match)
    told: dict[Reader, list[tuple[Ended[Any], Written]]] = {reader: [] for reader in readers}
    lasts: dict[Reader, tuple[Sheet, ...]] = {}
    news: dict[Reader, Shown] = {}
    for phase in ended:
        made = pages_and_sheets(hearing, phase)
        encoded = {id(written): _encoded(written) for written in {id(one): one for one in made.values()}.values()}
        for reader, written in made.items():
            laid = ""
            if mails and phase.phase.reports:
                last = mailed(told[reader][-1][1].sheets, reader) if told[reader] else None
                if last is None:
                    last = lasts[reader] = _last_time(hand, phase.phase.turn, reader)
                news[reader] = changed(mailed(written.sheets, reader), last)
                laid = _laid_down(hand, phase, reader, written, news[reader], made[Role.OBSERVER].chart)
            hand.step.keep_report(replace(_kept(hand, phase, reader, encoded[id(written)]), told=laid))
        for reader, written in made.items() if phase.phase.reports else ():
            told[reader].append((phase, written))
    hearing.leave(hand.playing.boundary)
    if mails:
        shown = told[Role.OBSERVER]
        for member, player in people if shown else ():
            reader = reader_of(member)
            if len(shown) > 1:
                news[reader] = changed(mailed(told[reader][-1][1].sheets, reader), lasts[reader])
            _mail_report(hand, told[reader], member, player, shown[-1][1].chart, proof, news[reader])
        if proof.key and shown:
            key_is_told(hand, hand.match)
        send_heads(hand)


def _laid_down(
    hand: BareHand,
    phase: Ended[Any],
    reader: Reader,
    written: Written,
    shown: Shown,
    public: Drawing | None,
) -> str:
    """The digests of what a letter about this turn says to a reader: without record sheets, and with them."""
    sentence = map_in_words(written.chart, public)
    salt = _salt(hand, phase.phase.turn, reader)
    return " ".join(
        digest_of_words(salt, words) for words in words_of(written.page, shown, sentence, hand.office.renderer.drawn)
    )


def _salt(hand: BareHand, turn: int, reader: Reader) -> str:
    return salt_of_report(hand.playing.row.secret, turn, hand.playing.course, _reader_name(reader))


def _reader_name(reader: Reader) -> str:
    return "" if isinstance(reader, Role) else str(reader)


class _Encoded(NamedTuple):
    """A reader's papers, as they are kept."""

    page: bytes
    sheets: bytes
    chart: bytes | None


def _encoded(written: Written) -> _Encoded:
    chart = None if written.chart is None else msgspec.json.encode(written.chart)
    return _Encoded(msgspec.json.encode(written.page), msgspec.json.encode(written.sheets), chart)


def _kept(hand: BareHand, ended: Ended[Any], reader: Reader, encoded: _Encoded) -> Report:
    """The report as it is kept; the map only of the public one, for the archive."""
    return Report(
        match=hand.match,
        turn=ended.phase.turn,
        epoch=hand.playing.course,
        reader=_reader_name(reader),
        title=ended.phase.title,
        at=hand.now,
        seq=hand.playing.head.seq,
        head=hand.playing.head.hash,
        page=encoded.page,
        sheets=encoded.sheets,
        chart=encoded.chart if isinstance(reader, Role) else None,
    )


def _mail_report(
    hand: BareHand,
    told: Sequence[tuple[Ended[Any], Written]],
    member: Member,
    player: Player,
    public: Drawing | None,
    proof: DiceProof,
    news: Shown,
) -> None:
    """Mail the reports of phases that ended at one go: record sheets and map as the last of them left them.

    `news` are the record sheets since the letter before this one. A letter about one turn bears the salt of its words.
    """
    reader, (_, sheets, chart) = reader_of(member), told[-1][1]
    page = in_one(hand.playing.game, [(ended, written.page) for ended, written in told], reader)
    turns = tuple(ended.phase.turn for ended, _ in told)
    framed = frame(hand, member, player)
    form = form_for(hand.step, hand.playing, member.seat) if member.status == "playing" else None
    hidden = keeps_quiet(hand.playing) and player.id not in masters_of(hand.step, hand.match)
    automatic = tuple(
        line
        for ended, _ in told
        for line in automatic_sentences(ended.answers, ended.asked, reader, hidden, ended.sheets)
    )
    wishes, sentence = wishes_of(hand.step, player), map_in_words(chart, public)
    shown = news if wishes.sheets else Shown()
    if len(turns) == 1 and (proof.note or proof.facts):
        proof = replace(proof, facts=(*proof.facts, ("Salt of this report", _salt(hand, turns[0], reader))))
    delivery = late_delivery(hand.step, player) if member.status == "playing" else ""
    letter = TurnReport(
        framed,
        page,
        shown.sheets,
        form,
        automatic,
        map=sentence,
        sheetless=not wishes.sheets,
        unchanged=shown.same,
        part=shown.part,
        delivery=delivery,
        proof=proof,
        turns=turns if len(turns) > 1 else (),
    )
    # Facts that a replay cannot know are kept with the letter, so that it can be written again and compared.
    mark = f"{hand.playing.head.seq}|{turns[-1]}|{_reader_name(reader)}|{hand.office.renderer.version}|".encode()
    subject = reported(framed, page.title, page.summary, hand.playing.created.seats)
    unique = f"{hand.playing.head.seq}.{turns[-1]}"
    stem = f"{hand.match}-turn-{turns[-1]}"

    def source(written: TurnReport) -> bytes:
        return mark + msgspec.json.encode(msgspec.structs.replace(written, page=Page("", "", ()), sheets=()))

    files = in_forms(hand.office.renderer, Found((page,), sheets), wishes.files, stem)
    alike = chart is not None and public is not None and (chart is public or chart.svg == public.svg)
    kept = KeptMap(hand.match, turns[-1], hand.playing.head.seq) if alike else None
    mail = Mail("report", subject, letter, unique, source, chart, public, kept, files)
    post(hand, player, mail, About(hand.playing, member))


def _last_time(hand: BareHand, turn: int, reader: Reader) -> tuple[Sheet, ...]:
    """The record sheets that the letter before this one could bring a reader."""
    before = hand.step.report(hand.match, turn - 1, _reader_name(reader))
    return mailed(sheets_of(before), reader) if before else ()
