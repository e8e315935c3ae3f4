"""How a step runs its statements: on the driver's own connection, past the upper layers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import Connection, Executable
from sqlalchemy.exc import DBAPIError

from referee.adapters.store.sql.ahead import Ahead
from referee.adapters.store.sql.prepared import prepared
from referee.service.base.ports import Conflict

if TYPE_CHECKING:
    import psycopg

Given = Mapping[str, Any]
"""Values by the names of a statement's parameters."""

Rows = Sequence[Sequence[Any]]

_TAKEN = "23505"


class Driver(Protocol):
    """What a step asks of the driver beneath, inside one transaction."""

    def run_each(self, statement: Executable, rows: Sequence[Given]) -> None:
        """Run it for every row. What goes wrong may be told by a later call, or when the step ends."""
        ...

    def rows(self, statement: Executable, given: Given) -> Rows:
        """Run it once; everything it finds."""
        ...

    def rows_each(self, statement: Executable, each: Sequence[Given]) -> list[Rows]:
        """Run it for each; what it found for each."""
        ...

    def under_way(self) -> AbstractContextManager[None]:
        """The time of a step that writes; at its end everything has arrived."""
        ...


def driver_beneath(db: Connection) -> Driver:
    """The driver of a connection in a transaction."""
    beneath: Any = db.connection.driver_connection
    return OnSqlite(beneath) if isinstance(beneath, sqlite3.Connection) else OnPostgresql(db, beneath)


class OnSqlite:
    """A step on sqlite3."""

    def __init__(self, beneath: sqlite3.Connection | Ahead) -> None:
        self._beneath = beneath

    def run_each(self, statement: Executable, rows: Sequence[Given]) -> None:
        """Run it for every row, one by one: since Python 3.12 executemany refuses a statement that gives rows."""
        for row in rows:
            what = prepared("sqlite", statement, row)
            self._beneath.execute(what.sql, what.arguments(row))

    def rows(self, statement: Executable, given: Given) -> Rows:
        """Run it once; everything it finds."""
        what = prepared("sqlite", statement, given)
        return what.converted(self._beneath.execute(what.sql, what.arguments(given)).fetchall())

    def rows_each(self, statement: Executable, each: Sequence[Given]) -> list[Rows]:
        """Run it for each; what it found for each."""
        return [self.rows(statement, given) for given in each]

    def under_way(self) -> AbstractContextManager[None]:
        """Everything arrives at once."""
        return nullcontext()


class OnPostgresql:
    """A step on psycopg. What it writes is laid aside and sent together, with its next read or at its end.

    Whatever is sent ends with a Sync, as the server would not count a machine as idle from which it expects more, and
    what is locked by one that stands still would stay so. To leave a pipeline psycopg may send a Flush behind the Sync,
    which undoes that: so the whole step is in one, and what follows at once is its COMMIT.
    """

    def __init__(self, db: Connection, beneath: psycopg.Connection[Any]) -> None:
        self._db = db
        self._beneath: Any = beneath  # the upper layers know it by no type
        self._reader, self._writer = beneath.cursor(binary=True), beneath.cursor()
        self._psycopg: Any = db.dialect.loaded_dbapi
        self._error = self._psycopg.Error
        self._aside: list[tuple[str, list[Any]]] = []
        self._pipeline: psycopg.Pipeline | None = None
        self._met: Any = None
        self._farewell: Any = None

    def run_each(self, statement: Executable, rows: Sequence[Given]) -> None:
        """Run it for every row; an error is told by the next read or at the end of the step."""
        for row in rows:
            what = prepared("postgresql", statement, row)
            self._aside.append((what.sql, what.arguments(row)))

    def rows(self, statement: Executable, given: Given) -> Rows:
        """Run it once; everything it finds."""
        what = prepared("postgresql", statement, given)
        arguments = what.arguments(given)
        with self._sending():
            self._reader.execute(what.sql, arguments)
        return what.converted(self._reader.fetchall())

    def rows_each(self, statement: Executable, each: Sequence[Given]) -> list[Rows]:
        """Run it for each, all on their way before the first answer is waited for."""
        if not each:
            return []
        what = prepared("postgresql", statement, each[0])
        arguments = [what.arguments(given) for given in each]
        with self._sending():
            self._reader.executemany(what.sql, arguments, returning=True)
        return [what.converted(cursor.fetchall()) for cursor in self._reader.results()]

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """The time of a step that writes; at its end everything has arrived. Raises what the step met and did not heed."""
        opened = self._beneath.pipeline()
        self._pipeline = opened.__enter__()
        self._beneath.add_notice_handler(self._hear)
        try:
            yield
            with self._sending():
                pass
        except BaseException:
            with suppress(self._error):  # psycopg would say in the log that this is only what went wrong before
                opened.__exit__(None, None, None)
            raise
        finally:
            self._beneath.remove_notice_handler(self._hear)
        opened.__exit__(None, None, None)
        if self._met is not None:
            raise self._met  # PostgreSQL would answer COMMIT by undoing everything, and call that a success

    @contextmanager
    def _sending(self) -> Iterator[None]:
        """What lies aside is sent, and what is run in here with it."""
        aside, self._aside = self._aside, []
        try:
            for sql, arguments in aside:
                self._writer.execute(sql, arguments)
            yield
            if self._pipeline is not None:
                self._pipeline.sync()
        except self._error as error:
            raise self._told(error) from error

    def _hear(self, said: psycopg.errors.Diagnostic) -> None:
        """Why the server ends the connection: in a pipeline what it says before is no error of a statement."""
        if said.severity_nonlocalized == "FATAL" and said.sqlstate:
            self._farewell = self._psycopg.errors.lookup(said.sqlstate)(said.message_primary)

    def _told(self, error: Exception) -> Any:
        """The error as the upper layers tell it; what comes after the first one only repeats it."""
        if self._met is None:
            self._met = self._as_ours(error)
        return self._met

    def _as_ours(self, error: Any) -> Any:
        if getattr(error, "sqlstate", None) == _TAKEN:
            return Conflict(str(error))
        if self._farewell is not None:
            error = self._farewell
        lost = self._db.dialect.is_disconnect(error, self._beneath, None)
        if lost:
            self._db.invalidate(error)
        return DBAPIError.instance(
            None, None, error, self._error, hide_parameters=True, connection_invalidated=lost, dialect=self._db.dialect
        )
