"""Unguessable values: tokens, secrets, and access tokens of providers."""

from __future__ import annotations

import base64
import secrets
import shlex
import subprocess
from collections.abc import Sequence

# ---------------------------------------------------------------- access token
# OAuth2 access tokens, printed by a program of the host's: they live for about an hour, so every login asks for one.


class NoToken(Exception):
    """The program printed no token; the message is fit to be shown to the keeper and holds nothing it printed."""


def access_token(command: Sequence[str], timeout: float) -> str:
    """What the command prints, within so many seconds. Raises NoToken when it fails."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        # The command's output is left out: it may hold the token.
        raise NoToken(f"the token command {shlex.quote(command[0])} failed: {type(error).__name__}") from error
    return done.stdout.decode("ascii", "replace").strip()


# ---------------------------------------------------------------- unguessable values


class SystemSecrets:
    """Values from the operating system's source."""

    def token(self) -> str:
        """A reply token: 16 lower-case base32 characters (80 bits)."""
        # Mail programs change capitals in addresses, so a token has none.
        return base64.b32encode(secrets.token_bytes(10)).decode().lower()

    def secret(self) -> bytes:
        """32 random bytes."""
        return secrets.token_bytes(32)
