"""Room on the disk: letters are put off before it is full, so that the desk can still work and the keeper still log in."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

_LOOK_AGAIN = 1.0


class NoRoom(OSError):
    """There is less free on the disk than is to be kept free: letters are to be sent again later."""


class Room:
    """Whether more is free under a folder than `reserve` bytes; looked at once a second at most, by any thread."""

    def __init__(self, folder: Path, reserve: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.reserve = reserve
        self._folder = folder
        self._clock = clock
        self._again = float("-inf")
        self._enough = True

    def __call__(self) -> bool:
        now = self._clock()
        if now >= self._again:
            self._enough = not self.reserve or shutil.disk_usage(self._folder).free >= self.reserve
            self._again = now + _LOOK_AGAIN
        return self._enough
