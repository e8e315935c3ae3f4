"""How a process of ours ends: when it is asked to, and in time, saying what kept it if not."""

from __future__ import annotations

import faulthandler
import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

ASKING = (signal.SIGINT, signal.SIGTERM)
"""The signals by which a process is asked to end."""


class Asked:
    """Hears from now on when this process is asked to end, or is sent another signal that it heeds (`also`).

    Made once, in the main thread.
    """

    def __init__(self, *also: signal.Signals) -> None:
        # A handler in Python runs only between two steps of the main thread: never, if the signal comes after the last of
        # them and before the system call that waits, or to another thread; and where it does run, the main thread may just
        # hold the lock of the very Event that it sets. What the interpreter writes at the signal itself stays written.
        self._heard, told = os.pipe()
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        for name in (*ASKING, *also):
            signal.signal(name, lambda *_: None)  # heard by what is written; without a handler it would be our end

    def wait(self, seconds: float | None = None) -> int:
        """Wait until it is asked, so many seconds at most; the signal, 0 for none. Returns at once if it was."""
        if seconds is not None and not select.select([self._heard], [], [], seconds)[0]:
            return 0
        return os.read(self._heard, 1)[0]


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
