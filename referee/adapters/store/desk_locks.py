"""The locks by which a desk holds a match, and the bell that wakes a desk."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, bindparam, text
from sqlalchemy.exc import DBAPIError

from referee.adapters.processes.child import Worker
from referee.adapters.store.database import named, open_engine, put_off
from referee.adapters.store.sql.statements import CHANNEL
from referee.service.base.ports import NotNow


class FileHolds:
    """A byte of a file for each name, locked by the system as long as this process lives."""

    def __init__(self, path: Path) -> None:
        self._path, self._file = path, -1
        self._held: set[str] = set()

    @contextmanager
    def hold(self, names: Sequence[str]) -> Iterator[Set[str]]:
        """Those of the names that no other process holds."""
        if self._file < 0:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fresh = {name for name in names if name not in self._held and self._locked(name)}
        self._held |= fresh
        try:
            yield self._held.intersection(names)
        finally:
            self._held -= fresh
            for name in fresh:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, _place(name))

    def _locked(self, name: str) -> bool:
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(name))
        except OSError:
            return False
        return True

    def close(self) -> None:
        """Let go of the file."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1


def _place(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:7], "big")


_TAKE = text(
    "SELECT name FROM unnest(CAST(:names AS text[])) AS name "
    "WHERE pg_try_advisory_xact_lock(hashtextextended(current_schema() || '/' || name, 0))"
).bindparams(bindparam("names"))


class ServerHolds:
    """Advisory locks of a transaction on a connection of its own: the server ends one of which it hears nothing."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._db: Connection | None = None
        self._held: set[str] = set()

    @contextmanager
    def hold(self, names: Sequence[str]) -> Iterator[Set[str]]:
        """Those of the names that no other desk holds; what is asked for in the midst is held until the first lets go."""
        outermost = not self._held
        missing = [name for name in names if name not in self._held]
        if missing:
            self._held.update(self._taken(missing))
        try:
            yield self._held.intersection(names)
        finally:
            if outermost:
                self._let_go()

    def _taken(self, names: Sequence[str]) -> Set[str]:
        try:
            with put_off():
                if self._db is None:
                    self._db = self._engine.connect()
                return set(self._db.execute(_TAKE, {"names": list(names)}).scalars())
        except BaseException:  # with its connection the server has let go of all that was held
            self.close()
            raise

    def _let_go(self) -> None:
        self._held.clear()
        db = self._db
        if db is None:
            return
        try:
            db.rollback()
        except DBAPIError:  # the server took this desk for gone
            self.close()

    def close(self) -> None:
        """Let go of the connection."""
        db, self._db = self._db, None
        self._held.clear()
        if db is not None:
            db.invalidate()  # to take back its transaction would be to ask a server that may be gone
            db.close()


# ---------------------------------------------------------------- bell
# A bell between the machines of one PostgreSQL database: who stores letters, or runs a match on, lets all others know.
#
# Nothing depends on it: whoever misses a ring looks again by himself, at the latest after some seconds.


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
        """The alarms that ring within a moment; the driver is asked itself, and its errors are its own. Raises NotNow."""
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
