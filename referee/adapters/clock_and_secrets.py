"""Clocks: the system's, and one that another process turns; unguessable values; the cipher of sealed turns."""

from __future__ import annotations

import base64
import secrets
import shlex
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from referee.adapters.files import write_whole
from referee.service.base.ports import Uptime

# ---------------------------------------------------------------- clocks
# The system's, and one that another process turns through a file.


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} names no time zone")
    return moment.astimezone(UTC)


class SystemClock:
    """The time of this machine."""

    def now(self) -> datetime:
        """The present moment, UTC, aware."""
        return datetime.now(UTC)


_KERNEL = Path("/proc")


def uptime() -> Uptime | None:
    """The seconds that Linux counts of itself, sleep included, whatever its clock says; None on a machine that does not tell."""
    try:
        boot = (_KERNEL / "sys/kernel/random/boot_id").read_text("ascii").strip()
        return Uptime(boot, float((_KERNEL / "uptime").read_text("ascii").split()[0]))
    except (OSError, ValueError, IndexError):
        return None


class FileClock:
    """A clock whose time stands in a file as ISO 8601 text, so that a demo can turn the clock of a running service.

    `now` raises FileNotFoundError without the file, ValueError when the file holds no moment with a time zone.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def now(self) -> datetime:
        """The moment in the file, UTC, aware."""
        return _aware(datetime.fromisoformat(self.path.read_text("ascii").strip()))

    def set(self, moment: datetime) -> None:
        """Write a moment, so that every reader sees the old or the new one."""
        write_whole(self.path, _aware(moment).isoformat().encode() + b"\n")

    def advance(self, delta: timedelta) -> datetime:
        """Turn it on (or back) by so much; the new moment."""
        moment = self.now() + delta
        self.set(moment)
        return moment


# ---------------------------------------------------------------- access token
# OAuth2 access tokens, printed by a program of the host's: they live for about an hour, so every login asks for one.


class NoToken(Exception):
    """The program printed no token; the message is fit to be shown to the keeper and holds nothing it printed."""


def access_token(command: Sequence[str], timeout: float) -> str:
    """The command's output, within so many seconds. Raises NoToken when it fails."""
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


# ---------------------------------------------------------------- a cipher
# AES-256-GCM, by which the turns of all seats are sealed.


def encrypt(key: bytes, number: bytes, text: bytes, about: bytes) -> bytes:
    """The text sealed with a key of 32 bytes and a number of 12 that is used once, bound to what it is about; the tag is last."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(key).encrypt(number, text, about)
