"""The note of which letter the desk has in hand, on a file that outlives it, and the clock that ends a desk kept too long.

A letter may keep the desk in one call of a library, for hours, in which no line of ours runs. So it is the system that
counts the seconds of computing and ends the process, and a handler in C that first writes down where it was. Seconds of
waiting, for a lock or on a slow machine, are not counted; for those the service looks at the note now and then.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path

import msgspec

from referee.service.base.ports import Left

_SIZE = 64


class Held(msgspec.Struct, frozen=True):
    """The letter a desk is at, or was at when it ended: its number, the desk's process, and for how many seconds."""

    letter: int
    process: int
    seconds: float


def held(path: Path) -> Held | None:
    """What the note says; None when no letter was in hand."""
    try:
        said = path.read_bytes().split()
        letter, process, since = map(int, said[:3])
    except (OSError, ValueError):
        return None
    return Held(letter, process, (time.monotonic_ns() - since) / 1e9) if letter else None


def at_hand(path: Path) -> Held | None:
    """What the note says of a desk that is at work; None where none is, or it has no letter in hand."""
    found = held(path)
    with suppress(OSError):
        if found is not None:
            os.kill(found.process, 0)
            return found
    return None


class _At:
    """While the desk is at a letter: the note says which, and the clock runs. A plain object, for every letter needs two."""

    __slots__ = ("_letter", "_note", "_seconds")

    def __init__(self, letter: int, note: Callable[[int], None], seconds: float) -> None:
        self._letter, self._note, self._seconds = letter, note, seconds

    def __enter__(self) -> None:
        self._note(self._letter)
        signal.setitimer(signal.ITIMER_PROF, self._seconds)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        self._note(0)


class NotedHand:
    """The desk's hand. Made once in its process, where no other desk works on this folder.

    `seconds` of computing is how long a letter may take.
    """

    def __init__(self, path: Path, seconds: float) -> None:
        self._seconds, self._process = seconds, os.getpid()
        was, trace = held(path), path.with_suffix(".trace")
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._trace = os.open(trace, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_APPEND, 0o600)
        where = os.read(self._trace, 20_000).decode("utf-8", "replace")
        self._left = Left(was.letter, where) if was is not None else None
        faulthandler.register(signal.SIGPROF, file=self._trace, all_threads=True, chain=True)

    def on(self, letter: int) -> AbstractContextManager[None]:
        """The desk is at this letter. If it computes too long the process ends, and the note stays."""
        return _At(letter, self._note, self._seconds)

    def left(self) -> Left | None:
        """What the desk before this one had in hand when it ended, until that is settled."""
        return self._left

    def settled(self) -> None:
        """It is known in the store what became of that letter."""
        self._left = None
        self._note(0)
        with suppress(OSError):
            os.truncate(self._trace, 0)

    def _note(self, letter: int) -> None:
        # Not brought to the disk: it must outlive the process, not the machine.
        said = b"%d %d %d" % (letter, self._process, time.monotonic_ns())
        try:
            os.pwrite(self._file, said.ljust(_SIZE), 0)
        except OSError:
            return  # on a full disk the letters go on

    def close(self) -> None:
        """Let go of the files."""
        faulthandler.unregister(signal.SIGPROF)
        os.close(self._trace)
        os.close(self._file)
