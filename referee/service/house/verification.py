"""The verification of an archive: log, dice, reports, pages, signatures and saved letters against each other and the rules."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise, zip_longest
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.hash_tree import is_head
from referee.core.names import Reader, Role, Seat
from referee.core.page import Grid
from referee.core.record import Created, Entry, Opened, Record, Sealed, Tampered, check_chain
from referee.core.signed_note import Key, Verify, is_signed, lineage, read_key, read_note
from referee.service.base.note_values import Program, refuse_newer, this_program
from referee.service.house.archive import Archived, Manifest, csv_files, told_of
from referee.service.house.proofs import ask_witness, check_witnessed, not_compared
from referee.service.house.saved_letters import Archive as SavedFor
from referee.service.house.saved_letters import Letter, against
from referee.service.house.saved_reports import (
    Laid,
    Log,
    Read,
    laid_down_otherwise,
    open_histories,
    read_letters,
    tell,
    told_otherwise,
)
from referee.service.match.audit import Audited, Course, Verdict, audit
from referee.service.match.open_log import LISTED, LOG, Shown, check_open, read_listed
from referee.service.match.playing import codec_of, leaf
from referee.service.match.sealing import Seals
from referee.service.turn.advance import SEALED
from referee.service.turn.reports import Written


class Checks(msgspec.Struct, frozen=True):
    """A verifier's aids beside the folder: checks of signatures, rounds of the beacon, and letters that were saved.

    `made` tells when a round is made. Raises ValueError for one that never is. `witnessed` is what the folder has of witnesses,
    `asked` what they themselves tell.

    From `now` on it is reckoned how long nothing has come of a match that is not over. `draw` writes a table as letters have it.
    `files` are the digests of all files of the folder, by their paths, and `listed` the list that was signed; None: nobody looks.
    `page` gives a page of it. `sent` holds letters that the reader sent, beside the referee's, against the log.
    """

    signature: Verify | None = None
    round: Callable[[int, bytes], bool] | None = None
    made: Callable[[int], datetime] | None = None
    letters: tuple[Letter, ...] = ()
    witnessed: str = ""
    asked: tuple[str, ...] = ()
    now: datetime | None = None
    draw: Callable[[Grid], str] | None = None
    listed: bytes = b""
    files: Mapping[str, str] | None = None
    page: Callable[[str], str] | None = None
    sent: Callable[[Sequence[Letter], Sequence[Letter], Log], Read] | None = None

    @property
    def pages(self) -> dict[str, tuple[int, int]]:
        """The pages of reports that the house lists, each with its turn and course; none where nobody looks."""
        named = read_listed(self.listed)[1] if self.listed else self.files or {}
        found = ((path, _PAGE.fullmatch(path)) for path in named if path in (self.files or {}))
        return {path: (int(of[1]), int(of[2] or 0)) for path, of in found if of}


_PAGE = re.compile(r"turn-([0-9]{3,9})(?:-rewind-([0-9]{1,9}))?-[0-9]+\.html")


def verify_archive(
    games: dict[str, Any], manifest: bytes, log: bytes, reports: bytes, *, checks: Checks = Checks()
) -> Audited:
    """Check an archive folder's files: the chain, every die, every event, every public report, signatures, saved letters.

    Raises TooNew for what a newer program wrote in a form that this one does not know.
    """
    try:
        return _verified(games, manifest, log, reports, checks)
    except (ValueError, RecursionError) as problem:  # no JSON, another shape, no hex digits, a round that is never made
        return _trouble(f"the archive cannot be read: {problem}")


def _verified(games: dict[str, Any], manifest: bytes, log: bytes, reports: bytes, checks: Checks) -> Audited:
    found = _folder(games, manifest, log, reports, checks)
    if not found.sound:
        return found
    about = msgspec.json.decode(manifest, type=Manifest)
    lines = [msgspec.json.decode(line, type=Shown) for line in log.splitlines()]
    codec = codec_of(games[about.game])
    known = [(line.entry(), codec.load(line.payload)) for line in lines if line.payload is not None]
    if not known:
        return _trouble("log.jsonl shows no entry")
    records, entries = tuple(record for _, record in known), tuple(line.entry() for line in lines)
    wrong = [*_misfits(about, known), *_signed(about, entries, checks.signature), *_rounds(known, checks)]
    wrong += _told_otherwise(reports, checks)
    said = [*_without_rounds(records), *_clock(entries)]
    unchecked = [*found.unchecked, *_untried(about, entries, records, checks)]
    if checks.files is not None and about.key:
        files = _files(about, len(entries), checks, checks.files)
        if files.why is not Verdict.UNSOUND:
            return files
        wrong += [files.trouble] if files.trouble else []
        unchecked += files.unchecked
        said += [files.note] if files.note else []
    nothing: tuple[tuple[Verdict, str], ...] = ()
    keys = _keys(about, checks.signature)
    if checks.witnessed and checks.signature:
        heads = check_witnessed(checks.witnessed, about.match, keys, [e.hash for e in entries], checks.signature)
        wrong += filter(None, (heads.trouble,))
        said += heads.said
    for text in checks.asked:
        origin, hashes = f"{_house(about)}/{about.match}", [entry.hash for entry in entries]
        for one in ask_witness(text, origin, keys, hashes, checks.signature) if checks.signature else ():
            wrong += filter(None, (one.wrong,))
            said += filter(None, (one.said,))
            unchecked += filter(None, (one.nothing,))
            nothing += ((Verdict.OLDER, one.older),) if one.older else ()
    if checks.letters and checks.signature:
        house = _house(about)
        held = SavedFor(about.match, entries, records, about.commitment, keys, bool(about.secret), checks.made, house)
        compared = against(checks.letters, held, checks.signature)
        wrong += compared.wrong
        nothing += compared.nothing
        story = replace(_log(games[about.game], about, found, known, lines, reports), draw=checks.draw)
        read = read_letters(
            ((letter.subject, letter.text, letter.ours, size, letter.plain) for letter, size in compared.mine), story
        )
        own = _sent(compared.sent, [letter for letter, _ in compared.mine], story, checks)
        wrong += (*own.wrong, *read.wrong)
        said += (*compared.said, *read.said, *own.said)
        unchecked += (*compared.unchecked, *read.unchecked, *own.unchecked)
    found = replace(found, note="; ".join(filter(None, (found.note, *said))), unchecked=tuple(unchecked))
    if wrong:
        return replace(found, trouble=wrong[0])
    return replace(found, why=nothing[0][0], trouble=nothing[0][1]) if nothing else found


def _sent(sent: Sequence[Letter], others: Sequence[Letter], story: Log, checks: Checks) -> Read:
    """The letters that the reader sent beside what is on file of them, which nobody is shown before the end."""
    if not sent or (story.over and checks.sent is None):
        return Read(unchecked=(f"{len(sent)} letters that you sent",) if sent else ())
    if story.over and checks.sent:
        return checks.sent(sent, others, story)
    return Read(said=(f"{len(sent)} letters that you sent can be compared when the match is over",))


def _chosen(before: Entry, seal: Entry) -> bool:
    """Whether the moment of a seal is not that of what it seals, in whole seconds."""
    return seal.at != before.at or bool(datetime.fromisoformat(seal.at).microsecond)


def _log(
    game: Any,
    about: Manifest,
    found: Audited,
    known: Sequence[tuple[Entry, Record]],
    lines: Sequence[Shown],
    reports: bytes,
) -> Log:
    """The log by which letters are read; of a match still played it holds what everybody may read."""
    records = tuple((entry.seq, record) for entry, record in known)
    withheld = [line.seq for line in lines if line.payload is None and line.kind in ("event", None)]
    created, over = records[0][1], bool(about.secret)
    assert isinstance(created, Created)
    untold = dict[str, None]()
    histories = (found.courses, *found.asides) if over else open_histories(game, records, withheld, untold)
    by, secret = about.by.version, bytes.fromhex(about.secret)
    kept = (msgspec.json.decode(line, type=Archived) for line in reports.splitlines())
    laid = tuple(one for report in kept for one in _laid(report))
    return Log(game, about.match, created, records, histories, bool(withheld), over, by, None, untold, laid, secret)


def _files(about: Manifest, entries: int, checks: Checks, files: Mapping[str, str]) -> Audited:
    """The verdict on the folder's files, held against the list that the house signed."""
    pages = sum(path.endswith((".html", ".csv", ".svg")) for path in files)
    if not checks.listed:
        why = f"{pages} pages, tables and pictures: there is no {LISTED}, as versions before 0.3.0 wrote none"
        return replace(_trouble(""), unchecked=(why,) if pages else ())
    note, named, digest = read_listed(checks.listed)
    lines = note.text.split("\n") if note else []
    where, _, size = lines[1].rpartition(" ") if len(lines) == 4 else ("", "", "")
    if note is None or lines[0] != "files/v1" or where != f"{_house(about)}/{about.match}" or lines[2] != digest:
        return _trouble(f"{LISTED} cannot be read, or is of other files than it lists")
    if checks.signature and not any(is_signed(note, key, checks.signature) for key in _keys(about, checks.signature)):
        return _trouble(f"{LISTED} does not bear the signature of the key in match.json")
    if size != str(entries):
        other = f"the files are not of one moment: {LISTED} is of {size} entries. Fetch the whole folder anew"
        return replace(_trouble(other), why=Verdict.OLDER)
    if changed := sorted(path for path, known in named.items() if files.get(path, known) != known):
        more_of = f", nor are {len(changed) - 1} more" * (len(changed) > 1)
        return _trouble(f"{changed[0]} is not the file that the house signed{more_of}")
    gone, more = len(named.keys() - files.keys()), sorted(files.keys() - named.keys() - {LISTED, LOG})
    unchecked = (f"{gone} files that {LISTED} names: they are not in this folder",) if gone else ()
    note_of = f"{len(more)} files of the folder are none of the house's, {more[0]} among them" if more else ""
    return replace(_trouble(""), unchecked=unchecked, note=note_of)


