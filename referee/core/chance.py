"""Dice that nobody can doubt: a face is a function of its purpose and of a key, which is made when all letters are sealed.

The key of a throw comes from a secret that was committed to beforehand (one link of a chain of hashes), from the log's
head, which covers every letter, and from public randomness where the match asks for it. docs/verify.md has the format.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol

_WIDTH = 1 << 256


class Exhausted(Exception):
    """A scripted or recorded die was asked for that is not there."""


class Chance(Protocol):
    """A source of faces. `purpose` names phase and reason, `index` counts dice of that purpose from 0."""

    def face(self, purpose: str, index: int, sides: int, hidden: bool = False) -> int:
        """A face from 1 to `sides`; `hidden` where somebody is not told it before the match is over."""
        ...


def commitment(secret: bytes) -> str:
    """SHA-256 of the match secret in hex: published in the first letter, checked with the last."""
    return hashlib.sha256(secret).hexdigest()


LINKS = 1024
"""So many throws a chain of secrets serves; then the next one is committed to."""
_STRIDE = 32


def link(secret: bytes, chain: int, number: int) -> bytes:
    """A link of a chain of the match secret: each is the SHA-256 of the next; number 0 is published beforehand."""
    kept = _links(secret, chain)
    found = kept[-(-number // _STRIDE)]
    for _ in range(-number % _STRIDE):
        found = hashlib.sha256(found).digest()
    return found


@lru_cache(maxsize=256)
def _links(secret: bytes, chain: int) -> tuple[bytes, ...]:
    """Every 32nd link, from number 0; those between are hashed anew."""
    found = hmac.digest(secret, f"chain/{chain}".encode(), "sha256")
    kept = [found]
    for number in reversed(range(LINKS)):
        found = hashlib.sha256(found).digest()
        if number % _STRIDE == 0:
            kept.append(found)
    return tuple(reversed(kept))


def hidden_link(secret: bytes) -> bytes:
    """The key of throws that somebody is not told before the match secret is published."""
    return hmac.digest(secret, b"hidden", "sha256")


def key_of(link: bytes, head: str, signature: bytes = b"") -> bytes:
    """The key of a throw: of a link, of the hash of the sealed entry in hex, and of a beacon's signature if there is one."""
    randomness = hashlib.sha256(signature).digest() if signature else b""
    return hmac.digest(link, bytes.fromhex(head) + randomness, "sha256")


class Keyed:
    """Play: HMAC-SHA256(key, stream / purpose / index / attempt), rejection-sampled to be exactly fair.

    Keyed by purpose and not by place in a stream, so one player's extra roll never shifts another's dice. The stream is 0
    in a match; a caller that tries several throws of the same key numbers them.
    """

    def __init__(self, key: bytes, stream: int = 0) -> None:
        self._key = key
        self._stream = stream

    def face(self, purpose: str, index: int, sides: int, hidden: bool = False) -> int:
        """A face from 1 to `sides`; the same arguments always give the same face."""
        limit = _WIDTH - _WIDTH % sides
        attempt = 0
        while True:
            message = f"{self._stream}/{purpose}/{index}/{attempt}".encode()
            number = int.from_bytes(hmac.digest(self._key, message, "sha256"), "big")
            if number < limit:
                return number % sides + 1
            attempt += 1


class Scripted:
    """Cases: faces in the order in which they are asked for, such as `DICE 6 6 1`."""

    def __init__(self, faces: Iterable[int], then: Chance | None = None) -> None:
        self._faces = iter(faces)
        self._then = then

    def face(self, purpose: str, index: int, sides: int, hidden: bool = False) -> int:
        """The next scripted face. Raises Exhausted at the end unless `then` goes on, ValueError on a misfit."""
        try:
            found = next(self._faces)
        except StopIteration:
            if self._then is None:
                raise Exhausted(f"the script has no die left for {purpose} (d{sides})") from None
            return self._then.face(purpose, index, sides, hidden)
        if not 1 <= found <= sides:
            raise ValueError(f"{found} is no face of a d{sides} ({purpose})")
        return found

    def left(self) -> tuple[int, ...]:
        """The scripted faces nobody asked for; empties the script."""
        return tuple(self._faces)
