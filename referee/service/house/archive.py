"""The archive of a match: every public report and record sheet, the log, what a verifier needs, and the sealed turns beside."""

from __future__ import annotations

import base64
import csv
import gzip
import hashlib
import io
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import msgspec
from cachetools import LRUCache
from msgspec.structs import replace

from referee.core.chance import commitment
from referee.core.chance import link as link_of
from referee.core.hash_tree import Tree
from referee.core.names import Seat
from referee.core.page import Drawing, Page, Sheet
from referee.core.record import Entry
from referee.service.base.note_values import Program, this_program
from referee.service.base.office import At, Encrypt, Office
from referee.service.base.ports import Grown, Listed, MatchRow, Member, Player, Report, Step
from referee.service.house.choices import TableFile
from referee.service.house.house_pages import feed_of
from referee.service.house.match_pages import (
    CARD,
    CURVE,
    FEED,
    Secrets,
    Unchanged,
    chart_file,
    drawing_of,
    file_names,
    fronted,
    paper_page,
    report_page,
)
from referee.service.house.press import archive_papers
from referee.service.house.proofs import NAME as WITNESSED
from referee.service.house.proofs import table_of, witnessed_text
from referee.service.match.audit import public_log
from referee.service.match.members import hides_late, owner_of
from referee.service.match.open_log import LOG, Told, key_text, signed_head
from referee.service.match.playing import BareHand, Playing, load, read_log, remember, when_asked
from referee.service.match.sealing import Seals
from referee.service.post.post import address_for
from referee.service.post.turn_link import Place, is_beside, key_to, number_for, place_of, tag_of, turn_mark, whose
from referee.service.turn.advance import SEALED
from referee.service.turn.knowledge import page_of, sheets_of


class Manifest(msgspec.Struct, frozen=True):
    """match.json: what the folder is of, and by which program. `secret` is hex, and empty until the match is over.

    `dice` is the last secret of the dice that was told; `signed` the head of the log as a note, by `key`, to which keys before
    it led by `key_changes`. `turn` is the mark of the turn that waits, "" where it is not on the web.
    """

    match: str
    game: str
    status: str
    options: dict[str, str]
    commitment: str
    secret: str
    entries: int
    head: str
    by: Program = Program("", 0)
    dice: Told = Told()
    signed: str = ""
    key: str = ""
    key_changes: tuple[str, ...] = ()
    turn: str = ""


class Archived(msgspec.Struct, frozen=True, omit_defaults=True):
    """A public report in reports.jsonl, so that a verifier can compare it with what the rules give."""

    turn: int
    epoch: int
    title: str
    page: Page
    told: dict[str, str] = {}
    """By their readers, "" for who watches, the digests of what letters said of it."""


class Folder(NamedTuple):
    """All files of a match by relative path, and its front, index.html; `more` goes to the end of files that lie there."""

    files: dict[str, bytes]
    front: bytes
    more: dict[str, bytes]
    grown: Grown


_REPORTS = "reports.jsonl"


def archive_of(
    at: At,
    row: MatchRow,
    have: Collection[str] = (),
    grown: Grown | None = None,
    housed: bool = False,
) -> Folder:
    """The folder of a match; older pages that it has already are left out, and files that have `grown` go on from there.

    `housed`: they will lie beside the pages of the house, to which they lead. Until the match is over its log goes as far as
    something that everybody was told, as letters quote it: what lies there since tells who has filed, and when.
    """
    game, over, discreet = at.office.games[row.game], row.status == "over", hides_late(row)
    public = at.step.listed_reports(row.name)
    grown = grown if grown and not over and _goes_on(grown, discreet, public) else None
    playing = load(at, row)
    remember(playing)
    head, tree = (playing.head, playing.tree) if over else (playing.told, playing.told_tree)
    entries = _up_to(head, at.step.entries(row.name, grown.entries - 1 if grown else 0))
    if grown and (not entries or entries[0].hash != grown.head):
        grown, entries = None, _up_to(head, at.step.entries(row.name))
    log = read_log(game, entries[1:] if grown else entries)
    files, last = _report_files(at, row, public, have)
    papers = archive_papers(at.step, row)
    for paper in papers:
        files[paper.name] = paper_page(at.office, row, paper).encode()
    if heads := witnessed_text(at.step, row.name):
        files[WITNESSED] = heads
    renderer = at.office.renderer
    files |= {**renderer.verifier(), **renderer.table(), **renderer.dress()}
    lines = {
        LOG: public_log(game, row.secret, log, over, discreet),
        _REPORTS: b"".join(_archived(at.step, row, one) + b"\n" for one in public[grown.reports if grown else 0 :]),
    }
    manifest = replace(_manifest(at.office, playing, head, tree), turn=turn_mark(at, playing))
    files["match.json"] = msgspec.json.format(msgspec.json.encode(manifest))
    proof = Secrets(manifest.commitment, manifest.secret, manifest.head)
    front = fronted(at, playing, public, last, proof, papers, log.alive() if over else ())
    if front.curve:
        files[CURVE] = front.curve.svg.encode()
    files[CARD] = msgspec.json.encode(front.card)
    feed = feed_of(at.office, front.index)
    if feed:
        files[FEED] = at.office.renderer.render_site("feed", feed).encode()
    about = replace(front.index, housed=housed, feed=FEED if feed else "")
    index = at.office.renderer.render_site("index", about).encode()
    sizes = {name: len(added) + (grown.sizes[name] if grown else 0) for name, added in lines.items()}
    now = Grown(manifest.entries, manifest.head, discreet, len(public), _last(public), sizes)
    return Folder(files, index, lines, now) if grown else Folder(files | lines, index, {}, now)


