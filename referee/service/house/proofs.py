"""Proofs of a match: its archive verified, compared, witnessed, and the file that plays it in a browser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from referee.core.chance import commitment
from referee.core.event import Event
from referee.core.game import Game, colours_of
from referee.core.hash_tree import is_head
from referee.core.names import Reader, Role, Seat
from referee.core.page import Bullets, Heading, Page, Paragraph, Sheet
from referee.core.record import Created, Entry, Filed, Tampered, check_chain
from referee.core.signed_note import (
    COSIGNATURE,
    Key,
    Note,
    Verify,
    cosigned_at,
    is_signed,
    lineage,
    read_keys,
    read_notes,
)
from referee.core.stage import Ended
from referee.mail import Attachment, answerable, bodies, pictures_in
from referee.service.base import notes
from referee.service.base.letter_facts import TurnReport
from referee.service.base.note_values import Verified
from referee.service.base.office import At, Office
from referee.service.base.ports import LetterOut, MatchRow, Member, Player, Report, Step
from referee.service.base.times import iso, stamp
from referee.service.house.choices import (
    PRESSED,
    PRESSED_VERSION,
    TABLE_VERSION,
    Chair,
    Known,
    Map,
    TableFile,
    choices_now,
    index_of,
    pressed,
    wanted_verbs,
)
from referee.service.house.press import press_for
from referee.service.match.audit import Audited, Course, audit, how_checked, span
from referee.service.match.bots import bots_by_seat
from referee.service.match.history import known_before, known_to
from referee.service.match.open_log import named, our_key
from referee.service.match.playing import BareHand, Playing, codec_of, mark, told_head
from referee.service.match.sheets import drawers_of, sheet_owed
from referee.service.post.frames import due_of, frame
from referee.service.post.post import address_for
from referee.service.post.subjects import owed, whole
from referee.service.post.tray import unwritten_report
from referee.service.post.turn_link import TABLE, turn_mark
from referee.service.turn.knowledge import page_of, plain, report_for
from referee.service.turn.reports import Written, changed, chart_now, in_one, mailed, page_and_sheets

# ---------------------------------------------------------------- witnessed.txt of an archive
# The last head that each witness signed, with its key; and what a verifier makes of it.
#
# A key in this file is the host's word for it: a reader who wants more asks the witness for its key, or compares it with the
# answers that it gives to other hosts.


NAME = "witnessed.txt"
"""How the file is called."""


class Checked(msgspec.Struct, frozen=True):
    """The statements that the witnesses of a match signed, a sentence each, and the fault; "" for nothing."""

    said: tuple[str, ...] = ()
    trouble: str = ""


def witnessed_text(step: Step, match: str) -> bytes:
    """The file: for each witness that ever signed its key and its last head as a note; b"" where none did."""
    parts = [f"Key of the witness: {each.key}\n\n{each.note}" for each in named(step, match) if each.note]
    return "\n".join(parts).encode()


def check_witnessed(text: str, match: str, keys: Sequence[Key], hashes: Sequence[str], verify: Verify) -> Checked:
    """Whether each head in the file is one of a log with these entries, signed by one of its host's `keys` and by a witness."""
    witnesses = [each for each in read_keys(text) if each.kind == COSIGNATURE]
    heads = read_notes(text)
    if text.strip() and not (keys and heads):
        return Checked(trouble=f"{NAME} cannot be read")
    leaves, said = [bytes.fromhex(each) for each in hashes], list[str]()
    for head in heads:
        wrong = _wrong(head, match, keys, leaves, verify)
        told = [_signed(head, witness) for witness in witnesses if is_signed(head, witness, verify)]
        if wrong or not told:
            return Checked(trouble=wrong or f"a head in {NAME} bears no signature of a witness whose key stands there")
        said += told
    return Checked(tuple(said))


SIGNED = "heads.txt"
"""The file of a house with the last head of every log that it witnesses, for whoever asks."""


class Asked(NamedTuple):
    """The findings of asking a witness: the fault, why the folder is older, a sentence, or that it has nothing; "" for each."""

    wrong: str = ""
    older: str = ""
    said: str = ""
    nothing: str = ""


