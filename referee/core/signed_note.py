"""Signed notes: heads under a key, and how a key is changed."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence

import msgspec

Verify = Callable[[bytes, bytes, bytes], bool]
"""Whether a public key made a signature of a message: public key, message, signature."""

ED25519 = 0x01
"""The kind of key that signs the text of a note."""

COSIGNATURE = 0x04
"""The kind of key that signs the text of a checkpoint with the moment at which its signer had seen no longer log."""

_PUBLIC, _SIGNATURE, _ID, _MOMENT = 32, 64, 4, 8
_NUMBERS = 1 << 63
_HEADED = "\u2014 "
_FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\ud800-\udfff]")
_NUMBER = re.compile("0|[1-9][0-9]{0,18}", re.ASCII)
_MOST_SIGNATURES = 100


class Key(msgspec.Struct, frozen=True):
    """A public key under the name of its signer, for one kind of signature."""

    name: str
    public: bytes
    kind: int = ED25519

    def id(self) -> bytes:
        """Four bytes by which a signature says that it is this key's."""
        hashed = hashlib.sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public)
        return hashed.digest()[:_ID]

    def text(self) -> str:
        """The key in one line, as it is published: name+id+key."""
        return f"{self.name}+{self.id().hex()}+{_encoded(bytes([self.kind]) + self.public)}"


class Signature(msgspec.Struct, frozen=True):
    """A signature line: the name of the signer, the id of his key, and the signature."""

    name: str
    id: bytes
    value: bytes