_STILL = timedelta(days=30)
"""After so long without a new entry it is said that a match may never end."""


def _untried(about: Manifest, entries: Sequence[Entry], records: Sequence[Record], checks: Checks) -> Iterator[str]:
    """Checks that nobody made here, or nobody can make yet, with the reasons."""
    rounds = sum(isinstance(record, Opened) and bool(record.signature) for record in records)
    if rounds and checks.round is None:
        yield f"the signatures of {rounds} rounds of the beacon, as the extra for it is not installed"
    ground = sum(_chosen(before, entry) for before, entry in pairwise(entries) if entry.kind == "sealed")
    if ground:
        yield (
            f"whether {ground} seals were made at a moment that suited somebody: they name a part of a second, or another moment "
            "than the entry before, as versions before 0.3.0 wrote it, and with it dice can be chosen where no beacon is used"
        )
    still = checks.now - datetime.fromisoformat(entries[-1].at) if checks.now else timedelta()
    if about.status != "over" and still >= _STILL:
        yield (
            f"what is told at the end alone: the match is not over, and nothing has come of it for {still.days} days. A host "
            "who never ends a match never tells its secret"
        )


def _house(about: Manifest) -> str:
    """The address of the referee that signed the folder; "" where nobody did."""
    note = read_note(about.signed)
    head = note.checkpoint() if note else None
    return head.origin.rpartition("/")[0] if head else ""


