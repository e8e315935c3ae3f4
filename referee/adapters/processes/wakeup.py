"""The alarm clock: wakes a scan now and then. What is due, and when, stands in the database alone."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime

from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger


class _Calm(logging.Filter):
    """A scan that outlasts its pause is no news, as the next one is made when it has ended."""

    def filter(self, record: logging.LogRecord) -> bool:
        if "skipped" in record.msg:
            record.levelno, record.levelname = logging.DEBUG, "DEBUG"
        return True


_log = logging.getLogger(__name__)
_log.addFilter(_Calm())


class Wakeup:
    """Calls `scan` at once and then every `seconds`, in a thread of its own; never two calls at a time.

    A call that could not run in time is made late rather than dropped, and several missed ones are made as one.
    """

    def __init__(self, scan: Callable[[], object], seconds: float) -> None:
        self._scan = scan
        self._seconds = seconds
        # By default this scheduler forgets a call that is over a second late.
        calm = {"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        self._scheduler = BackgroundScheduler(timezone=UTC, job_defaults=calm, logger=_log)

    def start(self) -> None:
        """Begin to call."""
        every = IntervalTrigger(seconds=self._seconds, timezone=UTC)
        self._scheduler.add_job(self._scan, every, id="scan", replace_existing=True, next_run_time=datetime.now(UTC))
        self._scheduler.start()

    def stop(self) -> None:
        """Wait for the call under way and end."""
        self._scheduler.shutdown(wait=True)
