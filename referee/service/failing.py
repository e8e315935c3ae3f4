"""What the log says of work that failed: a fault in full, with its traceback; what the store could not do now in one line."""

from __future__ import annotations

import logging
import time

from referee.service.ports import NotNow

__all__ = ["log_failure"]

_SELDOM = 60.0
"""Seconds between two lines that say the same thing failed for want of the store."""

_said: dict[tuple[str, str], float] = {}


def log_failure(log: logging.Logger, problem: Exception, what: str, *about: object) -> None:
    """Write down that `what` failed, inside the handler of `problem`.

    A database that is away makes everything fail again and again: one line a minute for each kind of work says so.
    """
    if not isinstance(problem, NotNow):
        log.exception(what, *about)
        return
    now, key = time.monotonic(), (log.name, what)
    if now - _said.get(key, -_SELDOM) >= _SELDOM:
        _said[key] = now
        log.warning(f"{what}: %s", *about, problem)
