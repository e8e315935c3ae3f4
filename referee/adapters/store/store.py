"""The store on SQLite or PostgreSQL: one step, one transaction, durable when it returns."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from sqlite3 import Connection as SqliteConnection

from sqlalchemy import Connection, Engine

from referee.adapters.files import only_read
from referee.adapters.store.database import (
    BUSY_SECONDS,
    driver_of,
    file_of,
    only_for_reading,
    open_engine,
    put_off,
    reading,
    writing,
)
from referee.adapters.store.desk_locks import FileHolds, ServerHolds
from referee.adapters.store.guard import Pen, read_only
from referee.adapters.store.sql.ahead import Ahead
from referee.adapters.store.sql.letters_in import LettersIn
from referee.adapters.store.sql.letters_out import Answers, LettersOut
from referee.adapters.store.sql.log import Alarms, Log, Tokens
from referee.adapters.store.sql.matches_and_people import Matches, People, Tallies
from referee.adapters.store.sql.reports_and_notes import Forgetting, Notes, Reports
from referee.adapters.store.sql.statements import OnSqlite
from referee.adapters.store.upgrade import is_current, refuse_newer, refuse_older, upgrade
from referee.service.base.note_values import Program, this_program
from referee.service.base.ports import Overtaken

# ---------------------------------------------------------------- taking turns across processes
# A lock on a file, for which the system makes the others wait and which no death keeps.


_TRIES, _MOMENT = 10, 0.05


class Turns:
    """The holder of the file has the turn. Waiting costs nothing and ends at once when the turn is free.

    SQLite's own waiting asks again after longer and longer pauses, so that a busy process would starve the others.
    """

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    @contextmanager
    def mine(self) -> Iterator[None]:
        """Wait for the turn and have it. For one thread at a time: threads of one process do not keep each other out."""
        fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def take(self) -> bool:
        """Have the turn until `close`, or until this process ends; False when another process keeps it.

        One that just dies, or only looked whether it is taken, has let go of it a moment later.
        """
        for _ in range(_TRIES):
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(_MOMENT)
            else:
                os.truncate(self._file, 0)
                os.pwrite(self._file, str(os.getpid()).encode(), 0)
                return True
        return False

    def holder(self) -> int:
        """The process that took the turn last, 0 where none ever did."""
        said = os.pread(self._file, 20, 0)
        return int(said) if said.isdigit() else 0

    def is_taken(self) -> bool:
        """Whether another process has the turn at this moment."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        fcntl.flock(self._file, fcntl.LOCK_UN)
        return False

    def close(self) -> None:
        """Let go of the file, and of the turn."""
        os.close(self._file)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until no other process holds this file, and hold it."""
    turns = Turns(path)
    try:
        with turns.mine():
            yield
    finally:
        turns.close()


# ---------------------------------------------------------------- one transaction, with every verb of the store


class Step(LettersIn, LettersOut, Answers, People, Matches, Log, Tokens, Alarms, Reports, Notes, Tallies, Forgetting):
    """Everything in it is written together or not at all. It runs on one connection; the opener of the transaction ends it."""


_WORTH_WHILE = 300
"""Rows changed since the last time: some fifty letters."""


class Store:
    """A store at a database address such as "sqlite:///var/referee.sqlite". Opening it makes its tables, and brings those of an
    older program up to date where it `upgrades`.

    Any thread may use it. SQLite has one writer at a time, so steps queue up here, and with those of our other processes at a
    file beside the database; PostgreSQL runs them side by side, and where two write to the same match, or the same row, the
    later one is Overtaken.

    A store that is not `steady` only takes letters in and claims letters out there. `name` is what PostgreSQL knows its
    connections by; `guard` is called at the head of each step, which it may refuse. `busy_seconds` is how long a step waits for
    a stranger's transaction on SQLite before it fails.

    Raises Unusable for SQLite without a file, and for a database that a newer program has written, or an older one if it does
    not upgrade, of which it touches nothing; NotNow, like each step and look, while the database is not to be had. A step
    raises NotNow too once a newer program than this `program` has opened the database.
    """

    def __init__(
        self,
        url: str,
        busy_seconds: float = BUSY_SECONDS,
        name: str = "referee",
        guard: Callable[[Connection], None] | None = None,
        program: Program | None = None,
        steady: bool = True,
        ahead: bool = False,
        upgrades: bool = True,
    ) -> None:
        program = program or this_program()
        self.engine: Engine = open_engine(url, busy_seconds, name, steady)
        self._guard, self._pen = guard, Pen(program)
        with self._let_go_unless_opened():
            stands = self._stands(file_of(url), busy_seconds, program, upgrades)
        self._alone = self.engine.dialect.name == "sqlite"
        self._turn = threading.Lock()
        file = file_of(url)
        writes = file is not None and not only_read(file)
        self._turns = Turns(Path(f"{file}-turn")) if writes else None
        with self._let_go_unless_opened():
            if not stands:  # whoever only looks need not wait for a busy desk
                with self._turn_taken():
                    upgrade(self.engine, program=program)
        self._holds = ServerHolds(self.engine) if file is None else FileHolds(Path(f"{file}-held"))
        self._ahead, self._was_overtaken = ahead and self._alone, False
        self._busy = threading.local()
        self._writer: Connection | None = None
        self._readers: list[Connection] = []
        self._closed = False
        self._tidied = 0

    @contextmanager
    def _let_go_unless_opened(self) -> Iterator[None]:
        try:
            with put_off():
                yield
        except BaseException:
            self.engine.dispose()
            raise

    def _stands(self, file: Path | None, busy_seconds: float, program: Program, upgrades: bool) -> bool:
        """Whether it is up to date; looked at so that nothing is touched. Raises Unusable for that of another program."""
        if file is not None and not (file.exists() and file.stat().st_size):
            return False
        with read_only(file, busy_seconds) if file is not None else self.engine.connect() as db:
            refuse_newer(db, program)
            if not upgrades:
                refuse_older(db, program)
            return is_current(db)

    @contextmanager
    def step(self) -> Iterator[Step]:
        """A write transaction: committed durably at the end, rolled back on an exception.

        Raises RuntimeError inside another step of the same thread, which would wait for itself for ever; Overtaken, where it
        reckoned ahead and others wrote what it had read: the next one does not.
        """
        if getattr(self._busy, "step", False):
            raise RuntimeError("a step inside a step")
        self._busy.step = True
        ahead, self._was_overtaken = self._ahead and not self._was_overtaken, False
        try:
            with put_off(), self._reckoned() if ahead else self._written() as step:
                yield step
        except Overtaken:
            self._was_overtaken = ahead
            raise
        finally:
            self._busy.step = False

    @contextmanager
    def _written(self) -> Iterator[Step]:
        with self._turn_taken(), self._writing() as db:
            step = Step(db)
            with step.under_way():
                yield step

    @contextmanager
    def _reckoned(self) -> Iterator[Step]:
        """A step that writes nothing before its end, so that others write meanwhile."""
        before = self._version()
        with ExitStack() as turn:

            def take_turn() -> tuple[SqliteConnection, bool]:
                turn.enter_context(self._turn_taken())
                changed = self._version() != before
                return driver_of(turn.enter_context(self._writing())), changed

            with self._reading_connection() as db, reading(db):
                ahead = Ahead(driver_of(db), take_turn)
                try:
                    yield Step(db, driver=OnSqlite(ahead))
                    ahead.end()
                finally:
                    ahead.let_go()

    def _version(self) -> int:
        """Another one once somebody else has written, of any process."""
        with self._writing_connection() as db:
            (version,) = driver_of(db).execute("PRAGMA data_version").fetchone()
        return int(version)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A connection inside a transaction in which this program, and this desk, may write."""
        with self._writing_connection() as db, writing(db):
            if self._guard is not None:
                self._guard(db)
            self._pen.take_up(db)
            yield db

    @contextmanager
    def _turn_taken(self) -> Iterator[None]:
        if self._turns is None:
            yield
            return
        with self._turn, self._turns.mine():
            yield

    @contextmanager
    def look(self) -> Iterator[Step]:
        """A read transaction: a steady view of what was committed when it began."""
        with put_off(), self._reading_connection() as db, reading(db):
            yield Step(db)

    @contextmanager
    def _reading_connection(self) -> Iterator[Connection]:
        if not self._alone:
            with self.engine.connect() as db:
                yield db
            return
        # Kept like the writing one: the receiver looks once for every recipient.
        try:
            db = self._readers.pop()
        except IndexError:
            db = only_for_reading(self.engine.connect())
        try:
            yield db
        finally:
            self._readers.append(db)
            if self._closed:
                self._let_readers_go()

    def _let_readers_go(self) -> None:
        while self._readers:
            self._readers.pop().close()

    def hold(self, names: Sequence[str]) -> AbstractContextManager[Set[str]]:
        """Have these matches to oneself among the desks until the context ends; gives those that no other desk has.

        It spares desks from reckoning the same twice; what is written is guarded by the steps themselves. For one thread.
        """
        return self._holds.hold(names)

    def tidy(self) -> None:
        """There is nothing else to do just now: move SQLite's write-ahead log into the database, if it is worth while.

        Commits are durable without it. Left to itself SQLite does so in the middle of a commit; `WAL_PAGES` is when
        it does all the same.
        """
        if self._writer is None or self._turns is None:
            return
        with self._turn:
            driver = driver_of(self._writer)
            if driver.total_changes - self._tidied >= _WORTH_WHILE:
                driver.execute("PRAGMA wal_checkpoint(PASSIVE)")
                self._tidied = driver.total_changes

    @contextmanager
    def _writing_connection(self) -> Iterator[Connection]:
        if not self._alone:
            with self.engine.connect() as db:
                yield db
            return
        # Taking a connection from the pool for every letter would cost a tenth of the commit.
        if self._writer is None:
            self._writer = self.engine.connect()
        yield self._writer

    def close(self) -> None:
        """Wait for the step under way and let go of the database."""
        with self._turn:
            if self._writer is not None:
                self._writer.close()
                self._writer = None
            self._closed = True
            self._let_readers_go()
            self._holds.close()
            self.engine.dispose()
            if self._turns is not None:
                self._turns.close()
                self._turns = None