def signed_heads(at: At) -> bytes:
    """The file; b"" where no log is witnessed here. A second head of one size, which proves that there are two logs, is in it."""
    office = at.office
    if not (office.signer and office.witnessing.serve):
        return b""
    notes_of = [note for log in notes.LOG_SEEN.every(at.step).values() for note in (log.note, log.fork) if note]
    keys = lineage(our_key(office), office.key_changes, office.verify) or ()
    told = [f"Key of the witness: {msgspec.structs.replace(key, kind=COSIGNATURE).text()}\n" for key in keys]
    return "\n".join((*told, *notes_of)).encode() if notes_of else b""


def ask_witness(text: str, origin: str, keys: Sequence[Key], hashes: Sequence[str], verify: Verify) -> Iterator[Asked]:
    """Each head of a log that a witness tells, by its file or a letter of its own, held against the entries of a folder."""
    witnesses = [each for each in read_keys(text) if each.kind == COSIGNATURE]
    heads = [(note, head) for note in read_notes(text) if (head := note.checkpoint()) and head.origin == origin]
    leaves, told = [bytes.fromhex(each) for each in hashes], False
    for note, head in heads:
        own = any(is_signed(note, key, verify) for key in keys)
        by = next(
            (each.name for each in witnesses if is_signed(note, each, verify)), keys[-1].name if own and keys else ""
        )
        if not by or not own:
            continue
        told = True
        if head.size > len(leaves):
            yield Asked(
                older=f"{by} has a head of {head.size} entries, and the folder has {len(leaves)}: it is older. Fetch it anew"
            )
        elif not is_head(leaves, head.size, head.root):
            yield Asked(
                f"{by} has a head of {head.size} entries that the same house signed, and it is none of this log"
            )
        else:
            yield Asked(said=f"a witness that was asked, {by}, signed a head of {head.size} entries of this log")
    if not told:
        yield Asked(nothing=f"a witness that was asked: it tells no head of {origin} that both signed")


def _wrong(head: Note, match: str, keys: Sequence[Key], leaves: Sequence[bytes], verify: Verify) -> str:
    """The fault of a head of the file, whoever witnessed it; "" for nothing."""
    checkpoint = head.checkpoint()
    if checkpoint is None or checkpoint.origin.rpartition("/")[2] != match:
        return f"a head in {NAME} is none of {match}"
    if not any(is_signed(head, key, verify) for key in keys):
        return f"a head in {NAME} does not bear the signature of {keys[-1].name}"
    if not is_head(leaves, checkpoint.size, checkpoint.root):
        return f"a witness signed a head of {checkpoint.size} entries that is none of this log"
    return ""


def _signed(head: Note, witness: Key) -> str:
    """A witness's statement, and its time by its own word."""
    checkpoint = head.checkpoint()
    line = next(line for line in head.signatures if (line.name, line.id) == (witness.name, witness.id()))
    at = cosigned_at(line)
    size = checkpoint.size if checkpoint else 0
    return f"{size} entries were witnessed by {witness.name}, {_stamp(at or 0)}"


def _stamp(at: int) -> str:
    try:
        return stamp(datetime.fromtimestamp(at, UTC), "UTC")
    except (OverflowError, ValueError, OSError):
        return f"{at} seconds after 1970"


# ---------------------------------------------------------------- VERIFY by mail
# The checks that a match's log allows now; all of it when the match is over.


def verified(at: At, row: MatchRow) -> tuple[str, ...]:
    """The checks of a match that has begun, and their results, in sentences.

    Of a match that is over everything is played again, once for each head of its log: that may take a while.
    """
    entries = at.step.entries(row.name)
    told = told_head(codec_of(at.office.games[row.game]), entries)
    head = f"The log of {row.name} stands at {mark(told)}, its last entry of something that everybody was told."
    checked = _of_a_finished(at, row, entries) if row.status == "over" else _of_a_running(at.office, row, entries)
    return (
        head,
        *checked,
        f"'referee verify FOLDER' checks the same from the archive alone; SEND archive OF {row.name}.",
    )


