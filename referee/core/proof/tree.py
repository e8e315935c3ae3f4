"""The Merkle tree over a log (RFC 6962, RFC 9162): one root for all its entries, and short proofs of what it holds.

A leaf is the hash of an entry, 32 bytes. Who has a root needs no log to check that a leaf stands where it is said to
stand, or that a longer log only went on from a shorter one: a dozen hashes for a log of some thousand entries.
A root does not hold its size, so both are signed together: see signed_note.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

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