def _torn(about: Manifest, log: bytes) -> str:
    """Why match.json and log.jsonl are not of one moment, though each may be what it was then; "" where they are."""
    shown = [msgspec.json.decode(line, type=Shown) for line in log.splitlines()]
    if shown and about.secret and any(line.payload is None for line in shown):
        return "match.json is of the finished match, and log.jsonl is from before its end"
    if not shown or len(shown) == about.entries:
        return ""
    try:
        check_chain(
            [line.entry() for line in shown],
            withheld={n for n, line in enumerate(shown) if None in (line.kind, line.cause)},
        )
    except Tampered:
        return ""
    return f"match.json is of {about.entries} entries, and log.jsonl has {len(shown)}"


_BEGUN = ("running", "paused", SEALED, "shunted", "over")
"""The states of a match that has begun."""


def _misfits(about: Manifest, known: Sequence[tuple[Entry, Record]]) -> Iterator[str]:
    """Contradictions between match.json and the log, in sentences (docs/verify.md, 10)."""
    (first, created), over = known[0], about.status == "over"
    if first.match != about.match:
        yield "match.json is of another match than log.jsonl"
    if not isinstance(created, Created) or created.commitment != about.commitment:
        yield "the commitment in match.json is not the one that log.jsonl begins with"
    if about.status not in _BEGUN:
        yield f"match.json has the status {about.status!r}, which no match has"
    if over != bool(about.secret):
        yield "match.json tells the secret of a match that is not over, or none of one that is"
    seals = Seals().followed(known)
    if over and about.dice != told_of(seals, bytes.fromhex(about.secret), seals.link):
        yield "the last secret of the dice in match.json is not that of the last seal in log.jsonl"