def _of_a_running(office: Office, row: MatchRow, entries: Sequence[Entry]) -> tuple[str, ...]:
    """The chain, and whether the secret kept is the one that was committed to; the secret itself stays one."""
    try:
        check_chain(entries, row.secret)
    except Tampered as problem:
        return (f"NOT SOUND: {problem}. Tell the game master.",)
    created = codec_of(office.games[row.game]).load(entries[0].payload)
    told = created.commitment if isinstance(created, Created) else ""
    if told != commitment(row.secret):
        return ("NOT SOUND: the secret of the dice is not the one that was committed to. Tell the game master.",)
    return (
        "Its chain is whole: each entry covers the one before it.",
        f"The match's own secret is the one whose SHA-256 everybody was told at the start, {told}. Dice that everybody was told "
        "can be checked one by one from the archive now, all others when the match is over and the secret is published.",
    )


def _of_a_finished(at: At, row: MatchRow, entries: Sequence[Entry]) -> tuple[str, ...]:
    kept = notes.VERIFIED.of(row.name).read(at.step)
    game = at.office.games[row.game]
    by = f"{entries[-1].hash} {game.build}"
    if kept is not None and kept.by == by:
        return kept.sentences
    said = _sentences(row, audit(game, row.secret, entries))
    notes.VERIFIED.of(row.name).keep(at.step, Verified(by, said))
    return said


def _sentences(row: MatchRow, found: Audited) -> tuple[str, ...]:
    if not found.sound:
        return (f"NOT SOUND: {found.trouble}. Tell the game master.",)
    same = "and the match played again from it gave the same"
    played = same if not found.older else f"and {found.again} phases played again gave the same. It has"
    return (
        f"Sound: the chain of {found.entries} entries is whole, {played} {found.events} events.",
        f"Each of {found.dice} dice and {found.draws} cards drawn is what the published secret gives for its purpose; the "
        f"secret is {row.secret.hex()}, and its SHA-256 the one that was told at the start, {commitment(row.secret)}.",
        *how_checked(found),
    )


def proof_page(at: At, row: MatchRow, reader: Reader, zone: str) -> Page:
    """The findings of `verified`, with the whole fingerprint of each letter by which the reader's seat filed orders.

    No Message-IDs: who takes a seat over does not learn where the player before him writes from.
    """
    codec, entries = codec_of(at.office.games[row.game]), at.step.entries(row.name)
    loaded = [(entry, codec.load(entry.payload)) for entry in entries if entry.kind == "filed"]
    letters = tuple(
        f"{stamp(datetime.fromisoformat(entry.at), zone)}, log {entry.seq}: {record.digest}"
        for entry, record in loaded
        if isinstance(record, Filed) and record.seat == reader and record.digest
    )
    head, *checked = verified(at, row)
    return Page(f"Proof of {row.name}", head, (Bullets(tuple(checked)), *_letters(letters)))


def _letters(told: tuple[str, ...]) -> tuple[Heading | Paragraph | Bullets, ...]:
    if not told:
        return ()
    said = (
        "The same digest stands at the end of the receipt. It is the SHA-256 of the text that was received, without blank "
        "lines around it; HELP RECEIPT tells more."
    )
    return Heading("Letters of yours that filed orders"), Paragraph(said), Bullets(told)


# ---------------------------------------------------------------- letters beside a replay
# Every report and every turn letter is written again and must be the same, word for word.


