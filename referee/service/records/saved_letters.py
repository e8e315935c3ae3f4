"""A player's own letters against the archive of his match: whether the log that he was told of is the one that is shown."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from email import message_from_bytes

import msgspec

from referee.core.proof.signed_note import Key, Note, Verify, forks, is_signed, read_key, read_notes
from referee.core.proof.tree import Tree
from referee.core.record import Entry, Filed, Pledged, Record
from referee.mail import bodies, read

_HEX = "[0-9a-f]{64}"
_BREAK = r"(?:[\s|>]*[\s|>])?"
_FINGERPRINT = re.compile(rf"Fingerprint:[\s|>]*({_HEX})")
_END = re.compile(rf"End of the chain:[\s|>]*({_HEX})")
_KEY = re.compile(r"Key that signs:[\s|>]*(\S+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+)")
_SECRET = re.compile(rf"Secret ({_BREAK}[0-9]{{1,4}})[\s|>]+of[\s|>]+chain[\s|>]+([0-9]{{1,6}}):[\s|>]*({_HEX})")
_PROOF = re.compile(rf"Proof[\s|>]+({_HEX})")
_MARK = re.compile(r"[Ll]og[\s|>]+([0-9]{1,9}):([0-9a-f]{16})\b")
_STOOD = re.compile(r"^\W*(?:\[[^\]]*\]\s*)?COMPLETE\b", re.MULTILINE)


class Letter(msgspec.Struct, frozen=True):
    """A saved letter: its text, and the Message-ID that it answers, "" where it is none or its header was not saved."""

    text: str
    answers: str = ""


class Archive(msgspec.Struct, frozen=True):
    """What letters are held against: the log as far as it is shown, commitment and key, and whether the match is over."""

    match: str
    entries: tuple[Entry, ...]
    records: tuple[Record, ...]
    commitment: str
    key: str
    over: bool


def saved(raw: bytes) -> Letter:
    """A letter as a mail program saves it; anything else is read as plain text."""
    text, html = bodies(raw)
    found = message_from_bytes(raw)
    if not found.keys():
        return Letter(raw.decode("utf-8", "replace"))
    said = text or (read(raw).text if html else raw.decode("utf-8", "replace"))
    return Letter(f"{found['Subject'] or ''}\n{said}", " ".join(str(found["In-Reply-To"] or "").split()))


def against(letters: Sequence[Letter], about: Archive, verify: Verify) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What does not fit, and what was compared, in sentences. A letter of another match is passed over."""
    mine = [letter for letter in letters if _is_of(letter, about)]
    notes = [note for letter in mine for note in _notes_of(letter, about.match)]
    key = read_key(next((found for letter in mine for found in _KEY.findall(letter.text)), about.key))
    wrong = [*_heads(notes, about, key, verify), *(said for letter in mine for said in _facts(letter, about))]
    compared = (
        f"{len(mine)} of {len(letters)} letters are of {about.match}; {len(notes)} signed heads in them were compared"
    )
    return tuple(dict.fromkeys(wrong)), (compared,)


def _is_of(letter: Letter, about: Archive) -> bool:
    subject = letter.text.partition("\n")[0]
    return f"[{about.match}]" in subject or bool(_notes_of(letter, about.match))


def _notes_of(letter: Letter, match: str) -> list[Note]:
    """The signed heads of this match in a letter."""
    return [n for n in read_notes(letter.text) if (c := n.checkpoint()) and c.origin.rpartition("/")[2] == match]


def _heads(notes: Sequence[Note], about: Archive, key: Key | None, verify: Verify) -> Iterator[str]:
    if about.key and key is not None and key.text() != about.key:
        yield "the archive names another key than the first letter"
    if key is None:
        return
    true = [note for note in notes if is_signed(note, key, verify)]
    if len(true) < len(notes):
        yield f"{len(notes) - len(true)} signed heads do not bear the signature of {key.name}"
    for one, _ in forks(true):
        checkpoint = one.checkpoint()
        yield f"two letters have different heads of the same log, at {checkpoint.size if checkpoint else 0} entries"
    leaves = [bytes.fromhex(entry.hash) for entry in about.entries]
    for note in true:
        head = note.checkpoint()
        assert head is not None  # notes of this match are checkpoints
        if head.size > len(leaves):
            yield f"a letter has a head of {head.size} entries, and the archive has {len(leaves)}"
        elif Tree.of(leaves[: head.size]).root() != head.root:
            yield f"the head of {head.size} entries in a letter is none of this log"


def _facts(letter: Letter, about: Archive) -> Iterator[str]:
    anchors = {pledged.chain: pledged.anchor for pledged in about.records if isinstance(pledged, Pledged)}
    for found in _FINGERPRINT.findall(letter.text):
        if found != about.commitment:
            yield "the fingerprint in a letter is not that of the archive"
    for found in _END.findall(letter.text):
        if found not in anchors.values():
            yield "the end of the chain in a letter is none of this log"
    for number, chain, secret in _SECRET.findall(letter.text):
        if _hashed(secret, int(number)) != anchors.get(int(chain)):
            yield f"secret {int(number)} of chain {chain} in a letter does not lead to the end of that chain"
    for seq, mark in _MARK.findall(letter.text):
        if int(seq) >= len(about.entries) or not about.entries[int(seq)].hash.startswith(mark):
            yield f"entry {seq} of the log is not the one of which a letter told"
    if about.over and letter.answers and _STOOD.search(letter.text):
        yield from _dropped(letter, about)


def _hashed(secret: str, times: int) -> str:
    found = bytes.fromhex(secret)
    for _ in range(times):
        found = hashlib.sha256(found).digest()
    return found.hex()


def _dropped(letter: Letter, about: Archive) -> Iterator[str]:
    """A letter that was answered with COMPLETE has left something in the log."""
    digests = {record.digest for record in about.records if isinstance(record, Filed)}
    proofs: Iterable[str] = _PROOF.findall(letter.text)
    hidden = hashlib.sha256(letter.answers.encode()).hexdigest()[:16]  # as the log names it in an anonymous match
    named = any(letter.answers in entry.cause or hidden in entry.cause for entry in about.entries)
    if not named and not digests.intersection(proofs):
        yield f"a letter of yours was answered with COMPLETE, and the log knows nothing of it ({letter.answers})"