def _keys(about: Manifest, verify: Verify | None) -> tuple[Key, ...]:
    """The key that signs, behind those that led to it; none where they do not, or nothing is signed."""
    return lineage(read_key(about.key), about.key_changes, verify or (lambda *_: True)) or ()


def _signed(about: Manifest, entries: Sequence[Entry], verify: Verify | None) -> Iterator[str]:
    """Whether the head that match.json has signed is that of the log."""
    if not about.signed and not about.key:
        return
    note, key = read_note(about.signed), read_key(about.key)
    head = note.checkpoint() if note else None
    if note is None or key is None or head is None:
        yield "the signed head in match.json cannot be read"
    elif not _keys(about, verify):
        yield "the keys in match.json do not lead from one to the next, each signed by the one before"
    elif head.origin.rpartition("/")[2] != about.match:
        yield "the signed head in match.json is that of another match"
    elif head.size != len(entries) or not is_head([*map(leaf, entries)], head.size, head.root):
        yield "the signed head in match.json is not that of log.jsonl"
    elif verify is not None and not is_signed(note, key, verify):
        yield "the head in match.json does not bear the signature of its key"


def _rounds(known: Iterable[tuple[Entry, Record]], checks: Checks) -> Iterator[str]:
    """Whether each round that has a share in dice is the beacon's, and was made after its seal and before it was opened."""
    waits: dict[int, int] = {}
    for entry, record in known:
        if isinstance(record, Sealed) and record.round and not record.again:
            waits[record.number] = record.round
            if checks.made is not None and not datetime.fromisoformat(entry.at) < checks.made(record.round):
                yield f"entry {entry.seq}: its dice were sealed when round {record.round} was made already"
        if isinstance(record, Opened) and record.signature and record.number in waits:
            round = waits[record.number]
            if checks.made is not None and datetime.fromisoformat(entry.at) < checks.made(round):
                yield f"entry {entry.seq}: round {round} was opened before it was made"
            if checks.round is not None and not checks.round(round, bytes.fromhex(record.signature)):
                yield f"the signature of round {round} is not the beacon's"


def _without_rounds(records: Sequence[Record]) -> Iterator[str]:
    """Of how many dice a round was to have a share and has none: nobody but whoever asks the beacon knows whether it must be so."""
    created = records[0]
    if not isinstance(created, Created) or not created.beacon:
        return
    seals = [record for record in records if isinstance(record, Sealed) and not record.again]
    without = sum(not record.round for record in seals)
    if without:
        yield f"{without} of {len(seals)} seals took no round of {created.beacon}"
    waits = {seal.number: seal.round for seal in seals}
    for record in records:
        if isinstance(record, Opened) and record.why:
            round = waits.get(record.number, 0)
            yield f"round {round} has no share in its dice, since {record.why}: ask a relay whether there was round {round}"


def _clock(entries: Sequence[Entry]) -> Iterator[str]:
    """Where the log's time runs backwards: a clock that was set right does it, and whoever dates back."""
    back = [later.seq for earlier, later in pairwise(entries) if later.at < earlier.at]
    if back:
        yield f"the time of the log runs backwards at entry {back[0]}{f' and {len(back) - 1} more' * (len(back) > 1)}"


class _Written(msgspec.Struct):
    """The part of match.json that is known before all of it can be read."""

    by: Program = Program("", 0)


