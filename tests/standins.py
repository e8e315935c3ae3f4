"""What tests hold in their hand: a clock that stands still, secrets and dice that are known, the letters of a folder."""

from __future__ import annotations

import base64
import hmac
import itertools
import threading
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from referee.core.chance import Exhausted
from referee.service.base.ports import Uptime


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} names no time zone")
    return moment.astimezone(UTC)


class FakeClock:
    """A clock that stands still until it is turned. Raises ValueError for a moment without a time zone."""

    def __init__(self, start: datetime) -> None:
        self._now = _aware(start)
        self._turning = threading.Lock()
        self._boot, self._ran = uuid4().hex, 0.0

    def now(self) -> datetime:
        """The moment it stands at, UTC, aware."""
        with self._turning:
            return self._now

    def advance(self, delta: timedelta) -> datetime:
        """Turn it on (or back) by so much; the new moment. What it is turned on passes as time."""
        with self._turning:
            self._now += delta
            self._ran += max(0.0, delta.total_seconds())
            return self._now

    def set(self, moment: datetime) -> None:
        """Turn it to a moment, up to which time passes."""
        self.advance(_aware(moment) - self.now())

    def leap(self, delta: timedelta) -> None:
        """Show another moment though no time passes."""
        with self._turning:
            self._now += delta

    def uptime(self) -> Uptime:
        """What time has passed, however it leapt."""
        with self._turning:
            return Uptime(self._boot, self._ran)


class SeededSecrets:
    """The same values for the same seed, in the same order: for demos and tests, never for play."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._count = itertools.count()
        self._taking = threading.Lock()

    def token(self) -> str:
        """The next token: 16 lower-case base32 characters."""
        return base64.b32encode(self.secret()[:10]).decode().lower()

    def secret(self) -> bytes:
        """The next 32 bytes."""
        with self._taking:
            number = next(self._count)
        return hmac.digest(self._seed, str(number).encode(), "sha256")


class Recorded:
    """Replay without the secret: faces looked up by (purpose, index)."""

    def __init__(self, faces: Mapping[tuple[str, int], int]) -> None:
        self._faces = dict(faces)

    def face(self, purpose: str, index: int, sides: int, hidden: bool = False) -> int:
        """The face on record. Raises Exhausted when none is recorded or it does not fit the die."""
        found = self._faces.get((purpose, index))
        if found is None or not 1 <= found <= sides:
            raise Exhausted(f"no d{sides} on record for {purpose}, die {index + 1}")
        return found


def read_maildir(path: Path) -> list[bytes]:
    """All letters of a mailbox, read or not, the oldest first; none when there is no mailbox yet."""
    files = [*path.glob("new/*"), *path.glob("cur/*")]
    return [file.read_bytes() for file in sorted(files, key=lambda file: file.name)]
