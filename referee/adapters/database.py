"""Opening a database: durable settings for SQLite, and what a transaction is on each kind of database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url

__all__ = ["BUSY_SECONDS", "WAL_PAGES", "driver_of", "only_for_reading", "open_engine", "reading", "writing"]

BUSY_SECONDS = 10
"""How long a writer waits for another process before the step fails."""

WAL_PAGES = 8_000
"""How much may gather in the write-ahead log before a commit moves it into the database: 32 MB, some 600 letters."""

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    # NORMAL could lose a letter that was acknowledged just before a power cut.
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    f"PRAGMA wal_autocheckpoint = {WAL_PAGES}",
)


def open_engine(url: str, busy_seconds: float = BUSY_SECONDS) -> Engine:
    """An engine for SQLite in a file, or for PostgreSQL. Raises ValueError for a database without a file."""
    target = make_url(url)
    if target.get_backend_name() == "sqlite":
        return _open_sqlite(target, busy_seconds)
    return create_engine(target, pool_pre_ping=True)


def _open_sqlite(target: URL, busy_seconds: float) -> Engine:
    if target.database in (None, "", ":memory:"):
        raise ValueError("a match must survive the process: give the SQLite database a file")
    Path(str(target.database)).parent.mkdir(parents=True, exist_ok=True)
    # BEGIN and COMMIT are ours: the driver would begin only at the first write, too late to keep others out.
    engine = create_engine(target, isolation_level="AUTOCOMMIT", connect_args={"timeout": busy_seconds})
    event.listen(engine, "connect", _make_durable)
    return engine


def _make_durable(connection: SqliteConnection, record: Any) -> None:
    for pragma in _PRAGMAS:
        connection.execute(pragma)


@contextmanager
def writing(db: Connection) -> Iterator[None]:
    """A write transaction: committed at the end, undone on any exception. On SQLite it waits for its turn at once."""
    if db.dialect.name != "sqlite":
        with db.begin():
            yield
        return
    driver = driver_of(db)
    driver.execute("BEGIN IMMEDIATE")
    try:
        yield
        driver.execute("COMMIT")
    except BaseException:
        driver.rollback()
        raise


@contextmanager
def reading(db: Connection) -> Iterator[None]:
    """A read transaction: everything in it is seen as of one moment. On SQLite by a connection only for reading."""
    if db.dialect.name != "sqlite":
        with db.begin():
            db.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    driver = driver_of(db)
    driver.execute("BEGIN")
    try:
        yield
    finally:
        driver.rollback()


def only_for_reading(db: Connection) -> Connection:
    """The SQLite connection, which refuses to write from now on."""
    driver_of(db).execute("PRAGMA query_only = ON")
    return db


def driver_of(db: Connection) -> SqliteConnection:
    """The connection beneath: saying BEGIN and COMMIT through the upper layers costs a fifth of a commit."""
    driver = db.connection.driver_connection
    assert isinstance(driver, SqliteConnection)
    return driver