class Checkpoint(msgspec.Struct, frozen=True):
    """The head of a log: whose log it is, how many entries it has, and the root of their tree."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    def text(self) -> str:
        """The text of a note that says it."""
        lines = (self.origin, str(self.size), _encoded(self.root), *self.extensions)
        return "".join(f"{line}\n" for line in lines)


class Note(msgspec.Struct, frozen=True):
    """A text, its last line ended, and the signatures that stand below it. Its words count by them alone."""

    text: str
    signatures: tuple[Signature, ...]

    def checkpoint(self) -> Checkpoint | None:
        """The head of a log that it is; None where it is something else."""
        return read_checkpoint(self.text)


def is_name(text: str) -> bool:
    """Whether a key can have this name: not empty, no blank in it and no plus."""
    return text.split() == [text] and "+" not in text and not _FORBIDDEN.search(text)


def read_key(text: str) -> Key | None:
    """The key that a line publishes; None where that is none of the two kinds, or not what its id was made of."""
    name, _, rest = text.partition("+")
    id, _, encoded = rest.partition("+")
    packed = _decoded(encoded) if is_name(name) else None
    if packed is None or len(packed) != 1 + _PUBLIC or packed[0] not in (ED25519, COSIGNATURE):
        return None
    key = Key(name, packed[1:], packed[0])
    return key if key.id().hex() == id else None


def read_checkpoint(text: str) -> Checkpoint | None:
    """The head of a log that the text of a note says; None where it says none."""
    *lines, end = text.split("\n")
    if end or len(lines) < 3 or not all(lines) or _FORBIDDEN.search(text):
        return None
    origin, size, encoded, *extensions = lines
    root = _root(encoded)
    if not _is_number(size) or root is None:
        return None
    return Checkpoint(origin, int(size), root, tuple(extensions))


def signed(text: str, key: Key, sign: Callable[[bytes], bytes], at: int = 0) -> Signature:
    """The signature of this key's owner under a note's text; a cosigner says `at` what moment, in seconds since 1970."""
    if key.kind == COSIGNATURE:
        return Signature(key.name, key.id(), at.to_bytes(_MOMENT, "big") + sign(cosigned(text, at)))
    return Signature(key.name, key.id(), sign(text.encode()))


def cosigned(text: str, at: int) -> bytes:
    """The message that a cosigner signs: the moment, then the whole text of the checkpoint."""
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def cosigned_at(signature: Signature) -> int | None:
    """The moment that a cosignature names, in seconds since 1970; None where it has the shape of none."""
    at = int.from_bytes(signature.value[:_MOMENT], "big")
    return at if len(signature.value) == _MOMENT + _SIGNATURE and at < _NUMBERS else None


def is_signed(note: Note, key: Key, verify: Verify) -> bool:
    """Whether the owner of this key signed the note. Below it whatever others signed does not matter.

    A note with a false signature under this name and id is rejected, though there be a true one too.
    """
    own = [line for line in note.signatures if (line.name, line.id) == (key.name, key.id())]
    return bool(own) and all(_is_true(note.text, line, key, verify) for line in own)


def _is_true(text: str, signature: Signature, key: Key, verify: Verify) -> bool:
    if key.kind != COSIGNATURE:
        return verify(key.public, text.encode(), signature.value)
    at = cosigned_at(signature)
    return at is not None and verify(key.public, cosigned(text, at), signature.value[_MOMENT:])


def note(text: str, signatures: Sequence[Signature]) -> str:
    """The note, written. Raises ValueError where it could not be read again as it is."""
    lines = [f"{_HEADED}{line.name} {_encoded(line.id + line.value)}\n" for line in signatures]
    written = text + "\n" + "".join(lines)
    if read_note(written) != Note(text, tuple(signatures)):
        raise ValueError("a note needs a text whose last line is ended, and signatures by names without blanks or plus")
    return written


def read_note(written: str) -> Note | None:
    """The note that this text is exactly, as C2SP writes it; None where it is none."""
    text, apart, below = written.rpartition("\n\n")
    *lines, end = below.split("\n")
    if not apart or end or not 0 < len(lines) <= _MOST_SIGNATURES or _FORBIDDEN.search(written):
        return None
    signatures = [_signature(*line.removeprefix(_HEADED).partition(" ")[::2]) for line in lines]
    if not all(line.startswith(_HEADED) for line in lines):
        return None
    found = tuple(signature for signature in signatures if signature is not None)
    return Note(f"{text}\n", found) if len(found) == len(lines) else None


def forks(notes: Iterable[Note]) -> tuple[tuple[Note, Note], ...]:
    """Heads that cannot both be of one log: each that gives an origin and size another root, with the first that gave it one.

    Only notes that the log's own key signed prove anything; the caller leaves the others out.
    """
    roots: dict[tuple[str, int, bytes], Note] = {}
    for one in notes:
        head = one.checkpoint()
        if head is not None:
            roots.setdefault((head.origin, head.size, head.root), one)
    first: dict[tuple[str, int], Note] = {}
    pairs = [(first.setdefault((origin, size), one), one) for (origin, size, _), one in roots.items()]
    return tuple((earlier, later) for earlier, later in pairs if earlier is not later)


_BLANKS = " \t\xa0\u200b\ufeff"
_DASHED = re.compile(
    '(?:[-\u2010-\u2015\u2212?\ufffd \t\xa0]|&mdash;|&#8212;|&#x2014;|\xe2\u20ac[\u201d"])+', re.IGNORECASE
)
"""The forms that an em dash may come in: other dashes, no character, its name in HTML, or its bytes read as Windows-1252."""

_LINKED = re.compile(r"[ \xa0]?[<\[](?:mailto:|https?://)[^<>\[\]\s]*[>\]]", re.IGNORECASE)
"""The mark that a mail program sets behind something that looks like an address."""

_PIECE = re.compile("[A-Za-z0-9+/]+={0,2}|={1,2}", re.ASCII)
_PUBLISHED = re.compile("[^ \t\r\n+]{1,200}\\+[0-9a-f]{8}\\+[A-Za-z0-9+/]{44}(?![A-Za-z0-9+/=])", re.ASCII)
_MOST_EXTENSIONS = 16
_LONGEST_SIGNATURE = 8_192


def read_notes(letter: str) -> tuple[Note, ...]:
    """Every signed head that stands in the plain text of a letter, or the one note that the text is; each once.

    Looked for is a line before a number and the base64 of a root, with signature lines below; no mark need be before it.
    Where a head can be read in two ways both are given, and its signature tells which it is.
    """
    exact = read_note(letter)
    heads = _heads(plain_lines(letter))
    if exact is not None and (not heads or exact.checkpoint() is not None):
        heads.insert(0, exact)
    return tuple(dict.fromkeys(heads))


def read_signatures(letter: str) -> tuple[Signature, ...]:
    """Every signature line that stands in the plain text of a letter, below a head or by itself; each once."""
    lines = plain_lines(letter)
    full = [place for place, line in enumerate(lines) if line]
    found: list[Signature] = []
    at = 0
    while at < len(full):
        signatures, end = _signatures(lines, full, at)
        found += signatures
        at = max(end, at + 1)
    return tuple(dict.fromkeys(found))


def signatures_at(lines: list[str], at: int) -> tuple[Signature, ...]:
    """The signatures whose lines stand from this one on, behind an empty line or not."""
    full = [place for place, line in enumerate(lines) if line and place >= at]
    return _signatures(lines, full, 0)[0]


def read_keys(letter: str) -> tuple[Key, ...]:
    """Every key that stands in the plain text of a letter; each once."""
    keys = (read_key(found) for found in _PUBLISHED.findall(letter))
    return tuple(dict.fromkeys(key for key in keys if key is not None))


def plain_lines(letter: str) -> list[str]:
    """The lines of a letter without what mail programs set around them."""
    return [_plain(line) for line in letter.replace("\r\n", "\n").replace("\r", "\n").split("\n")]


def _plain(line: str) -> str:
    """A line without marks of quoting before it, blanks around it, and links that were set into it."""
    line = line.lstrip(_BLANKS + ">|").rstrip(_BLANKS)
    return _LINKED.sub("", line) if ":" in line else line


def _heads(lines: list[str]) -> list[Note]:
    """The signed heads in these lines, in time that grows with their length: each line is looked at some twenty times."""
    full = [place for place, line in enumerate(lines) if line]
    found: list[Note] = []
    at = 0
    while at + 2 < len(full):
        origin, size, root = (lines[place] for place in full[at : at + 3])
        if not _is_number(size) or _root(root) is None:
            at += 1
            continue
        extensions = _extensions(lines, full[at + 2] + 1)
        after = at + 3 + len(extensions)
        signatures, end = _signatures(lines, full, after)
        text = "".join(f"{line}\n" for line in (origin, size, root, *extensions))
        if signatures and read_checkpoint(text) is not None:
            found.append(Note(text, signatures))
        at = end if end > after else at + 1
    return found


def _extensions(lines: list[str], begin: int) -> list[str]:
    """The lines of a head that follow its root at once, up to the blank line or the first signature."""
    found: list[str] = []
    for line in lines[begin : begin + _MOST_EXTENSIONS]:
        if not line or _begun(line) is not None:
            break
        found.append(line)
    return found


def _signatures(lines: list[str], full: list[int], at: int) -> tuple[tuple[Signature, ...], int]:
    """The signatures whose lines stand here, and the place of the first line that belongs to none."""
    found: list[Signature | None] = []
    while at < len(full) and len(found) < _MOST_SIGNATURES:
        begun = _begun(lines[full[at]])
        if begun is None:
            break
        name, encoded = begun
        at += 1
        while at < len(full) and full[at] == full[at - 1] + 1 and _goes_on(encoded, lines[full[at]]):
            encoded += lines[full[at]]
            at += 1
        found.append(_signature(name, encoded))
    return tuple(signature for signature in found if signature is not None), at


def _goes_on(encoded: str, line: str) -> bool:
    """Whether a wrapped signature goes on in this line: up to its padding, for all that we sign ends in that."""
    is_whole = encoded.endswith("=") and len(encoded) % 4 == 0
    return not is_whole and len(encoded) < _LONGEST_SIGNATURE and _PIECE.fullmatch(line) is not None


def _begun(line: str) -> tuple[str, str] | None:
    """The name in a signature line and as much of the signature as stands in it; None where it is none."""
    dash = _DASHED.match(line)
    if dash is None:
        return None
    name, *pieces = line[dash.end() :].split() or ("",)
    encoded = "".join(pieces)
    return (name, encoded) if is_name(name) and (not encoded or _PIECE.fullmatch(encoded)) else None


def _signature(name: str, encoded: str) -> Signature | None:
    packed = _decoded(encoded) if is_name(name) else None
    return Signature(name, packed[:_ID], packed[_ID:]) if packed is not None and len(packed) > _ID else None


def _root(encoded: str) -> bytes | None:
    """A root from its base64; None where that is something else."""
    root = _decoded(encoded) if len(encoded) == len(_encoded(bytes(32))) else None
    return root if root is not None and len(root) == 32 else None


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None and int(text) < _NUMBERS


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _decoded(text: str) -> bytes | None:
    """Bytes from their base64; None where it would not be written so."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return data if _encoded(data) == text else None


