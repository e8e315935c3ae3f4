"""A player's saved letters against the archive of his match: whether the log he was told of is the one that is shown."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import Message
from email.utils import parsedate_to_datetime

import msgspec

from referee.core.hash_tree import is_head
from referee.core.record import Entry, Filed, Pledged, Record
from referee.core.signed_note import Key, Note, Verify, forks, is_signed, read_key, read_notes
from referee.mail import Letter as Mail
from referee.mail import bodies, lines_of_html, parse_recipient, read, strip
from referee.mail.reading.own_lines import OURS
from referee.service.match.audit import Verdict
from referee.service.turn.reports import bare

_HEX = "[0-9a-f]{64}"
_BREAK = r"(?:[\s|>]*[\s|>])?"
_FINGERPRINT = re.compile(rf"Fingerprint:[\s|>]*({_HEX})")
_END = re.compile(rf"End of the chain:[\s|>]*({_HEX})")
_KEY = re.compile(r"Key that signs:[\s|>]*(\S{1,400}(?:\s[\s|>]*\S{1,100}){0,2})")
_BARRED = re.compile(r"^[ \t>]*[|\u2502\uff5c].*$", re.MULTILINE)
"""Lines behind a bar: what players wrote, and signed notes, which alone count there."""

_WRAPPED = re.compile(r"\s[\s|>]*")
_SECRET = re.compile(rf"Secret ({_BREAK}[0-9]{{1,4}})[\s|>]+of[\s|>]+chain[\s|>]+([0-9]{{1,6}}):[\s|>]*({_HEX})")
_PROOF = re.compile(rf"Proof[\s|>]+({_HEX})")
_MARK = re.compile(r"[Ll]og[\s|>]+([0-9]{1,9}):([0-9a-f]{16})\b")
_STOOD = re.compile(
    r"COMPLETE: |DONE: (?:the orders you filed stand|what you filed stands|your orders were carried)"
    r"|LOOK AGAIN: your orders are on file, but"
)
_NO_ORDERS = re.compile(r"(?:the\s+rest\s+of\s+your\s+letter|what\s+else\s+you\s+asked\s+for)\s+is\s+done")
"""A letter of which no order was taken, though something else was."""

_SEALED = re.compile(rf"its hash is[\s|>]+({_HEX})")
_ROUND = re.compile(r"of round[\s|>]+([0-9]{1,9})[\s|>]+of")

_FIELDS = frozenset(("from", "subject", "received", "message-id", "date"))
"""A file with none of these is no letter but text, though its first line have a colon."""

_TOP = 2_000
"""So much of a letter is looked at for its verdict."""


class Letter(msgspec.Struct, frozen=True):
    """A saved letter: subject and text, the Message-ID that it answers, "" where it is none or its header was not saved,
    when the reader's own mail server had it, if that said so, and the referee that by its header wrote it."""

    text: str
    answers: str = ""
    subject: str = ""
    came: datetime | None = None
    house: str = ""
    plain: bool = False
    """Its text is the plain text of the letter itself, and was not made of what a web page shows."""

    shown: str = ""
    """The text that mail programs show of the HTML of a report about one turn; without links by which one answers."""

    id: str = ""
    """Its Message-ID."""

    sent: Mail | None = None
    """The letter as the desk would read it, where the referee did not write it."""

    to: str = ""
    """The address of the referee that it is sent to."""

    @property
    def ours(self) -> str:
        """The referee's own words in it: players could write anything behind a bar."""
        return _BARRED.sub("", self.text)


class Archive(msgspec.Struct, frozen=True):
    """The archive against which letters are held: the log as far as it is shown, the commitment, the keys that signed one after
    the other, and whether the match is over."""

    match: str
    entries: tuple[Entry, ...]
    records: tuple[Record, ...]
    commitment: str
    keys: tuple[Key, ...]
    over: bool
    made: Callable[[int], datetime] | None = None
    house: str = ""
    """The address of the referee that signed it; "" where nobody did."""


