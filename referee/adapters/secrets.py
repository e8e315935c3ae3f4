"""Unguessable values."""

from __future__ import annotations

import base64
import secrets


class SystemSecrets:
    """Values from the operating system's source."""

    def token(self) -> str:
        """A reply token: 16 lower-case base32 characters (80 bits)."""
        # Mail programs change capitals in addresses, so a token has none.
        return base64.b32encode(secrets.token_bytes(10)).decode().lower()

    def secret(self) -> bytes:
        """32 random bytes."""
        return secrets.token_bytes(32)
