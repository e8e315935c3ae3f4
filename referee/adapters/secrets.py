"""Unguessable values, and guessable ones for demos and tests."""

from __future__ import annotations

import base64
import hmac
import itertools
import secrets
import threading


def _token(ten_bytes: bytes) -> str:
    # Mail programs change capitals in addresses, so a token has none.
    return base64.b32encode(ten_bytes).decode().lower()


class SystemSecrets:
    """Values from the operating system's source."""

    def token(self) -> str:
        """A reply token: 16 lower-case base32 characters (80 bits)."""
        return _token(secrets.token_bytes(10))

    def secret(self) -> bytes:
        """32 random bytes."""
        return secrets.token_bytes(32)


class SeededSecrets:
    """The same values for the same seed, in the same order: for demos and tests, never for play."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._count = itertools.count()
        self._taking = threading.Lock()

    def token(self) -> str:
        """The next token: 16 lower-case base32 characters."""
        return _token(self.secret()[:10])

    def secret(self) -> bytes:
        """The next 32 bytes."""
        with self._taking:
            number = next(self._count)
        return hmac.digest(self._seed, str(number).encode(), "sha256")