def saved(raw: bytes) -> Letter:
    """A letter as a mail program saves it; anything else is read as plain text. Any file is read."""
    found = message_from_bytes(raw)
    if _FIELDS.isdisjoint(name.lower() for name, _ in found.items()):
        return Letter(raw.decode("utf-8", "replace"))
    text, html = bodies(raw)
    known = read(raw)
    said = text or (known.text if html else raw.decode("utf-8", "replace"))
    name, _, host = known.sender.rpartition("@")
    house = f"{name.partition('+')[0]}@{host}" if known.loop else ""
    both = html and _SALT in text
    shown = lines_of_html(" ".join(_LINK.split(part, 1)[0] for part in _LINK_ENDS.split(html))) if both else ""
    sent = None if known.loop or not known.sender else known
    return Letter(
        said, known.in_reply_to, known.subject, _came(found), house, bool(text), shown, known.message_id, sent
    )


_SALT = "Salt of this report"
_LINK = re.compile(r'(?i)<a\b[^<>]*\bhref="mailto:[^<>]*>')
_LINK_ENDS = re.compile(r"(?i)</a\s*>")


def _came(letter: Message) -> datetime | None:
    """When the server that took it in last had it; each writes its line above those of the servers before."""
    try:
        came = parsedate_to_datetime(str(letter.get("Received", "")).rpartition(";")[2].strip())
    except ValueError:
        return None
    return came if came.tzinfo else came.replace(tzinfo=UTC)


class Compared(msgspec.Struct, frozen=True):
    """The contradictions; the reasons why nothing is proved, where the folder is older or the letters are another house's; the
    things compared, and those that could not be. In sentences."""

    wrong: tuple[str, ...]
    nothing: tuple[tuple[Verdict, str], ...]
    said: tuple[str, ...]
    unchecked: tuple[str, ...] = ()
    mine: tuple[tuple[Letter, int], ...] = ()
    """The letters of this match that are no newer than the folder, and of how many entries each tells."""

    sent: tuple[Letter, ...] = ()
    """The letters that the reader himself sent to the house."""


def against(letters: Sequence[Letter], about: Archive, verify: Verify) -> Compared:
    """Letters held against the archive. A letter of another match is passed over, and of one of this name at another house."""
    sent = tuple(msgspec.structs.replace(one, to=about.house) for one in letters if _is_sent(one, about))
    letters = [one for one in letters if not _is_sent(one, about)]
    named = [
        letter for letter in letters if f"[{about.match}]" in letter.subject or bool(_notes_of(letter, about.match))
    ]
    others = {house for letter in named if (house := _house_of(letter, about)) != about.house}
    mine = [letter for letter in named if _house_of(letter, about) == about.house]
    notes = [note for letter in mine for note in _notes_of(letter, about.match)]
    told = [found for letter in mine for found in _KEY.findall(letter.ours)]
    keys = tuple(filter(None, map(_key_in, told))) if told else about.keys
    wrong = [*_heads(notes, about, keys, verify)]
    nothing, older = list[tuple[Verdict, str]](), list[tuple[Letter, int]]()
    for letter in mine:
        told_of = (
            0,
            *map(_size, _notes_of(letter, about.match)),
            *(int(seq) + 1 for seq, _ in _MARK.findall(letter.ours)),
        )
        newer = max(told_of) > len(about.entries)
        if newer:
            later = (
                f"a letter tells of {max(told_of)} entries, and the folder has {len(about.entries)}: it is older than your "
                "letters. Fetch it anew; where it stays so, somebody keeps from you what came since"
            )
            nothing.append((Verdict.OLDER, later))
        else:
            older.append((letter, max(told_of)))
        wrong += _facts(letter, about, newer)
        if other := _told_twice(letter, about.match):
            wrong.append(
                f"a letter, “{letter.subject}”, says in its HTML something else than in its plain text: “{other}”"
            )
        if about.over or max(told_of) < len(about.entries):  # else what was filed by it may not be told yet
            wrong += _dropped(letter, about)
    if others and not mine:
        where = f"your letters are of a {about.match} at {', '.join(sorted(others))}, and this is one at {about.house}"
        nothing.append((Verdict.ELSEWHERE, where))
    compared = (
        f"{len(mine)} of {len(letters)} letters are of {about.match}; {len(notes)} signed heads in them were compared"
    )
    if about.keys and not told:
        compared += ", by the key that the archive names: no letter among them has one, as first letters have today"
    if others and mine:
        compared += f"; {len(named) - len(mine)} are of a match of this name at {', '.join(sorted(others))}"
    unchecked = list[str]()
    if not mine and not others and (letters or not sent):
        unchecked.append(f"your letters, of which none is of {about.match}")
    elif about.keys and not notes:
        unchecked.append(
            "whether your letters are of this very log: no signed head is in them, though the house signs its reports"
        )
    said = compared, *_late(mine, about)
    return Compared(tuple(dict.fromkeys(wrong)), tuple(nothing), said, tuple(unchecked), tuple(older), sent)