def _goes_on(grown: Grown, discreet: bool, public: Sequence[Listed]) -> bool:
    """Whether what the files have is what they would have, as far as it goes: where a course was taken up again it is not."""
    return grown.discreet == discreet and _last(public[: grown.reports]) == grown.last


def _last(reports: Sequence[Listed]) -> tuple[int, int, int]:
    return (reports[-1].seq, reports[-1].turn, reports[-1].epoch) if reports else (0, 0, 0)


def _report_files(
    at: At, row: MatchRow, public: list[Listed], have: Collection[str]
) -> tuple[dict[str, bytes], Drawing | None]:
    """The pages of reports, and the map of the last; one report is read after the other, as a match may have very many."""
    names = file_names(public)
    files: dict[str, bytes] = {}
    drawing = None
    for index, listed in enumerate(public):
        if names[index] in have and index < len(names) - 2:
            continue  # only the last two pages can have changed: a new one, and the link to it
        ways = names[index - 1] if index else "", names[index + 1] if index + 1 < len(names) else ""
        report = _public(at.step, row, listed)
        drawing, chart = drawing_of(report), chart_file(names[index], listed)
        unchanged = _unchanged(at.step, row, public, names, index)
        files[names[index]] = report_page(at.office, row, report, ways, chart, drawing, unchanged).encode()
        if drawing:
            files[chart] = drawing.svg.encode()
        for sheet in sheets_of(report):
            files |= csv_files(names[index].removesuffix(".html"), sheet)
    return files, drawing


_IN_FULL = 12
"""Every page of so many shows all sheets, so that nobody goes back further for one."""


def _unchanged(
    step: Step, row: MatchRow, public: Sequence[Listed], names: Sequence[str], index: int
) -> tuple[Unchanged, ...]:
    """The sheets of seats that are as an earlier page shows them, by that page: most of them, in a game of slots."""
    since: dict[tuple[Seat, str], int] = {}
    now = _sheets_in(step, row, public[index])
    left = set(now)
    for before in range(index - 1, index - index % _IN_FULL - 1, -1):
        then = _sheets_in(step, row, public[before])
        left = {which for which in left if then.get(which) == now[which]}
        if not left:
            break
        since |= dict.fromkeys(left, before)
    by_page: dict[tuple[Seat, int], list[str]] = {}
    for (seat, title), page in ((which, since[which]) for which in now if which in since):
        by_page.setdefault((seat, page), []).append(title)
    return tuple(
        Unchanged(seat, names[page], public[page].title, tuple(titles)) for (seat, page), titles in by_page.items()
    )


_DIGESTS: LRUCache[tuple[str, int, str], dict[tuple[Seat, str], bytes]] = LRUCache(256)
"""Of the sheets of each seat, by match, entry and head of their report."""


def _sheets_in(step: Step, row: MatchRow, listed: Listed) -> dict[tuple[Seat, str], bytes]:
    key = (row.name, listed.seq, listed.head)
    if key not in _DIGESTS:
        sheets = sheets_of(_public(step, row, listed))
        digests = {(s.of, s.title): hashlib.sha256(msgspec.json.encode(s)).digest() for s in sheets if s.of is not None}
        _DIGESTS[key] = digests
    return _DIGESTS[key]


def _public(step: Step, row: MatchRow, listed: Listed) -> Report:
    report = step.report(row.name, listed.turn, "", listed.epoch)
    assert report is not None  # a report is kept for ever
    return report


def _archived(step: Step, row: MatchRow, listed: Listed) -> bytes:
    page = page_of(_public(step, row, listed))
    told = step.laid_down(row.name, listed.turn, listed.epoch)
    return msgspec.json.encode(Archived(listed.turn, listed.epoch, listed.title, page, told))


def _up_to(head: Entry, entries: Sequence[Entry]) -> Sequence[Entry]:
    return [entry for entry in entries if entry.seq <= head.seq]


def _manifest(office: Office, playing: Playing, head: Entry, tree: Tree) -> Manifest:
    row = playing.row
    secret = row.secret.hex() if row.status == "over" else ""
    told = commitment(row.secret), secret, head.seq + 1, head.hash
    signed = signed_head(office, row.name, tree)
    keys = key_text(office), office.key_changes
    return Manifest(row.name, row.game, row.status, row.options, *told, this_program(), _opened(playing), signed, *keys)


