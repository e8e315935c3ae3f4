"""Dice that nobody can doubt: every face is a function of a committed secret and of its purpose."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from typing import Protocol

_WIDTH = 1 << 256


class Exhausted(Exception):
    """A scripted or recorded die was asked for that is not there."""


class Chance(Protocol):
    """A source of faces. `purpose` names phase and reason, `index` counts dice of that purpose from 0."""

    def face(self, purpose: str, index: int, sides: int) -> int:
        """A face from 1 to `sides`."""
        ...


def commitment(secret: bytes) -> str:
    """SHA-256 of the match secret in hex: published in the first letter, checked with the last."""
    return hashlib.sha256(secret).hexdigest()


class Keyed:
    """Play: HMAC-SHA256(secret, epoch / purpose / index / attempt), rejection-sampled to be exactly fair.

    Keyed by purpose and not by place in a stream, so one player's extra roll never shifts another's dice.
    """

    def __init__(self, secret: bytes, epoch: int) -> None:
        self._secret = secret
        self._epoch = epoch

    def face(self, purpose: str, index: int, sides: int) -> int:
        """A face from 1 to `sides`; the same arguments always give the same face."""
        limit = _WIDTH - _WIDTH % sides
        attempt = 0
        while True:
            message = f"{self._epoch}/{purpose}/{index}/{attempt}".encode()
            number = int.from_bytes(hmac.digest(self._secret, message, "sha256"), "big")
            if number < limit:
                return number % sides + 1
            attempt += 1


class Recorded:
    """Replay without the secret: faces looked up by (purpose, index)."""

    def __init__(self, faces: Mapping[tuple[str, int], int]) -> None:
        self._faces = dict(faces)

    def face(self, purpose: str, index: int, sides: int) -> int:
        """The face on record. Raises Exhausted when none is recorded or it does not fit the die."""
        found = self._faces.get((purpose, index))
        if found is None or not 1 <= found <= sides:
            raise Exhausted(f"no d{sides} on record for {purpose}, die {index + 1}")
        return found


class Scripted:
    """Cases: faces in the order in which they are asked for, such as `DICE 6 6 1`."""

    def __init__(self, faces: Iterable[int], then: Chance | None = None) -> None:
        self._faces = iter(faces)
        self._then = then

    def face(self, purpose: str, index: int, sides: int) -> int:
        """The next scripted face. Raises Exhausted at the end unless `then` goes on, ValueError on a misfit."""
        try:
            found = next(self._faces)
        except StopIteration:
            if self._then is None:
                raise Exhausted(f"the script has no die left for {purpose} (d{sides})") from None
            return self._then.face(purpose, index, sides)
        if not 1 <= found <= sides:
            raise ValueError(f"{found} is no face of a d{sides} ({purpose})")
        return found

    def left(self) -> tuple[int, ...]:
        """The scripted faces nobody asked for; empties the script."""
        return tuple(self._faces)
