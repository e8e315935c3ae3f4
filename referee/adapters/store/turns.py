"""Taking turns across processes: a lock on a file, for which the system makes the others wait and which no death keeps."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_TRIES, _MOMENT = 10, 0.05


class Turns:
    """Who holds the file has the turn. Waiting costs nothing and ends at once when the turn is free.

    SQLite's own waiting asks again after longer and longer pauses, so that a busy process would starve the others.
    """

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    @contextmanager
    def mine(self) -> Iterator[None]:
        """Wait for the turn and have it. For one thread at a time: threads of one process do not keep each other out."""
        fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def take(self) -> bool:
        """Have the turn until `close`, or until this process ends; False when another process keeps it.

        One that just dies, or only looked whether it is taken, has let go of it a moment later.
        """
        for _ in range(_TRIES):
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(_MOMENT)
            else:
                os.truncate(self._file, 0)
                os.pwrite(self._file, str(os.getpid()).encode(), 0)
                return True
        return False

    def holder(self) -> int:
        """The process that took the turn last, 0 where none ever did."""
        said = os.pread(self._file, 20, 0)
        return int(said) if said.isdigit() else 0

    def is_taken(self) -> bool:
        """Whether another process has the turn at this moment."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        fcntl.flock(self._file, fcntl.LOCK_UN)
        return False

    def close(self) -> None:
        """Let go of the file, and of the turn."""
        os.close(self._file)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until no other process holds this file, and hold it."""
    turns = Turns(path)
    try:
        with turns.mine():
            yield
    finally:
        turns.close()