def _opened(playing: Playing) -> Told:
    """The last secret of the dice; one whose round is waited for is not told yet, but the one before it."""
    row, seals = playing.row, playing.seals
    link = seals.link - (row.status == SEALED and seals.link > 0)
    return told_of(seals, row.secret, link)


def told_of(seals: Seals, secret: bytes, link: int) -> Told:
    """A secret of the chain in use; none before the first."""
    return Told(seals.chain, link, link_of(secret, seals.chain, link).hex()) if link else Told()


def csv_files(stem: str, sheet: Sheet) -> dict[str, bytes]:
    """The tables of a record sheet as files below those of its report, by their paths."""
    owner = f"-{sheet.of}" if sheet.of and sheet.of != sheet.name else ""
    files = {}
    for number, grid in enumerate(sheet.grids):
        rows = [grid.columns, *grid.rows, *([grid.total] if grid.total else [])]
        suffix = f"-{number + 1}" if len(sheet.grids) > 1 else ""
        text = io.StringIO()
        csv.writer(text).writerows(rows)
        files[f"sheets/{stem}-{sheet.name}{owner}{suffix}.csv"] = text.getvalue().encode()
    return files


# ---------------------------------------------------------------- the turns of all seats, sealed
# All slots are as large as the smallest class that holds the largest of them, and lie in an order that nobody can reckon who has
# not the secret. All of them are there, of those too who owe nothing; the file is written once, when something is asked, and not
# touched when somebody files, for it holds nothing that came in since. So its size, its time, and that it is fetched tell nothing.


FOLDER = "turns"
"""Where it lies in the folder of the match."""

_CLASSES = [kilobytes * 1024 for kilobytes in (16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096)]
_LENGTH = 4
"""Bytes before what is in a slot, that tell how long it is."""

_PRESS = 8 * 1024
"""Bytes that are kept for press in every slot, however much there is: a size tells nobody how much was written."""


class Beside(NamedTuple):
    """The file to be written, if any, by its path in the folder of the match; and those that are of no use any more."""

    files: dict[str, bytes]
    over: frozenset[str]


def _packed(table: TableFile) -> bytes:
    return gzip.compress(msgspec.json.encode(table), 9, mtime=0)


class _Seat(NamedTuple):
    """The owner of a slot, by his seat and reply address, and his person; None where nobody plays it."""

    whose: str
    owner: tuple[Member, Player] | None


def turns_beside(at: At, row: MatchRow, there: Mapping[str, bytes]) -> Beside:
    """The files that are to lie beside the archive of a match now; `there` are those that lie there already, by their
    beginnings."""
    playing, encrypt = load(at, row), at.office.encrypt
    place = place_of(at, playing) if encrypt and at.office.site else None
    if place is None or encrypt is None:
        return Beside({}, frozenset(there))
    path = f"{FOLDER}/{place.mark}.js"
    over = frozenset(there) - {path}
    seats = _seats(at, playing, place)
    head = _head(at, playing, place, seats)
    if not is_beside(playing) or there.get(path, b"").startswith(head):
        return Beside({}, over)
    slots = _slots(BareHand(at.office, at.step, when_asked(playing)), place, seats, encrypt)
    return Beside({path: head + slots + b'");\n'}, over)


def _head(at: At, playing: Playing, place: Place, seats: Sequence[_Seat]) -> bytes:
    """How the file begins: of which turn it is, and of which making: another where a seat changes hands, or the program."""
    made = place.mark, playing.game.version, playing.game.build, *(seat.whose for seat in seats)
    return f'sealedTurn("{playing.row.name}.{place.mark}", "{tag_of(at, playing, made)}", {len(seats)}, "'.encode()


def _seats(at: At, playing: Playing, place: Place) -> list[_Seat]:
    owners = [(seat, owner_of(at.step, playing.row.name, seat)) for seat in place.seats]
    return [_Seat(whose(seat, address_for(at, playing, *owner) if owner else ""), owner) for seat, owner in owners]


def _slots(hand: BareHand, place: Place, seats: Sequence[_Seat], encrypt: Encrypt) -> bytes:
    """All slots, one after the other, in Base64: a number, then the seat's turn under its key."""
    tables = [table_of(hand, *seat.owner) if seat.owner else None for seat in seats]
    bare = [_packed(replace(table, press=None)) if table else b"" for table in tables]
    most = _LENGTH + _PRESS + max(map(len, bare))
    room = next((size for size in _CLASSES if size >= most), most)
    whole = [_packed(table) if table and table.press else without for table, without in zip(tables, bare, strict=True)]
    packed = [full if _LENGTH + len(full) <= room else without for full, without in zip(whole, bare, strict=True)]
    digest = hashlib.sha256(b"".join(packed)).digest()
    slots = []
    for slot, seat in enumerate(seats):
        key = key_to(hand, hand.playing, place, seat.whose)
        number = number_for(hand, hand.playing, place, seat.whose, digest)
        text = (len(packed[slot]).to_bytes(_LENGTH, "big") + packed[slot]).ljust(room, b"\0")
        slots.append(number + encrypt(key, number, text, f"{hand.match}/{place.mark}/{slot}".encode()))
    return base64.b64encode(b"".join(slots))