def letters_agree(at: At, row: MatchRow, found: Audited) -> Audited:
    """The audit, with every kept report of the live course and every letter that carried one compared too.

    Other rules may have told a report in other words, so there a report that differs is counted and no trouble.
    """
    game = at.office.games[row.game]
    seats = _seats(at.step, row)
    every = sorted(at.step.reports(row.name), key=lambda report: report.epoch)
    kept = {(r.turn, r.reader): r for r in every}  # the latest of each turn: the live course
    letters = [letter for letter in at.step.outgoing(row.name) if letter.kind == "report" and letter.source]
    earlier: list[Event] = []
    compared = others = 0
    older: list[Course] = []
    told = dict[tuple[Reader, int], tuple[Ended[Any], Page]]()
    for course in found.courses:
        differs = course.ended is None
        for (turn, reader), report in kept.items():
            if turn != course.turn:
                continue
            who = Seat(reader) if reader else Role.OBSERVER
            again = told_again(game, row.options, seats, earlier, course, who)
            if again is None or not _is_as_kept(again, report):
                if course.same:
                    return msgspec.structs.replace(
                        found, trouble=f"the report of turn {turn} is not what the rules give"
                    )
                differs = True
                continue
            assert course.ended is not None  # what was told again has ended
            told[who, turn] = (course.ended, again.page)
            for letter in _of(letters, report):
                # The version of the templates a letter was written with.
                if letter.said is None and letter.source.split(b"|", 4)[3].decode() != at.office.renderer.version:
                    others += 1
                    continue
                turns = _turns_of(letter) or (turn,)
                last = kept.get((turns[0] - 1, reader))
                before = mailed(msgspec.json.decode(last.sheets, type=tuple[Sheet, ...]), who) if last else ()
                parts = [told[who, each] for each in turns if (who, each) in told]
                if len(parts) < len(turns):
                    differs = True
                elif _same(at.office, letter, in_one(game, parts, who), mailed(again.sheets, who), before):
                    compared += 1
                elif course.same:
                    return msgspec.structs.replace(found, trouble=f"letter {letter.message_id} is not what was played")
                else:
                    differs = True
        older += [course] if differs else []
        earlier.extend(course.events)
    untried = list(not_compared(older))
    if others:
        untried.append(f"more than page and sheets of {others} letters, which were written with other templates")
    return msgspec.structs.replace(found, letters=compared, unchecked=(*found.unchecked, *untried))


def told_again(
    game: Game[Any],
    options: dict[str, str],
    seats: tuple[Seat, ...],
    earlier: Sequence[Event],
    course: Course,
    who: Reader,
) -> Written | None:
    """The report of a phase as these rules write it; None where they do not give it, or cannot tell what others gave."""
    if course.ended is None:
        return None
    try:
        return page_and_sheets(game, options, seats, earlier, course.ended, who)
    except Exception:  # the telling was mended since, and breaks on what it never met
        if course.same:
            raise
        return None


def _is_as_kept(again: Written, report: Report) -> bool:
    """Whether a report is what was kept, with the map that the public one may have."""
    drawn = msgspec.json.encode(again.chart) if again.chart and not report.reader else None
    return _encoded(again.page, again.sheets) == (report.page, report.sheets) and report.chart in (None, drawn)


def _encoded(page: Page, sheets: tuple[Sheet, ...]) -> tuple[bytes, bytes]:
    return msgspec.json.encode(page), msgspec.json.encode(sheets)


def not_compared(courses: Iterable[Course]) -> tuple[str, ...]:
    """Of which phases other rules wrote other reports, or letters: those in a row of one version as one."""
    return tuple(
        f"reports and letters of {span(found[0].began.title, found[-1].began.title, len(found))} were written by other rules "
        f"and not compared{f' (version {version})' if version else ''}"
        for version, group in groupby(courses, key=lambda course: course.began.version)
        if (found := tuple(group))
    )


def _seats(step: Step, row: MatchRow) -> tuple[Seat, ...]:
    first = msgspec.json.decode(step.entries(row.name)[0].payload)
    return tuple(Seat(name) for name in first["seats"])


def _of(letters: Iterable[LetterOut], report: Report) -> list[LetterOut]:
    """The letters that carried a report: named by the log's head it was written at and by its reader."""
    mark = f"{report.seq}|{report.turn}|{report.reader}|".encode()
    return [letter for letter in letters if letter.source.startswith(mark)]


def _turns_of(letter: LetterOut) -> tuple[int, ...]:
    """The turns of which a letter tells together."""
    if letter.said is not None:
        return unwritten_report(letter).report.turns
    return msgspec.json.decode(letter.source.split(b"|", 4)[4], type=TurnReport).turns


def _same(office: Office, letter: LetterOut, page: Page, sheets: tuple[Sheet, ...], before: tuple[Sheet, ...]) -> bool:
    """Whether a letter says this page and these sheets; one whose bytes are kept has the text and HTML of one written again."""
    if letter.said is not None:
        what = unwritten_report(letter).report
        again = () if what.sheetless else changed(sheets, before).sheets
        return _encoded(what.page, what.sheets) == _encoded(page, again)
    body = letter.source.split(b"|", 4)[4]
    frame = msgspec.json.decode(body, type=TurnReport)
    shown = () if frame.sheetless else changed(sheets, before).sheets
    written = office.renderer.render(
        "report",
        msgspec.structs.replace(frame, page=page, sheets=shown),
        answerable(letter.raw),
        pictures_in(letter.raw),
    )
    text, html = bodies(letter.raw)
    return text == written.text and html in (written.html, "")  # "": its reader wished plain text alone


