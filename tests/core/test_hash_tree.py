"""The Merkle tree of a log: the published roots, and every proof of small trees against the definition of RFC 9162."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import islice

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.hash_tree import EMPTY, Tree, consistency, is_consistent

INPUTS = [bytes.fromhex(text) for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657")]
INPUTS.append(bytes(range(0x60, 0x70)))
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""The roots that Certificate Transparency's reference tests publish for the first inputs, from none to all eight."""

PUBLISHED = {
    (1, 8): (
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ),
    (6, 8): (
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
}

MOST = 40
LEAVES = [hashlib.sha256(b"%d" % number).digest() for number in range(MOST)]


def naive_root(leaves: Sequence[bytes]) -> bytes:
    """MTH, as RFC 9162 writes it."""
    if len(leaves) < 2:
        return hashlib.sha256(b"\x00" + leaves[0] if leaves else b"").digest()
    middle = naive_split(len(leaves))
    return hashlib.sha256(b"\x01" + naive_root(leaves[:middle]) + naive_root(leaves[middle:])).digest()


def naive_split(size: int) -> int:
    return max(power for power in (1, 2, 4, 8, 16, 32, 64) if power < size)


def naive_proof(old: int, leaves: Sequence[bytes], is_known: bool = True) -> tuple[bytes, ...]:
    """SUBPROOF, as RFC 9162 writes it."""
    if old == len(leaves):
        return () if is_known else (naive_root(leaves),)
    middle = naive_split(len(leaves))
    if old <= middle:
        return (*naive_proof(old, leaves[:middle], is_known), naive_root(leaves[middle:]))
    return (*naive_proof(old - middle, leaves[middle:], False), naive_root(leaves[:middle]))


ROOT = [naive_root(LEAVES[:size]) for size in range(MOST + 1)]


def test_the_roots_are_those_that_are_published() -> None:
    assert [Tree.of(INPUTS[:size]).root().hex() for size in range(9)] == list(ROOTS)
    assert bytes.fromhex(ROOTS[0]) == EMPTY == Tree().root()


def test_the_proofs_are_those_that_are_published() -> None:
    assert {pair: tuple(h.hex() for h in consistency(INPUTS, *pair)) for pair in PUBLISHED} == PUBLISHED


def test_a_tree_grows_leaf_by_leaf_to_what_it_is_as_a_whole() -> None:
    tree = Tree()
    for size, leaf in enumerate(LEAVES, start=1):
        tree = tree.grown(leaf)
        assert tree == Tree.of(LEAVES[:size])
        assert (tree.size, tree.root()) == (size, ROOT[size])
        assert len(tree.roots) == size.bit_count()


def test_a_tree_can_be_kept_as_text() -> None:
    tree = Tree.of(LEAVES[:13])
    assert msgspec.json.decode(msgspec.json.encode(tree), type=Tree).grown(LEAVES[13]) == Tree.of(LEAVES[:14])


@pytest.mark.parametrize("new", range(MOST + 1))
def test_every_tree_is_proved_to_go_on_from_every_smaller_one(new: int) -> None:
    for old in range(new + 1):
        proof = consistency(LEAVES, old, new)
        assert proof == (naive_proof(old, LEAVES[:new]) if 0 < old < new else ())
        assert is_consistent(old, ROOT[old], new, ROOT[new], proof)
        assert not is_consistent(old, ROOT[old], new, ROOT[new], (*proof, ROOT[3]))
        assert not is_consistent(old, ROOT[old], new, ROOT[new], proof[1:]) or not proof
        assert not is_consistent(old, ROOT[old - 1], new, ROOT[new], proof)
        assert not is_consistent(new + 1, ROOT[old], new, ROOT[new], proof)
        if old:  # the empty tree goes on to any
            assert not is_consistent(old, ROOT[old], new, EMPTY, proof)


def test_a_log_that_was_written_anew_has_no_proof() -> None:
    forged = [*LEAVES[:4], b"\x00" * 32, *LEAVES[5:]]
    for new in range(6, MOST + 1):
        root = Tree.of(forged[:new]).root()
        assert not is_consistent(5, ROOT[5], new, root, consistency(forged, 5, new))
        assert not is_consistent(5, ROOT[5], new, root, consistency(LEAVES, 5, new))


@pytest.mark.parametrize(("old", "new"), [(4, 3), (-1, 3), (0, MOST + 1)])
def test_what_no_tree_went_on_from_is_not_proved(old: int, new: int) -> None:
    with pytest.raises(ValueError, match=f"of {MOST} leaves"):
        consistency(LEAVES, old, new)


def flipped(data: bytes, place: int, bits: int) -> bytes:
    place %= len(data)
    return data[:place] + bytes([data[place] ^ bits]) + data[place + 1 :]


@given(st.integers(2, MOST), st.data(), st.integers(1, 255))
def test_whatever_byte_of_a_proof_is_changed_it_proves_nothing(new: int, data: st.DataObject, bits: int) -> None:
    old = data.draw(st.integers(1, new - 1))
    proof = consistency(LEAVES, old, new)
    parts = [ROOT[old], ROOT[new], *proof]
    which, where = data.draw(st.integers(0, len(parts) - 1)), data.draw(st.integers(0, 31))
    parts[which] = flipped(parts[which], where, bits)
    assert not is_consistent(old, parts[0], new, parts[1], parts[2:])


def test_a_changed_old_size_proves_nothing() -> None:
    for new in range(2, MOST + 1):
        for old in range(1, new):
            proof = consistency(LEAVES, old, new)
            others = [size for size in range(1, new + 1) if size != old]
            assert [size for size in others if is_consistent(size, ROOT[old], new, ROOT[new], proof)] == []


def test_a_root_does_not_hold_its_size() -> None:
    """So a root is worth something only beside its size, under one signature."""
    root, proof = ROOT[5], consistency(LEAVES, 4, 5)
    assert [new for new in range(4, 20) if is_consistent(4, ROOT[4], new, root, proof)] == [5, 6, 7, 8]


HASHES = st.lists(st.binary(max_size=40) | st.sampled_from(ROOT), max_size=70)
SIZES = st.integers() | st.integers(0, 70) | st.sampled_from([1 << 63, (1 << 63) - 1, 1 << 64, 1 << 20_000])


@given(SIZES, SIZES, st.binary(max_size=40), st.binary(max_size=40), HASHES)
def test_whatever_a_stranger_sends_is_judged(
    one: int, other: int, this: bytes, that: bytes, proof: list[bytes]
) -> None:
    assert is_consistent(one, this, other, that, proof) in (False, this in (that, EMPTY))


def test_hashes_of_other_lengths_are_none() -> None:
    (left, right), root = consistency(LEAVES, 1, 4), ROOT[4]
    assert not is_consistent(1, ROOT[1], 4, root, (left + right,))
    assert is_consistent(1, ROOT[1], 4, root, (left, right))


def test_a_tree_costs_two_hashes_a_leaf(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = 0
    real = hashlib.sha256

    def counting(data: bytes) -> object:
        nonlocal counted
        counted += 1
        return real(data)

    monkeypatch.setattr(hashlib, "sha256", counting)
    tree = Tree()
    for leaf in islice(LEAVES * 25, 1000):
        tree = tree.grown(leaf)
    assert counted <= 2000
