"""The mailbag: letters that were acknowledged lie here, durably, until the desk takes them; and the spool, which writes them."""

from __future__ import annotations

import json
import logging
import queue
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol, Self

from referee.adapters.files import only_read, to_look_into
from referee.adapters.store.database import BUSY_SECONDS
from referee.service.base.office import fault_kind, log_failure
from referee.service.base.ports import LetterIn, NotNow, Pending, Step

# ---------------------------------------------------------------- room on the disk
# Letters are put off before it is full, so that the desk can still work and the keeper still log in.


_LOOK_AGAIN = 1.0


class NoRoom(OSError):
    """There is less free on the disk than is to be kept free: letters are to be sent again later."""


class Room:
    """Whether more is free under a folder than `reserve` bytes; looked at once a second at most, by any thread."""

    def __init__(self, folder: Path, reserve: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.reserve = reserve
        self._folder = folder
        self._clock = clock
        self._again = float("-inf")
        self._enough = True

    def __call__(self) -> bool:
        now = self._clock()
        if now >= self._again:
            self._enough = not self.reserve or shutil.disk_usage(self._folder).free >= self.reserve
            self._again = now + _LOOK_AGAIN
        return self._enough


_log = logging.getLogger(__name__)
_PAUSE = 0.0005
"""Seconds worth waiting for one more letter when many connections are busy: it saves far more by sharing a commit."""

_Parcel = tuple[tuple[LetterIn, ...], "Future[None]"]


class Inbox(Protocol):
    """Where letters are put inside a step."""

    def receive(self, letters: Sequence[LetterIn]) -> Any:
        """Put letters in."""
        ...


class Inlet(Protocol):
    """A store or a mailbag: what is put in during a step is durable when it ends."""

    def step(self) -> AbstractContextManager[Inbox]:
        """All of it, or nothing on an exception."""
        ...


class Spool:
    """Takes letters and says when they are safe. `arrived` is called after each commit, in the spool's thread.

    While there is no `room`, nothing is taken.
    """

    def __init__(
        self,
        store: Inlet,
        arrived: Callable[[], None] = lambda: None,
        most: int = 200,
        room: Callable[[], bool] = lambda: True,
    ) -> None:
        self.room = room
        self._store = store
        self._arrived = arrived
        self._most = most
        self._usual = 1
        self._waiting: queue.SimpleQueue[_Parcel | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="spool", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def stop(self) -> None:
        """Write what has been put so far and end."""
        self._waiting.put(None)
        if self._thread.is_alive():
            self._thread.join()

    def put(self, letters: Sequence[LetterIn]) -> Future[None]:
        """Store these letters together; done when they are durable, failed when none of them was stored."""
        stored: Future[None] = Future()
        if not self.room():
            stored.set_exception(NoRoom("the disk is nearly full"))
            return stored
        self._waiting.put((tuple(letters), stored))
        return stored

    def _run(self) -> None:
        more = True
        while more:
            parcels, more = self._take()
            if parcels:
                self._store_all(parcels)

    def _take(self) -> tuple[list[_Parcel], bool]:
        """Wait for a parcel and take with it whatever else is waiting; False when the end was asked for."""
        parcels: list[_Parcel] = []
        try:
            parcel = self._waiting.get()
            while parcel is not None:
                parcels.append(parcel)
                if len(parcels) >= self._most:
                    return parcels, True
                parcel = self._next(len(parcels))
        except queue.Empty:
            self._usual = len(parcels)
            return parcels, True
        return parcels, False

    def _next(self, taken: int) -> _Parcel | None:
        """The next parcel. Raises Empty; not at once while fewer have come than last time."""
        return self._waiting.get(timeout=_PAUSE) if taken < self._usual else self._waiting.get_nowait()

    def _store_all(self, parcels: list[_Parcel]) -> None:
        error = self._try([letter for letters, _ in parcels for letter in letters])
        if error is not None and len(parcels) > 1 and not isinstance(error, NotNow):
            # One letter that the database will not take must not hold up the others.
            for parcel in parcels:
                self._store_all([parcel])
            return
        for _, stored in parcels:
            _settle(stored, error)
        if error is None:
            self._tell()

    def _try(self, letters: list[LetterIn]) -> Exception | None:
        try:
            with self._store.step() as step:
                step.receive(letters)
        except Exception as error:
            # After any fault (full disk, locked database) the sender must hear of it and the thread must live.
            log_failure(_log, error, "%d letters were not stored", len(letters))
            return error
        return None

    def _tell(self) -> None:
        try:
            self._arrived()
        except Exception:
            # The letters are safe; whoever was to be told looks again by himself sooner or later.
            _log.exception("nobody could be told that letters arrived")


def _settle(stored: Future[None], error: Exception | None) -> None:
    if not stored.set_running_or_notify_cancel():
        return
    if error is None:
        stored.set_result(None)
    else:
        stored.set_exception(error)


_PRAGMAS = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL")
# Numbers never come twice (AUTOINCREMENT): whoever takes letters out late cannot throw away others that came meanwhile.
# A letter to many is one row: its transport keys and its recipients are lists in JSON, side by side.
_TABLE = """
CREATE TABLE IF NOT EXISTS letter (
    number INTEGER PRIMARY KEY AUTOINCREMENT, transports TEXT NOT NULL, received_at INTEGER NOT NULL,
    sender TEXT NOT NULL, recipients TEXT NOT NULL, raw BLOB NOT NULL
)
"""
# Letters that the store did not take when they came alone, until a person or the next program looks at them.
_ASIDE = """
CREATE TABLE IF NOT EXISTS aside (
    number INTEGER PRIMARY KEY, transports TEXT NOT NULL, received_at INTEGER NOT NULL,
    sender TEXT NOT NULL, recipients TEXT NOT NULL, raw BLOB NOT NULL, why TEXT NOT NULL
)
"""
_LAY_ASIDE = "INSERT INTO aside SELECT *, ? FROM letter WHERE number = ?"
_TAKE_BACK = (
    "INSERT INTO letter (transports, received_at, sender, recipients, raw) "
    "SELECT transports, received_at, sender, recipients, raw FROM aside ORDER BY number"
)
_LYING_ASIDE = "SELECT received_at, sender, recipients, length(raw), why FROM aside ORDER BY number LIMIT ?"
_PUT = "INSERT INTO letter (transports, received_at, sender, recipients, raw) VALUES (?, ?, ?, ?, ?)"
_OLDEST = "SELECT number, transports, received_at, sender, recipients, raw FROM letter WHERE number > ? ORDER BY number LIMIT ?"
_NEWEST = "SELECT number, transports FROM letter ORDER BY number DESC LIMIT 1"
_LYING = "SELECT transports, received_at, sender, recipients, length(raw) FROM letter ORDER BY number LIMIT ?"
_REMOVE = "DELETE FROM letter WHERE number <= ?"
_AT_ONCE, _BYTES_AT_ONCE = 50, 16 * 1024 * 1024
_LEFT_BEHIND = 2_000
"""How many letters that the store has already may lie here before they are thrown away in the midst of work."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Mailbag:
    """Letters in a file. Any thread may use it; one process puts in while others take out.

    Each of those takes all letters in the order in which they came, so that the store has the earlier ones of any it has.

    `busy_seconds` is how long either waits for the other before it fails.
    """

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self._using = threading.Lock()
        self._taken = self._removed = 0
        still = path.exists() and only_read(path)
        where = to_look_into(path) if still else str(path)
        self._db = sqlite3.connect(
            where, uri=still, timeout=busy_seconds, isolation_level=None, check_same_thread=False
        )
        for statement in () if still else (*_PRAGMAS, _TABLE, _ASIDE):
            self._db.execute(statement)

    @contextmanager
    def step(self) -> Iterator[Self]:
        """Letters received in it are durable when it ends; none of them on an exception."""
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
        together = groupby(letters, lambda letter: (id(letter.raw), letter.received_at, letter.sender))
        self._db.executemany(_PUT, [_row(list(parcel)) for _, parcel in together])

    def empty_into(self, store: Inlet, heap: int = _AT_ONCE) -> int:
        """Take all letters into the store, the oldest first, some in a step; how many.

        They leave the bag after they are durable there, when there is time for it (`tidy`): whoever puts letters in
        meanwhile need not wait. After a crash they are taken again, and the store knows them by their transport keys.
        """
        # None may stay behind: whoever looks into the store next asks what came before a deadline.
        taken, more = self._some_into(store, heap)
        while more:
            some, more = self._some_into(store, heap)
            taken += some
        return taken

    def _some_into(self, store: Inlet, heap: int) -> tuple[int, bool]:
        """Take a heap; how many letters, and whether others lay there too."""
        with self._using, closing(self._db.execute(_OLDEST, (self._taken, heap))) as oldest:
            rows = list(_in_memory(oldest))
            more = len(rows) == heap or oldest.fetchone() is not None
        if not rows:
            return 0, False
        letters = [letter for row in rows for letter in _letters(*row[1:])]
        try:
            with store.step() as step:
                step.receive(letters)
        except (NotNow, OSError):
            raise
        except Exception as problem:  # the heap is taken letter by letter, and what breaks it is laid aside
            if len(rows) > 1:
                return self._some_into(store, 1)[0], True
            number = rows[0][0]
            with self.step():
                self._db.execute(_LAY_ASIDE, (fault_kind(problem), number))
                self._db.execute("DELETE FROM letter WHERE number = ?", (number,))
            _log.error("letter %d of the mailbag is laid aside: the store does not take it", number, exc_info=problem)
        self._taken = rows[-1][0]
        if self._taken - self._removed > _LEFT_BEHIND:
            self.tidy()
        return len(letters), more

    def take_back(self) -> int:
        """Put what was laid aside back among the others, for another program to try; how many letters."""
        with self.step():
            count = self._db.execute(_TAKE_BACK).rowcount
            self._db.execute("DELETE FROM aside")
        return count

    def aside(self, most: int = 1000) -> list[Pending]:
        """The letters that the store did not take, the oldest first."""
        with self._using:
            there = self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'aside'").fetchone()  # not in 0.2.0
            rows = self._db.execute(_LYING_ASIDE, (most,)).fetchall() if there else []
        return [
            Pending(0, _EPOCH + at * _MICROSECOND, sender, ", ".join(json.loads(recipients)), size, "aside", why, 0)
            for at, sender, recipients, size, why in rows
        ]

    def waiting(self, step: Step, most: int = 1000) -> list[Pending]:
        """The letters that lie here and are not in the store yet, the oldest first, as far as they are known without opening."""
        with self._using:
            rows = self._db.execute(_LYING, (most,)).fetchall()
        keys = [json.loads(row[0])[0] for row in rows]  # a letter to many comes into the store in one step
        there = step.arrived(keys)
        return [
            Pending(
                0, _EPOCH + at * _MICROSECOND, sender, ", ".join(json.loads(recipients)), size, "in the mailbag", "", 0
            )
            for key, (_, at, sender, recipients, size) in zip(keys, rows, strict=True)
            if key not in there
        ]

    def is_known_to(self, step: Step) -> bool:
        """Whether all that lies here is in the store: it takes letters in the order in which they came."""
        with self._using:
            newest = self._db.execute(_NEWEST).fetchone()
        if newest is None:
            return True
        number, transports = newest
        is_known = bool(step.arrived(json.loads(transports)[:1]))
        if is_known:
            self._taken = max(self._taken, number)  # by another desk
        return is_known

    def tidy(self) -> None:
        """Throw away what has been taken out."""
        if self._taken == self._removed:
            return
        with self._using:
            # The store knows of letters that a power cut brings back into the bag: this need not wait for the disk.
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


_Row = tuple[int, str, int, str, str, bytes]


def _in_memory(rows: Iterable[_Row]) -> Iterator[_Row]:
    """As many rows as may be in memory together, at least one."""
    size = 0
    for row in rows:
        size += len(row[-1])
        yield row
        if size > _BYTES_AT_ONCE:
            return


def _row(parcel: Sequence[LetterIn]) -> tuple[str, int, str, str, bytes]:
    """A letter to some recipients, as it lies in the bag."""
    first = parcel[0]
    transports, recipients = ([getattr(letter, name) for letter in parcel] for name in ("transport", "recipient"))
    at = (first.received_at - _EPOCH) // _MICROSECOND
    return json.dumps(transports), at, first.sender, json.dumps(recipients), first.raw


def _letters(transports: str, at: int, sender: str, recipients: str, raw: bytes) -> Iterator[LetterIn]:
    received_at = _EPOCH + at * _MICROSECOND
    for transport, recipient in zip(json.loads(transports), json.loads(recipients), strict=True):
        yield LetterIn(0, transport, received_at, sender, recipient, raw)