def _is_sent(letter: Letter, about: Archive) -> bool:
    """Whether its reader sent it to the house. One that speaks as the referee does in lines of its own is the referee's, whoever
    it says it is from."""
    if letter.sent is None or not about.house or parse_recipient(letter.sent.sender, about.house):
        return False
    if not any(parse_recipient(address, about.house) for address in letter.sent.recipients):
        return False
    read = strip(letter.sent.text)
    own = [*(line.text for line in read.lines), *(line.text for line in read.ignored if line.why == OURS)]
    return f"thisismatch{bare(about.match)}" not in bare("".join(own))


def _key_in(written: str) -> Key | None:
    """A key as a letter has it: whole, or broken in two lines or three."""
    pieces = _WRAPPED.split(written)
    return next(filter(None, (read_key("".join(pieces[:many])) for many in (1, 2, 3))), None)


def _notes_of(letter: Letter, match: str) -> list[Note]:
    """The signed heads of this match in a letter."""
    return [n for n in read_notes(letter.text) if (c := n.checkpoint()) and c.origin.rpartition("/")[2] == match]


def _size(note: Note) -> int:
    head = note.checkpoint()
    return head.size if head else 0


def _house_of(letter: Letter, about: Archive) -> str:
    """The referee that wrote a letter, by its signed heads or its header; that of the archive where nothing tells."""
    if not about.house:
        return ""
    heads = (note.checkpoint() for note in _notes_of(letter, about.match))
    houses = {head.origin.rpartition("/")[0] for head in heads if head} or {letter.house or about.house}
    return about.house if about.house in houses else min(houses)


def _heads(notes: Sequence[Note], about: Archive, told: Sequence[Key], verify: Verify) -> Iterator[str]:
    """`told` are the keys of which letters told. Only they sign, and those that came after the first of them."""
    if not told:
        if notes or about.keys:
            yield "the key that signs cannot be read, so no signed head can be trusted"
        return
    if about.keys and not set(told) <= set(about.keys):
        yield "the archive names another key than the first letter"
    since = min((about.keys.index(key) for key in told if key in about.keys), default=len(about.keys))
    keys = {*told, *about.keys[since:]}
    true = [note for note in notes if any(is_signed(note, key, verify) for key in keys)]
    if len(true) < len(notes):
        yield f"{len(notes) - len(true)} signed heads do not bear the signature of {told[0].name}"
    for one, _ in forks(true):
        checkpoint = one.checkpoint()
        yield f"two letters have different heads of the same log, at {checkpoint.size if checkpoint else 0} entries"
    leaves = [bytes.fromhex(entry.hash) for entry in about.entries]
    for note in true:
        head = note.checkpoint()
        assert head is not None  # notes of this match are checkpoints
        if head.size <= len(leaves) and not is_head(leaves, head.size, head.root):
            yield f"the head of {head.size} entries in a letter is none of this log"


def _facts(letter: Letter, about: Archive, newer: bool) -> Iterator[str]:
    """Contradictions between a letter and the log. One that is `newer` may tell of what the log did not have yet."""
    for found in _FINGERPRINT.findall(letter.ours):
        if found != about.commitment:
            yield "the fingerprint in a letter is not that of the archive"
    for seq, mark in _MARK.findall(letter.ours):
        if int(seq) < len(about.entries) and not about.entries[int(seq)].hash.startswith(mark):
            yield f"entry {seq} of the log is not the one of which a letter told"
    if newer:
        return
    anchors = {pledged.chain: pledged.anchor for pledged in about.records if isinstance(pledged, Pledged)}
    for found in _END.findall(letter.ours):
        if found not in anchors.values():
            yield "the end of the chain in a letter is none of this log"
    for number, chain, secret in _SECRET.findall(letter.ours):
        if _hashed(secret, int(number)) != anchors.get(int(chain)):
            yield f"secret {int(number)} of chain {chain} in a letter does not lead to the end of that chain"
    for head in _SEALED.findall(letter.ours):
        if not any(entry.hash == head for entry in about.entries):
            yield f"the log has no entry with the hash that a letter told when it was sealed, {head}"


