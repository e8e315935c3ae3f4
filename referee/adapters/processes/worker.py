"""A thread that does one kind of work whenever it is woken, and now and then in case nobody woke it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from referee.adapters.processes.memory import give_back
from referee.service.base.office import log_failure

_log = logging.getLogger(__name__)
_LONGEST = 10.0
_OFTEN = 30
_UNTIDY = 60.0


class Worker:
    """Repeats `work` while it says that something was done, then rests until woken or `rest_seconds` have passed.

    An exception is logged and the work is tried again after the rest: a worker never dies of one bad letter. While it
    fails again and again the rests grow, to ten seconds, and nobody can wake it. Before a rest it gives back memory, if it has
    not for `tidy_seconds`. One that is `in_no_hurry` leaves two thirds of the time to the others of its process.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], int],
        rest_seconds: float,
        tidy_seconds: float = _UNTIDY,
        in_no_hurry: bool = False,
    ) -> None:
        self._work = work
        self._name = name
        self._rest, self._tidy = rest_seconds, tidy_seconds
        self._in_no_hurry = in_no_hurry
        self._failed = 0
        self._looked = self._tidied = time.monotonic()
        self._woken = threading.Event()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin to work, in a thread of its own."""
        self._thread.start()

    def wake(self) -> None:
        """There is something to do. Returns at once; may be called from any thread."""
        self._woken.set()

    @property
    def runs(self) -> bool:
        """Whether it was started and has not ended."""
        return self._thread.is_alive()

    @property
    def idle(self) -> float:
        """How many seconds ago it last looked for work, or was made."""
        return time.monotonic() - self._looked

    def stop(self) -> None:
        """Finish the piece of work under way and end."""
        self._ending.set()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._ending.is_set():
            # Cleared before the work, so that a call during it is not forgotten.
            self._woken.clear()
            self._looked = time.monotonic()
            if not self._ending.is_set() and not self._something_done():
                self._pause()
            elif self._in_no_hurry:
                self._ending.wait(2 * (time.monotonic() - self._looked))

    def _pause(self) -> None:
        if self._looked - self._tidied >= self._tidy:
            self._tidied = self._looked
            give_back()
        if self._failed < 2:
            self._woken.wait(self._rest)
        else:
            self._ending.wait(max(self._rest, min(self._rest * 2**self._failed, _LONGEST)))

    def _something_done(self) -> bool:
        try:
            done = self._work() > 0
            self._failed = 0
            return done
        except Exception as problem:
            self._failed = min(self._failed + 1, _OFTEN)
            log_failure(_log, problem, "%s failed; it is tried again", self._name)
            return False
