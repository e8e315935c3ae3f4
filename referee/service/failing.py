"""Work that failed: what met another's write is done again, and of all else the log tells: of a fault with where it happened,
of what the store could not do now in one line.

Either is said once a minute, with how often it came since: a database that is away, a torn table or a machine without free
descriptors makes the same work fail a hundred times a second.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from referee.service.ports import NotNow

T = TypeVar("T")

QUOTE_NOTHING: tuple[type[BaseException], ...] = (OSError, NotNow)
"""Errors of the system and the store. What any other says may quote the letter over which it came, so no log has it."""

_MINUTE = 60.0
_MOST = 1000


class Seldom:
    """Says the same thing once in so many seconds, and counts the times between. Remembers the last thousand things."""

    def __init__(self, seconds: float = _MINUTE, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._now = now
        self._said: dict[tuple[str, ...], tuple[float, int]] = {}

    def since(self, *what: str) -> int | None:
        """How often it was kept back since it was said last; None when it is to be kept back now too."""
        now = self._now()
        at, kept_back = self._said.pop(what, (now - self._seconds, 0))
        due = now - at >= self._seconds
        self._said[what] = (now, 0) if due else (at, kept_back + 1)
        if len(self._said) > _MOST:
            del self._said[next(iter(self._said))]
        return kept_back if due else None


_seldom = Seldom()


def in_spite(work: Callable[[], T], *others: type[Exception]) -> T:
    """Do it in spite of others who write; raises their Conflict, or Overtaken, when that is met whenever it is tried."""
    for _ in range(_IN_SPITE):
        with suppress(*others):
            return work()
    return work()


_IN_SPITE = 3


class Duties:
    """What a desk does again and again. One duty that fails keeps no other up; after some times in a row `tell` is told its
    name and what it failed by, and None when it is done again."""

    def __init__(self, log: logging.Logger, tell: Callable[[str, Exception | None], None], times: int) -> None:
        self._log, self._tell, self._times = log, tell, times
        self._failed: dict[str, int] = {}

    def do(self, name: str, work: Callable[[], int]) -> int:
        """Do it; how much was done, 0 where it failed. Raises NotNow: nothing else could be done then either."""
        try:
            done = work()
        except NotNow:
            raise
        except Exception as problem:
            log_failure(self._log, problem, "the desk fails at its %s; that is tried again", name)
            self._failed[name] = self._failed.get(name, 0) + 1
            if self._failed[name] == self._times:
                self._tell(name, problem)
            return 0
        if self._failed.get(name, self._times) >= self._times:  # also what a desk before this one told
            self._tell(name, None)
        self._failed[name] = 0
        return done


def fault_kind(problem: BaseException) -> str:
    """An error for the log: its kind, and what it says where that quotes no letter."""
    said = f": {problem}" if isinstance(problem, QUOTE_NOTHING) else ""
    return f"{type(problem).__name__}{said}"


def log_failure(log: logging.Logger, problem: Exception, what: str, *about: object) -> None:
    """Write down that `what` failed, unless the log was told so within the last minute."""
    put_off = isinstance(problem, NotNow)
    kept_back = _seldom.since(log.name, what, "" if put_off else repr(problem)[:200])
    if kept_back is None:
        return
    again = f" ({kept_back} times more since it was said last)" if kept_back else ""
    if put_off:
        log.warning(f"{what}: %s%s", *about, problem, again)
    else:
        log.error(f"{what}%s", *about, again, exc_info=problem)