def _late(letters: Sequence[Letter], about: Archive) -> Iterator[str]:
    """Of letters that told of a seal, and came when its round was made: a slow mail server does it, and who sealed too late."""
    for letter in letters:
        for number in _ROUND.findall(letter.ours) if _SEALED.search(letter.ours) else ():
            if about.made and letter.came and letter.came >= about.made(int(number)):
                yield f"the letter by which you learned of the seal came when its round {number} was made already"


_BLOCKS = re.compile(r"\n[ \t>]*(?=\n)")
_CELLS = re.compile(r"(?<=\S) {2,}(?=\S)")
_FOLDED = re.compile(r"^ {2,}\S", re.MULTILINE)
_END_OF_REPORT = "proofofthedice"


def _told_twice(letter: Letter, match: str) -> str:
    """The first words of a report that its plain text and its HTML have otherwise; "" for none.

    Tables may be folded in plain text, so that their cells stand in another order, or broken in several.
    """
    named, shown, tables = f"thisismatch{bare(match)}", bare(_BARRED.sub("", letter.shown)), list[str]()
    if not shown or named not in bare(letter.ours) or _END_OF_REPORT not in bare(letter.ours):
        return ""
    here, began = max(shown.find(named), 0), False
    for block in _BLOCKS.split(letter.text):
        words = bare(block)
        if _BARRED.search(block):  # an example stands behind no bar in HTML
            here += len(words) if began and shown.startswith(words, here) else 0
            continue
        if not began and named not in words:
            continue
        words, began = words if began else words[words.find(named) :], True
        ends = words.startswith(_END_OF_REPORT)
        if _CELLS.search(block) and not ends:
            tables.append(block)
            continue
        words, whole = _END_OF_REPORT if ends else words, bare("\n".join(tables))
        after = here + len(whole)
        at = after if shown.startswith(words, after) else shown.find(words, here)
        between = shown[here : max(at, 0)]
        if at < 0 or not (between == whole or _is_table(tables, whole, between)):
            return " ".join((block if at < 0 else tables[0] if tables else between).split())[:80]
        if ends:
            return ""
        tables, here = [], at + len(words)
    return ""


def _is_table(tables: Sequence[str], whole: str, between: str) -> bool:
    """Whether these words are those of tables that plain text folds, or breaks in several with their first column in each."""
    rows = [[*map(bare, _CELLS.split(line.strip()))] for table in tables for line in table.splitlines()]
    if any(map(_FOLDED.search, tables)):
        there = all(cell in between for row in rows for cell in row)
        return there and _within(between, whole) and (len(tables) > 1 or len(between) == len(whole))
    return len(tables) > 1 and _within(between, whole) and all("".join(row[1:]) in between for row in rows)


def _within(some: str, all: str) -> bool:
    return not Counter(some) - Counter(all)


def _hashed(secret: str, times: int) -> str:
    found = bytes.fromhex(secret)
    for _ in range(times):
        found = hashlib.sha256(found).digest()
    return found.hex()


def _dropped(letter: Letter, about: Archive) -> Iterator[str]:
    """A letter whose orders were taken, by its answer, has left something in the log."""
    all_causes = about.over or all(entry.cause for entry in about.entries)
    top = f"{letter.subject}\n{letter.ours}"[:_TOP]
    if not (all_causes and letter.answers and _STOOD.search(top)) or _NO_ORDERS.search(top):
        return
    digests = {record.digest for record in about.records if isinstance(record, Filed)}
    proofs: Iterable[str] = _PROOF.findall(letter.ours)
    hidden = hashlib.sha256(letter.answers.encode()).hexdigest()[:16]  # as the log names it in an anonymous match
    named = any(letter.answers in entry.cause or hidden in entry.cause for entry in about.entries)
    if not named and not digests.intersection(proofs):
        yield f"the orders in a letter of yours were taken, by its answer, and the log knows nothing of it ({letter.answers})"