# ---------------------------------------------------------------- table file
# The table file of a seat as it stands now, as it goes with a letter. SEND table; its form is in `choices`.


_SHOWN = 4
"""So many reports, and twice so many texts of the press, go with a table at least."""


def table_of(hand: BareHand, member: Member, player: Player) -> TableFile:
    """The turn of who plays a seat, as it stands now."""
    playing, seat = hand.playing, Seat(member.seat)
    game, state = playing.game, playing.outcome.state
    around, due = frame(hand, member, player), due_of(hand.step, playing, seat)
    drawing = chart_now(hand.step, playing, seat)
    colours, living = colours_of(game), game.living(state)
    bots = bots_by_seat(hand.step, playing.row.name, game.guide)
    known = known_to(hand.step, playing, seat)
    form = game.order_form(known, seat) if sheet_owed(playing, seat) else ()
    return TableFile(
        version=TABLE_VERSION,
        program=game.version,
        match=playing.row.name,
        game=game.name,
        title=game.title,
        seat=seat,
        seats=tuple(
            Chair(chair, colours.get(chair, ""), chair in living, bots.get(chair)) for chair in playing.created.seats
        ),
        turn=playing.turn,
        phase=around.title,
        written=iso(hand.now),
        duty=around.duty,
        owes=around.owes,
        until=iso(due.due_at) if due else "",
        at_deadline=around.at_deadline,
        reply_to=address_for(hand, playing, member, player),
        subject=f"Re: {whole(playing.row.name, owed(around) or around.title)}",
        takes=wanted_verbs(playing, seat),
        going=around.going,
        choices=choices_now(playing, seat),
        form=form,
        on_file=drawers_of(playing, seat),
        standings=game.score(state),
        map=Map(drawing.svg, drawing.instead) if drawing else None,
        known=_known(hand.step, playing, seat),
        index=index_of(playing, seat, known),
        mark=turn_mark(hand, playing),
        told=_last_told(hand.step, playing, seat),
        press=_last_press(press_for(hand.step, playing, member, player)),
    )


def _last_told(step: Step, playing: Playing, seat: Seat) -> tuple[Page, ...]:
    """The reports of a round, as they were sent to a seat."""
    turns = [report.turn for report in step.listed_reports(playing.row.name)][
        -max(_SHOWN, len(playing.created.seats)) :
    ]
    found = (report_for(step, playing, seat, turn) for turn in dict.fromkeys(turns))
    return tuple(page_of(report) for report in found if report is not None)


def _last_press(page: Page) -> Page | None:
    """The last of the press; None where there is none."""
    return msgspec.structs.replace(page, blocks=page.blocks[-4 * _SHOWN :]) if page.blocks else None


def _known(step: Step, playing: Playing, seat: Seat) -> Known:
    owed = sheet_owed(playing, seat)
    drawers = {name: sheet for (owner, name), sheet in playing.outcome.drawers.items() if owner == seat}
    hidden = not playing.open_information
    position, before = map(pressed, (known_to(step, playing, seat), known_before(step, playing, seat)))
    return Known(
        rules=playing.game.build,
        options=dict(playing.created.options),
        position=position,
        hidden=hidden,
        drawers=drawers,
        asked=owed.key if owed else "",
        before=None if before == position else before,
    )


def table_file(table: TableFile) -> tuple[Attachment, ...]:
    """The file as it goes with a letter; of a large one what is of use to a page alone is pressed."""
    name = f"{table.match}-{table.turn}-{plain(table.seat)}{TABLE}"
    written = msgspec.json.encode(table)
    if len(written) > _LARGE:
        parts = {part: pressed(value) for part in PRESSED if (value := getattr(table, part))}
        written = msgspec.json.encode(msgspec.structs.replace(table, version=PRESSED_VERSION, **parts))
    return (Attachment(name, "application/json", written),)


_LARGE = 100_000
