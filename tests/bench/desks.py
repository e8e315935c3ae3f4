"""The desks of a service in processes of their own, as it runs them; each may be killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf

from referee.adapters.processes.child import Child
from referee.config import Config


class Desks:
    """As many as the settings say. `done` is called whenever one says that it did something; the others are rung then."""

    def __init__(self, config: Config, done: Callable[[], None] = lambda: None) -> None:
        self._done = done
        self._opened = threading.Semaphore(0)
        self._ready_since = inf
        self._all = [
            Child("referee.desk_process", (config, number), partial(self._heard, number))
            for number in range(config.desk.processes)
        ]
        self._alone = "sqlite" in config.database.url
        self.kills = 0

    @property
    def ready(self) -> float:
        """For how many seconds none of them had to be started again."""
        return time.monotonic() - self._ready_since

    @property
    def cpu(self) -> float:
        """Processor time of all that live, in seconds."""
        return sum(_cpu_of(desk.pid) for desk in self._all)

    def start(self) -> None:
        """Start them; returns when all are ready. Raises RuntimeError when one does not come up."""
        for desk in self._all:
            desk.start()
        for _ in self._all:
            if not self._opened.acquire(timeout=60):
                raise RuntimeError("a desk did not come up")

    def letters_came(self) -> None:
        """Ring who takes letters out of the mailbag; without one, all."""
        for desk in self._all[:1] if self._alone else self._all:
            desk.wake()

    def wake(self) -> None:
        """Ring all."""
        for desk in self._all:
            desk.wake()

    def kill(self) -> None:
        """kill -9 to one after the other."""
        pid = self._all[self.kills % len(self._all)].pid
        self.kills += 1
        self._ready_since = inf
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        """End them in good order."""
        for desk in self._all:
            desk.leave()
        for desk in self._all:
            desk.stop()

    def _heard(self, number: int, line: str) -> None:
        if line in ("open", "helps"):
            self._ready_since = time.monotonic()
            self._opened.release()
        if line.startswith(("came", "done")):
            for desk in (*self._all[:number], *self._all[number + 1 :]):
                desk.wake()
        if line.startswith("done"):
            self._done()


def _cpu_of(pid: int) -> float:
    """Processor time of another process in seconds; 0 where the system does not tell."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # the number Linux gives to a process's own clock
    except OSError:
        return 0.0
