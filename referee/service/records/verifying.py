"""VERIFY by mail: what can be checked of a match's log now, checked; all of it when the match is over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from referee.core.chance import commitment
from referee.core.names import Reader
from referee.core.page import Bullets, Heading, Page, Paragraph
from referee.core.record import Created, Entry, Filed, Tampered, check_chain
from referee.service import notes
from referee.service.match.audit import Audited, audit, how_checked
from referee.service.match.playing import codec_of, mark, told_head
from referee.service.office import At, Office
from referee.service.ports import MatchRow
from referee.service.remembered import Verified
from referee.service.times import stamp


def verified(at: At, row: MatchRow) -> tuple[str, ...]:
    """What was checked of a match that has begun, and what came of it, in sentences.

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
    """What `verified` found, with the whole fingerprint of each letter by which the reader's seat filed orders.

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
