"""The mailbag: letters that were acknowledged lie here, durably, until the desk takes them into the store.

SQLite has one writer, and the desk is it while it handles letters: a sender would wait for his 250 until it is done. So
on SQLite letters come into a small database of their own beside the other one, where nobody else writes for long.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from referee.adapters.database import BUSY_SECONDS
from referee.service.ports import LetterIn, Store

__all__ = ["Mailbag"]

_PRAGMAS = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL")
# Numbers never come twice (AUTOINCREMENT): whoever takes letters out late cannot throw away others that came meanwhile.
_TABLE = """
CREATE TABLE IF NOT EXISTS letter (
    number INTEGER PRIMARY KEY AUTOINCREMENT, transport TEXT NOT NULL, received_at INTEGER NOT NULL,
    sender TEXT NOT NULL, recipient TEXT NOT NULL, raw BLOB NOT NULL
)
"""
_PUT = "INSERT INTO letter (transport, received_at, sender, recipient, raw) VALUES (?, ?, ?, ?, ?)"
_OLDEST = "SELECT number, transport, received_at, sender, recipient, raw FROM letter WHERE number > ? ORDER BY number LIMIT ?"
_REMOVE = "DELETE FROM letter WHERE number <= ?"
_AT_ONCE = 50
_LEFT_BEHIND = 2_000
"""How many letters that the store has already may lie here before they are thrown away in the midst of work."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Mailbag:
    """Letters in a file. Any thread may use it; one process puts in while another takes out.

    `busy_seconds` is how long either waits for the other before it fails.
    """

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self._using = threading.Lock()
        self._taken = self._removed = 0
        self._db = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
        for statement in (*_PRAGMAS, _TABLE):
            self._db.execute(statement)

    @contextmanager
    def step(self) -> Iterator[Self]:
        """What is received in it is durable when it ends; nothing of it on an exception."""
        with self._using:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self
                self._db.execute("COMMIT")
            except BaseException:
                self._db.rollback()
                raise

    def receive(self, letters: Sequence[LetterIn]) -> None:
        """Put letters in, inside a step."""
        self._db.executemany(_PUT, [_row(letter) for letter in letters])

    def empty_into(self, store: Store, heap: int = _AT_ONCE) -> int:
        """Take all letters into the store, the oldest first, some in a step; how many.

        They leave the bag after they are durable there, when there is time for it (`tidy`): whoever puts letters in
        meanwhile need not wait. After a crash they are taken again, and the store knows them by their transport keys.
        """
        taken = self._some_into(store, heap)
        # None may stay behind: whoever looks into the store next asks what came before a deadline.
        while taken and taken % heap == 0 and (more := self._some_into(store, heap)):
            taken += more
        return taken

    def _some_into(self, store: Store, heap: int) -> int:
        with self._using:
            rows = self._db.execute(_OLDEST, (self._taken, heap)).fetchall()
        if not rows:
            return 0
        with store.step() as step:
            step.receive([_letter(*row[1:]) for row in rows])
        self._taken = rows[-1][0]
        if self._taken - self._removed > _LEFT_BEHIND:
            self.tidy()
        return len(rows)

    def tidy(self) -> None:
        """Throw away what has been taken out."""
        if self._taken == self._removed:
            return
        with self._using:
            # What a power cut brings back into the bag is known to the store: this need not wait for the disk.
            self._db.execute("PRAGMA synchronous = NORMAL")
            try:
                self._db.execute(_REMOVE, (self._taken,))
            finally:
                self._db.execute("PRAGMA synchronous = FULL")
            self._removed = self._taken

    def close(self) -> None:
        """Throw away what has been taken out, wait for the step under way, and let go of the file."""
        try:
            self.tidy()
        finally:
            with self._using:
                self._db.close()


def _row(letter: LetterIn) -> tuple[str, int, str, str, bytes]:
    at = (letter.received_at - _EPOCH) // _MICROSECOND
    return letter.transport, at, letter.sender, letter.recipient, letter.raw


def _letter(transport: str, at: int, sender: str, recipient: str, raw: bytes) -> LetterIn:
    return LetterIn(0, transport, _EPOCH + at * _MICROSECOND, sender, recipient, raw)
