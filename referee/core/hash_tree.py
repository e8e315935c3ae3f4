"""Trees of hashes, and what a witness checks of them."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from referee.core.signed_note import Checkpoint, Note, plain_lines, read_notes

EMPTY = hashlib.sha256(b"").digest()
"""The root of the tree without leaves."""

_HASH = 32
_SIZES = 1 << 63
"""Every size is below; a larger one in a letter is a joke, and would only cost time."""


def _leaf(data: bytes) -> bytes:
    # Leaves and nodes are hashed apart, so that no node can be shown as a leaf.
    return hashlib.sha256(b"\x00" + data).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def _push(roots: list[bytes], size: int, leaf: bytes) -> None:
    """Set a leaf behind `size` others: every complete subtree that ended here grows together with its neighbour."""
    grown = _leaf(leaf)
    while size & 1:
        grown = _node(roots.pop(), grown)
        size >>= 1
    roots.append(grown)


class Tree(msgspec.Struct, frozen=True):
    """A tree as far as it must be known to grow: its size, and the roots of its complete subtrees, the largest first."""

    size: int = 0
    roots: tuple[bytes, ...] = ()

    @staticmethod
    def of(leaves: Iterable[bytes]) -> Tree:
        """The tree of these leaves."""
        size, roots = 0, list[bytes]()
        for leaf in leaves:
            _push(roots, size, leaf)
            size += 1
        return Tree(size, tuple(roots))

    def grown(self, leaf: bytes) -> Tree:
        """The tree with one leaf more."""
        roots = list(self.roots)
        _push(roots, self.size, leaf)
        return Tree(self.size + 1, tuple(roots))

    def root(self) -> bytes:
        """The hash that stands for all leaves in their order."""
        if not self.roots:
            return EMPTY
        *left, root = self.roots
        for subtree in reversed(left):
            root = _node(subtree, root)
        return root


def _root(leaves: Sequence[bytes], begin: int, end: int) -> bytes:
    return Tree.of(leaves[begin:end]).root()


def _split(size: int) -> int:
    """Where a tree of more than one leaf parts: the largest power of two below its size."""
    return 1 << (size - 1).bit_length() - 1


def is_head(leaves: Sequence[bytes], size: int, root: bytes) -> bool:
    """Whether the first `size` of these leaves are there and have this root."""
    return size <= len(leaves) and Tree.of(leaves[:size]).root() == root


def consistency(leaves: Sequence[bytes], old: int, new: int) -> tuple[bytes, ...]:
    """The proof that the tree of the first `new` leaves went on from that of the first `old`. Raises ValueError beyond them.

    From nothing, and where nothing was added, there is nothing to prove: then it is empty.
    """
    if not 0 <= old <= new <= len(leaves):
        raise ValueError(f"no tree of {new} leaves that went on from {old}, of {len(leaves)} leaves")
    proof: list[bytes] = []
    begin, end = 0, new
    while 0 < old < end:
        middle = begin + _split(end - begin)
        if old <= middle:
            proof.append(_root(leaves, middle, end))
            end = middle
        else:
            proof.append(_root(leaves, begin, middle))
            begin = middle
    if begin:  # else what is left is the old tree itself, whose root the reader has
        proof.append(_root(leaves, begin, end))
    return tuple(reversed(proof))


def is_consistent(old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the new tree has the leaves of the old one first (RFC 9162, 2.1.4.2).

    Every tree goes on from the empty one, and each from itself, with no proof.
    """
    if not (0 <= old <= new < _SIZES and _are_hashes(old_root, new_root, *proof)):
        return False
    if not old:
        return not proof and old_root == EMPTY and (new > 0 or new_root == EMPTY)
    if old == new or not proof:
        return old == new and not proof and old_root == new_root
    first, *others = proof if old & (old - 1) else (old_root, *proof)
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    found_old = found_new = first
    for beside in others:
        if not last:
            return False
        if place & 1 or place == last:
            found_old, found_new = _node(beside, found_old), _node(beside, found_new)
            place, last = _lifted(place, last)
        else:
            found_new = _node(found_new, beside)
        place, last = place >> 1, last >> 1
    return not last and (found_old, found_new) == (old_root, new_root)


def _lifted(place: int, last: int) -> tuple[int, int]:
    """Up the right edge of the tree, past the floors on which the last subtree has no neighbour."""
    while place and not place & 1:
        place, last = place >> 1, last >> 1
    return place, last


def _are_hashes(*values: bytes) -> bool:
    """Whether each has the length of a hash: two of other lengths could be read as one pair in two ways."""
    return all(len(value) == _HASH for value in values)


# ---------------------------------------------------------------- a witness of logs
# The requests to a witness (C2SP tlog-witness), and whether a head goes on from the one it saw before.
#
# A witness sees origins, sizes and hashes, nothing of what a log says. It signs each head that it saw to go on from the last;
# so whoever shows two players two logs must show one of them a log that no witness signs.


_OLD = re.compile("old (0|[1-9][0-9]{0,18})", re.ASCII)
_MOST = 63

Found = Literal["goes on", "known", "key", "size", "root", "proof"]
"""A witness's finding about a head. It `goes on` from the last one, or is the first; it is `known`, or proved from another one than
the last, and what the witness signed last is the answer; or it cannot be: another `key`, a smaller `size`, the same with another
`root`, a wrong `proof`."""


class Ask(msgspec.Struct, frozen=True):
    """A head that a witness is asked to sign, and the proof that it goes on from one of `old` entries."""

    old: int
    proof: tuple[bytes, ...]
    note: Note
    head: Checkpoint


def ask_text(old: int, proof: Sequence[bytes], note: str) -> str:
    """A question to a witness, in lines."""
    return "\n".join((f"old {old}", *(base64.b64encode(each).decode() for each in proof), "", note))


def read_ask(letter: str) -> Ask | None:
    """The question to a witness in the plain text of a letter; None if there is none."""
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
    """A witness's finding about a head; `last` is the one it signed before, None if it never saw this log."""
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