# ---------------------------------------------------------------- a new key in the place of the one that signs
# The old one signs the new one, so that whoever has the old one can follow.
#
# A change is a signed note of three lines: `change of keys/v1`, the old key, the new one. Both sign it: the old one says who
# comes after it, the new one that it is there. docs/verify.md has the format.


_HEAD = "change of keys/v1"
"""It does not begin with the word by which players write their keys, for those are taken out of letters."""

_MOST = 100


class KeyChange(msgspec.Struct, frozen=True):
    """A note that says that a key has come in the place of another. It counts only where both signed it."""

    old: Key
    new: Key
    note: Note

    def is_true(self, verify: Verify) -> bool:
        """Whether both keys signed it."""
        return is_signed(self.note, self.old, verify) and is_signed(self.note, self.new, verify)


Sign = Callable[[bytes], bytes]


def change_note(old: Key, sign_old: Sign, new: Key, sign_new: Sign) -> str:
    """The note by which a new key takes the place of an old one, signed by both."""
    text = f"{_HEAD}\n{old.text()}\n{new.text()}\n"
    return note(text, [signed(text, old, sign_old), signed(text, new, sign_new)])


def read_change(written: str) -> KeyChange | None:
    """The change that this text is exactly; None where it is none."""
    found = read_note(written)
    return _change(found) if found else None


