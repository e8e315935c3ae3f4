"""What a desk has in hand: matches that it has to itself among the desks of one database, until it lets go of them.

It spares desks from reckoning the same; no promise stands on it. It is kept by the system for SQLite, by the server for
PostgreSQL, so that a desk that dies, and one that the server takes for gone, have nothing in hand any more.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, bindparam, text
from sqlalchemy.exc import DBAPIError

from referee.adapters.store.database import put_off


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
