"""How a process of ours ends: when it is asked to, and in time, saying what kept it if not."""

from __future__ import annotations

import faulthandler
import queue
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["ASKING", "Asked", "born_deaf", "leave_within"]

ASKING = (signal.SIGINT, signal.SIGTERM)
"""The signals by which a process is asked to end."""


class Asked:
    """Hears from now on when this process is asked to end. Made in the main thread."""

    def __init__(self) -> None:
        # A handler runs between any two steps of the main thread, also while that takes or holds a lock. An Event that is
        # set there while the main thread begins to wait for it keeps both waiting for ever; a SimpleQueue has no such step.
        self._heard: queue.SimpleQueue[int] = queue.SimpleQueue()
        for name in ASKING:
            signal.signal(name, lambda number, _: self._heard.put(number))

    def wait(self) -> None:
        """Wait until it is asked; returns at once if it was."""
        self._heard.get()


@contextmanager
def born_deaf() -> Iterator[None]:
    """A process started meanwhile by this thread never hears that it is asked to end, from its first moment on."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ASKING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_within(seconds: float) -> None:
    """End this process at the latest then, whatever its threads do; where each of them stood goes to standard error."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__ or 2)
