"""witnessed.txt of an archive: the last head that each witness signed, with its key; and what a verifier makes of it.

A key in this file is the host's word for it: a reader who wants more asks the witness for its key, or compares it with the answers
that it gives to other hosts.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from referee.core.proof.signed_note import (
    COSIGNATURE,
    Key,
    Note,
    Verify,
    cosigned_at,
    is_signed,
    read_keys,
    read_notes,
)
from referee.core.proof.tree import is_head
from referee.service.match.witnesses import named
from referee.service.ports import Step
from referee.service.times import stamp

NAME = "witnessed.txt"
"""How the file is called."""


class Checked(msgspec.Struct, frozen=True):
    """What the witnesses of a match signed, a sentence each, and what is wrong; "" for nothing."""

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


def _wrong(head: Note, match: str, keys: Sequence[Key], leaves: Sequence[bytes], verify: Verify) -> str:
    """What is wrong with a head of the file, whoever witnessed it; "" for nothing."""
    checkpoint = head.checkpoint()
    if checkpoint is None or checkpoint.origin.rpartition("/")[2] != match:
        return f"a head in {NAME} is none of {match}"
    if not any(is_signed(head, key, verify) for key in keys):
        return f"a head in {NAME} does not bear the signature of {keys[-1].name}"
    if not is_head(leaves, checkpoint.size, checkpoint.root):
        return f"a witness signed a head of {checkpoint.size} entries that is none of this log"
    return ""


def _signed(head: Note, witness: Key) -> str:
    """What a witness signed, and when by its own word."""
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