def _folder(games: dict[str, Any], manifest: bytes, log: bytes, reports: bytes, checks: Checks) -> Audited:
    refuse_newer("The archive", msgspec.json.decode(manifest, type=_Written).by, this_program())
    for text in (manifest, *log.splitlines(), *reports.splitlines()):
        line = _read(text.decode())
        payload, at = (line.get("payload"), line.get("at", "")) if isinstance(line, dict) else (None, "")
        _read(payload if isinstance(payload, str) else "{}")
        if at and not (_MOMENT.fullmatch(at) and datetime.fromisoformat(at)):
            raise ValueError(f"{at!r} is no moment")
    about = msgspec.json.decode(manifest, type=Manifest)
    game, secret = games.get(about.game), bytes.fromhex(about.secret)
    if game is None:
        return _trouble(f"match.json is of {about.game!r}, a game that is not known here")
    if torn := _torn(about, log):
        sentence = f"the files are not of one moment: {torn}. Fetch the whole folder anew"
        return replace(_trouble(sentence), why=Verdict.OLDER)
    if not secret:
        return _open(game, about, log)
    try:
        entries = [msgspec.json.decode(line, type=Entry) for line in log.splitlines()]
        kept = [msgspec.json.decode(line, type=Archived) for line in reports.splitlines()]
    except msgspec.DecodeError as problem:
        return _trouble(f"a line of the log or of the reports cannot be read: {problem}")
    if not entries:
        return _trouble("log.jsonl is empty")
    found = audit(game, secret, entries)
    if not found.sound:
        return found
    if (len(entries), found.head) != (about.entries, about.head):
        return replace(found, trouble="match.json names another head of the log than log.jsonl has")
    marks = [entry.kind for entry in entries if entry.kind in ("rewound", "renewed", "forwarded")]
    if wrong := _other_reports(found, kept, marks):
        return replace(found, trouble=wrong)
    return _compare_reports(game, about, found, kept, msgspec.json.decode(entries[0].payload, type=Created), checks)


_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00", re.ASCII)


def _read(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_once, parse_float=_whole)


