"""A witness of logs: what it is asked (C2SP tlog-witness), and whether a head goes on from the one it saw before.

A witness sees origins, sizes and hashes, nothing of what a log says. It signs each head that it saw to go on from the last; so
whoever shows two players two logs must show one of them a log that no witness signs.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from referee.core.proof.signed_note import Checkpoint, Note, plain_lines, read_notes
from referee.core.proof.tree import is_consistent

_OLD = re.compile("old (0|[1-9][0-9]{0,18})", re.ASCII)
_MOST = 63
_HASH = 32

Found = Literal["goes on", "known", "key", "size", "root", "proof"]
"""What a witness finds of a head. It `goes on` from the last one, or is the first; it is `known`, or proved from another one than
the last, and what the witness signed last is the answer; or it cannot be: another `key`, a smaller `size`, the same with another
`root`, a wrong `proof`."""


class Ask(msgspec.Struct, frozen=True):
    """A head that a witness is asked to sign, and the proof that it goes on from one of `old` entries."""

    old: int
    proof: tuple[bytes, ...]
    note: Note
    head: Checkpoint


def ask_text(old: int, proof: Sequence[bytes], note: str) -> str:
    """What a witness is asked, in lines."""
    return "\n".join((f"old {old}", *(base64.b64encode(each).decode() for each in proof), "", note))


def read_ask(letter: str) -> Ask | None:
    """What the plain text of a letter asks of a witness; None where it asks nothing."""
    if "old " not in letter:  # most letters, at next to no cost
        return None
    lines = plain_lines(letter)
    for at, line in enumerate(lines):
        begins = _OLD.fullmatch(line)
        if begins is not None:
            end = next((place for place in range(at + 1, len(lines)) if not lines[place]), len(lines))
            proof = [_hash(each) for each in lines[at + 1 : end][: _MOST + 1]]
            note = next(iter(read_notes("\n".join(lines[end:]))), None)
            head = note.checkpoint() if note else None
            if note is None or head is None or None in proof or len(proof) > _MOST:
                return None
            return Ask(int(begins[1]), tuple(each for each in proof if each is not None), note, head)
    return None


def find(last: Checkpoint | None, ask: Ask) -> Found:
    """What a witness finds of a head, that signed `last` before; None where it never saw this log."""
    head = ask.head
    if last is None:
        return "goes on"
    if head.size < last.size:
        return "size"
    if head.size == last.size:
        return "known" if head.root == last.root else "root"
    if ask.old != last.size:
        return "known"
    return "goes on" if is_consistent(last.size, last.root, head.size, head.root, ask.proof) else "proof"


def _hash(line: str) -> bytes | None:
    try:
        found = base64.b64decode(line, validate=True)
    except ValueError:
        return None
    return found if len(found) == _HASH else None
