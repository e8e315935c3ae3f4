"""A bell between the machines of one PostgreSQL database: who stores letters, or runs a match on, lets all others know.

Nothing depends on it: whoever misses a ring looks again by himself, at the latest after some seconds.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, bindparam, text

from referee.adapters.processes.worker import Worker
from referee.adapters.store.database import named, open_engine, put_off
from referee.adapters.store.sql.part import CHANNEL
from referee.service.base.ports import NotNow

_RING = text("SELECT pg_notify(:channel, :match)").bindparams(bindparam("channel"), bindparam("match"))
_MOMENT = 1.0
"""Seconds for which is listened at a time."""


class ServerBell:
    """Listens in a thread of its own. `heard` is told the match that ran on, "" when letters came; `back` that rings may
    have been missed."""

    def __init__(self, url: str, heard: Callable[[str], None], back: Callable[[], None]) -> None:
        self._engine = open_engine(url, name=named("bell"))
        self._heard, self._back = heard, back
        self._db: Connection | None = None
        self._thread = Worker("bell", self._listen, _MOMENT)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Listen no more."""
        self._thread.stop()
        self._hang_up()
        self._engine.dispose()

    def ring(self, match: str) -> None:
        """Let every machine know, this one too, that a match ran on. Raises NotNow."""
        with put_off(), self._engine.begin() as db:
            db.execute(_RING, {"channel": CHANNEL, "match": match})

    def _listen(self) -> int:
        try:
            with put_off():
                if self._db is None:
                    self._db = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
                    self._db.exec_driver_sql(f"LISTEN {CHANNEL}")
                    self._back()
                for ring in self._rings(self._db):
                    self._heard(ring)
                return 1
        except BaseException:
            self._hang_up()
            raise

    def _rings(self, db: Connection) -> list[str]:
        """What rings within a moment; the driver is asked itself, and its errors are its own. Raises NotNow."""
        driver, errors = db.connection.driver_connection, self._engine.dialect.loaded_dbapi
        assert driver is not None
        try:
            return [ring.payload for ring in driver.notifies(timeout=_MOMENT, stop_after=1)]
        except errors.OperationalError as lost:
            raise NotNow(" ".join(str(lost).split())) from lost

    def _hang_up(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            db.invalidate()
            db.close()