def _whole(number: str) -> int:
    """A number with a fraction or an exponent: one reader takes 3.0 for 3, and another does not."""
    raise ValueError(f"{number} is no whole number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. Where a key stands twice one reader takes the first value, and the next one the other."""
    found = dict(pairs)
    for name in found if len(found) < len(pairs) else ():
        if sum(name == other for other, _ in pairs) > 1:
            raise ValueError(f"{name!r} stands twice in one object")
    return found


def _open(game: Any, about: Manifest, log: bytes) -> Audited:
    """The checks that can be made of a match that is not over."""
    try:
        shown = [msgspec.json.decode(line, type=Shown) for line in log.splitlines()]
        found = check_open(game, shown, about.dice)
    except Tampered as problem:
        return replace(_trouble(str(problem)), at=problem.seq)
    except (msgspec.DecodeError, ValueError) as problem:
        return _trouble(f"a line of the log cannot be read: {problem}")
    if (len(shown), found.head) != (about.entries, about.head):
        return _trouble("match.json names another head of the log than log.jsonl has")
    return found


def _trouble(sentence: str) -> Audited:
    return Audited(trouble=sentence)


def _other_reports(found: Audited, kept: Sequence[Archived], marks: Sequence[str]) -> str:
    """The first report of reports.jsonl that is of no phase, or missing, by its turn, title and course; "" where all are there.

    Course n begins with the n-th rewind or roll-forward: what counted before it was reported by then. Of a phase that these
    rules cannot take in the turn is not known: the title alone is compared.
    """
    there = {(report.turn, report.epoch): report.title for report in kept}
    if len(there) < len(kept):
        return "reports.jsonl has two reports of one turn and course"
    told = {
        course.turn: course.began.title
        for course in found.courses
        if course.ended is None or course.ended.phase.reports
    }
    every = [course for aside in (found.courses, *found.asides) for course in aside]
    ever = {(course.turn if course.turn or course.ended else -1, course.began.title) for course in every}
    for (turn, epoch), title in there.items():
        if not ever & {(turn, title), (-1, title)} or epoch > found.rewinds + found.forwards:
            return f"reports.jsonl has a report of turn {turn}, “{title}”, course {epoch}, and the log has no such"
    latest = {report.turn: report.title for report in sorted(kept, key=lambda report: report.epoch)}
    for turn, title in told.items():
        if turn and latest.get(turn) != title:
            return f"reports.jsonl has no report of turn {turn}, “{title}”"
    for number, aside in enumerate(found.asides):
        course_of = sum(mark != "renewed" for mark in marks[:number])
        for course in aside:
            told_of = (
                turn for (turn, epoch), title in there.items() if epoch <= course_of and title == course.began.title
            )
            if course.ended and course.ended.phase.reports and course.turn and course.turn not in told_of:
                return f"reports.jsonl has no report of turn {course.turn}, “{course.began.title}”, that was set aside"
    return ""


def _told_otherwise(reports: bytes, checks: Checks) -> Iterator[str]:
    """The pages that do not tell what reports.jsonl has, in sentences: a turn may have more pages than one."""
    if checks.page is None or checks.draw is None:
        return
    kept = {(r.turn, r.epoch): r for r in (msgspec.json.decode(line, type=Archived) for line in reports.splitlines())}
    for name, of in checks.pages.items():
        if of not in kept:
            yield f"{name} is the page of a report that reports.jsonl has not"
        elif lost := told_otherwise(kept[of].page, checks.page(name), checks.draw):
            yield f"{name} does not tell what reports.jsonl has: “{lost}”"


def _drawn_otherwise(report: Archived, written: Written, checks: Checks) -> str:
    """The first table or picture of a report that is not the one that these rules give; "" for none."""
    there, files = checks.files or {}, dict[str, bytes]()
    for stem in (name.removesuffix(".html") for name, of in checks.pages.items() if of == (report.turn, report.epoch)):
        files |= {path: data for sheet in written.sheets for path, data in csv_files(stem, sheet).items()}
        files |= {f"{stem}.svg": written.chart.svg.encode()} if written.chart else {}
    return next((p for p, data in files.items() if there.get(p, "") not in ("", hashlib.sha256(data).hexdigest())), "")


def _laid(report: Archived) -> Iterator[Laid]:
    """The digests that were laid down of a report, by its readers."""
    for reader, digests in report.told.items():
        yield Laid(report.turn, report.epoch, report.title, reader, tuple(digests.split()))


def _compare_reports(
    game: Any, about: Manifest, found: Audited, kept: list[Archived], created: Created, checks: Checks
) -> Audited:
    """Public reports, word for word, with tables and pictures; and the digests of the words that all readers were told."""
    draw = checks.draw
    latest = {report.turn: report for report in sorted(kept, key=lambda report: report.epoch)}
    names = dict.fromkeys(name for report in latest.values() for name in report.told if name)
    readers: tuple[Reader, ...] = (Role.OBSERVER, *map(Seat, names))
    straight = not (found.rewinds or found.forwards or found.renewals)
    before: Mapping[Reader, Written] = {}
    secret, older = bytes.fromhex(about.secret), list[Course]()
    told = tell(game, replace(created, options=about.options), readers, found.courses, {})
    for course, papers in zip_longest(found.courses, told, fillvalue=None):
        assert course is not None  # of no more phases anything is told
        report, again = latest.get(course.turn), papers.get(Role.OBSERVER) if papers else None
        differs = again is None or (report is not None and report.page != again.page)
        ours = course.same and course.began.version == game.version
        if differs and ours:
            return replace(found, trouble=f"the report of turn {course.turn} is not what the rules give")
        if ours and report and again and (other := _drawn_otherwise(report, again, checks)):
            return replace(found, trouble=f"{other} is not what the log gives")
        for laid in _laid(report) if report and ours else ():
            if papers and draw and laid_down_otherwise(papers, before if straight else None, laid, secret, draw):
                whom = laid.reader or "those who watch"
                other = f"what was laid down of the report of turn {laid.turn} to {whom} is not what the rules give"
                return replace(found, trouble=other)
        older += [course] if differs else []
        before = papers or {}
    return replace(found, unchecked=not_compared(older))
