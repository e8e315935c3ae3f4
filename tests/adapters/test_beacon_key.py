"""Rounds of the real chain are known by its key, and nothing else is."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from py_ecc.bls.g2_primitives import G1_to_pubkey, pubkey_to_G1, subgroup_check
from py_ecc.optimized_bls12_381 import add, curve_order, field_modulus, is_inf, multiply, neg

from referee.adapters.beacon.drand import chain_of
from referee.adapters.beacon.key import Key
from referee.config import Chance
from tests.beacon.stand_in import OTHER, public_key, signature

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "beacon" / "vectors.json").read_text("utf-8"))
ROUNDS: dict[int, bytes] = {each["round"]: bytes.fromhex(each["signature"]) for each in VECTORS["rounds"]}
QUICKNET = Chance()
INFINITY = b"\xc0" + bytes(47)


@pytest.fixture(scope="module")
def key() -> Key:
    return Key(bytes.fromhex(QUICKNET.public_key))


@pytest.mark.parametrize("round", ROUNDS)
def test_a_round_of_the_real_chain_is_known_by_its_key(key: Key, round: int) -> None:
    assert key.signed(round, ROUNDS[round])


@pytest.mark.parametrize("each", VECTORS["rounds"], ids=lambda each: str(each["round"]))
def test_randomness_is_the_hash_of_the_signature(each: dict[str, Any]) -> None:
    assert each["randomness"] in (None, sha256(bytes.fromhex(each["signature"])).hexdigest())


def test_the_hash_of_the_chain_binds_its_key_and_its_time() -> None:
    chain = chain_of(QUICKNET)
    seed = bytes.fromhex(VECTORS["group_hash"]) + b"quicknet"
    bound = struct.pack(">Iq", chain.period, chain.genesis) + bytes.fromhex(QUICKNET.public_key) + seed
    assert sha256(bound).hexdigest() == chain.hash


def test_another_rounds_signature_is_refused(key: Key) -> None:
    assert not key.signed(2, ROUNDS[1])


def test_another_chains_signature_is_refused(key: Key) -> None:
    fastnet = VECTORS["of_fastnet"]
    assert not key.signed(fastnet["round"], bytes.fromhex(fastnet["signature"]))
    assert not key.signed(1, signature(OTHER, 1))


def changed(raw: bytes, place: int, bits: int) -> bytes:
    """With these bits of a byte turned over."""
    return bytes(byte ^ (bits if number == place else 0) for number, byte in enumerate(raw))


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        ROUNDS[1][:-1],
        ROUNDS[1] + b"\x00",
        ROUNDS[1] * 2,
        bytes(48),
        b"\xff" * 48,
        INFINITY,
        changed(INFINITY, 0, 0x20),
        changed(ROUNDS[1], 0, 0x80),  # said to be uncompressed
        changed(ROUNDS[1], 0, 0x40),  # said to be infinity
        changed(ROUNDS[1], 0, 0x20),  # the point below
        (field_modulus | 1 << 383).to_bytes(48, "big"),
    ],
    ids=lambda raw: f"{len(raw)} bytes {raw[:2].hex()}",
)
def test_what_is_no_signature_is_refused(key: Key, wrong: bytes) -> None:
    assert not key.signed(1, wrong)


def beside_the_group() -> bytes:
    """A point of the curve that lies outside of the group of signatures."""
    for x in range(1, 100):
        raw = (x | 1 << 383).to_bytes(48, "big")
        try:
            point = pubkey_to_G1(raw)  # type: ignore[arg-type]
        except ValueError:
            continue
        if not subgroup_check(point):
            return raw
    raise AssertionError("no such point")


def test_a_point_beside_the_group_is_refused(key: Key) -> None:
    assert not key.signed(1, beside_the_group())


def test_a_true_signature_with_a_point_of_small_order_added_is_refused(key: Key) -> None:
    """It pairs like the true one and hashes to something else: who could add it could choose his dice."""
    small = multiply(pubkey_to_G1(beside_the_group()), curve_order)  # type: ignore[arg-type]
    assert not is_inf(small)
    true = pubkey_to_G1(ROUNDS[1])  # type: ignore[arg-type]
    assert not key.signed(1, bytes(G1_to_pubkey(add(true, small))))


def test_the_negative_of_a_true_signature_is_refused(key: Key) -> None:
    assert not key.signed(1, bytes(G1_to_pubkey(neg(pubkey_to_G1(ROUNDS[1])))))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong", [b"", ROUNDS[1], bytes(96), b"\xc0" + bytes(95), changed(public_key(OTHER), 95, 1)], ids=len
)
def test_what_is_no_key_is_refused(wrong: bytes) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Key(wrong)


def test_a_chain_of_ones_own_has_its_own_key(key: Key) -> None:
    own = Key(public_key(OTHER))
    assert own.signed(7, signature(OTHER, 7))
    assert not own.signed(1, ROUNDS[1])


def test_the_library_leaves_the_limit_of_recursion_as_it_was() -> None:
    """It raises it a hundredfold where it is imported; a letter nested without end would end the desk then."""
    limit = "print(sys.getrecursionlimit())"
    said = f"import sys; {limit}; import referee.adapters.beacon.key; {limit}"
    ran = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    before, after = ran.stdout.split()
    assert before == after
