"""The public key of a chain of the scheme bls-unchained-g1-rfc9380, and whether it signed a round.

Signatures lie on G1 of BLS12-381 and keys on G2, both compressed. The SHA-256 of the round's number is signed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256


@contextmanager
def _with_the_limit_of_recursion_as_it_is() -> Iterator[None]:
    """The library raises it to 100,000 for the whole program: a letter nested without end would end the desk then."""
    limit = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(limit)


with _with_the_limit_of_recursion_as_it_is():
    from py_ecc.bls.g2_primitives import pubkey_to_G1, signature_to_G2, subgroup_check
    from py_ecc.bls.hash_to_curve import hash_to_G1
    from py_ecc.bls.typing import G1Uncompressed, G2Uncompressed
    from py_ecc.optimized_bls12_381 import FQ12, G2, final_exponentiate, is_inf, neg, pairing

SUITE = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
"""Keeps a hash for this scheme from being one for another (RFC 9380, section 3.1)."""

_SIGNATURE_BYTES = 48
_KEY_BYTES = 96


class Key:
    """A public key in its 96 bytes. Raises ValueError for bytes that are none."""

    def __init__(self, raw: bytes) -> None:
        self._point = _key_point(raw)

    def signed(self, round: int, signature: bytes) -> bool:
        """Whether this is the signature of that round; there is exactly one, in exactly one encoding of 48 bytes."""
        try:
            point = _signature_point(signature)
        except ValueError:
            return False
        ours = pairing(G2, point, final_exponentiate=False)
        theirs = pairing(self._point, neg(message_point(round)), final_exponentiate=False)
        return bool(final_exponentiate(ours * theirs) == FQ12.one())


def message_point(round: int) -> G1Uncompressed:
    """The point of G1 that is signed for a round."""
    return hash_to_G1(sha256(round.to_bytes(8, "big")).digest(), SUITE, sha256)  # type: ignore[arg-type]


def _signature_point(raw: bytes) -> G1Uncompressed:
    # The library names its functions by a scheme that has keys on G1 and signatures on G2; ours has them the other way round.
    if len(raw) != _SIGNATURE_BYTES:
        raise ValueError(f"a signature has {_SIGNATURE_BYTES} bytes, not {len(raw)}")
    point = pubkey_to_G1(raw)  # type: ignore[arg-type]
    # A point of small order added to a true signature pairs like it, and would give whoever adds it a choice of randomness.
    if is_inf(point) or not subgroup_check(point):
        raise ValueError("no point of the group of signatures")
    return point


@lru_cache(16)
def _key_point(raw: bytes) -> G2Uncompressed:
    if len(raw) != _KEY_BYTES:
        raise ValueError(f"a key has {_KEY_BYTES} bytes, not {len(raw)}")
    point = signature_to_G2(raw)  # type: ignore[arg-type]
    if is_inf(point) or not subgroup_check(point):
        raise ValueError("no point of the group of keys")
    return point