def read_changes(letter: str) -> tuple[KeyChange, ...]:
    """Every change that stands in the plain text of a letter whose lines were not broken, as programs write them."""
    lines = plain_lines(letter)
    starts = [at for at, line in enumerate(lines) if line == _HEAD][:_MOST]
    found = (
        _change(Note("".join(f"{line}\n" for line in lines[at : at + 3]), signatures_at(lines, at + 3)))
        for at in starts
    )
    return tuple(dict.fromkeys(change for change in found if change is not None))


def _change(found: Note) -> KeyChange | None:
    head, *keys = found.text.split("\n")[:-1]
    old, new = (read_key(key) for key in keys) if len(keys) == 2 else (None, None)
    if head != _HEAD or old is None or new is None or old == new:
        return None
    own = old.kind == new.kind == ED25519 and old.name == new.name
    return KeyChange(old, new, found) if own else None


def lineage(key: Key | None, changes: Iterable[str], verify: Verify) -> tuple[Key, ...] | None:
    """All keys that led to this one by these notes, the oldest first; None where one does not follow from the one before."""
    read = [read_change(written) for written in changes]
    found: list[Key] = []
    for change in read:
        if change is None or not change.is_true(verify) or (found and found[-1] != change.old):
            return None
        found += [change.new] if found else [change.old, change.new]
    if not found:
        return () if key is None else (key,)
    return tuple(found) if found[-1] == key and len(set(found)) == len(found) else None


def followers(key: Key, changes: Iterable[KeyChange], verify: Verify) -> tuple[Key, ...]:
    """A key, and those that came in its place one after the other by true changes, whatever it is used for."""
    by_old = {(change.old.name, change.old.public): change for change in changes if change.is_true(verify)}
    found = [key]
    while (after := by_old.pop((found[-1].name, found[-1].public), None)) is not None:
        found.append(msgspec.structs.replace(after.new, kind=key.kind))
    return tuple(found)
