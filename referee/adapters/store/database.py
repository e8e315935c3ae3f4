"""Opening a database: durable settings for SQLite, and what a transaction is on each kind of database."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from typing import Any, Literal

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import NullPool

from referee.adapters.files import Unusable, is_torn, only_read, to_look_into
from referee.service.base.ports import NotNow, Overtaken, Stalled, Torn

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


_STILL_SECONDS = 30
"""How long a transaction may be left lying on PostgreSQL before it is undone: what its machine held is free then."""

_LOST_SECONDS = 25
"""When a machine that answers no more counts as gone, seen from either side: 10 s of silence, then three calls of 5 s."""

_SESSION = {
    "lock_timeout": "10s",
    "idle_in_transaction_session_timeout": f"{_STILL_SECONDS}s",
    "statement_timeout": "120s",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": f"{_LOST_SECONDS}s",
}
_CONNECTION: Mapping[str, Any] = {
    "connect_timeout": 10,
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": _LOST_SECONDS * 1000,
}

_OVERTAKEN = {"40001", "40P01"}
"""Serialization failure, deadlock."""

_NOT_NOW = {"55P03", "57P01", "57P02", "57P03", "57P05", "53100", "53200", "53300"}
"""Lock not available; shut down, crashed, starting; idle session; disk full; out of memory; too many connections."""

_SQLITE_NOT_NOW = ("BUSY", "LOCKED", "FULL", "IOERR", "READONLY", "CANTOPEN", "NOMEM")
"""SQLite's codes for other writers, and for the disk or the machine; none is the fault of the statement."""

_STALLED = "25P03"
_CONNECTION_LOST = "08"


def open_engine(url: str, busy_seconds: float = BUSY_SECONDS, name: str = "referee", steady: bool = False) -> Engine:
    """An engine for SQLite in a file, or for PostgreSQL, where it is known by `name`.

    `steady`: a transaction sees on PostgreSQL, too, what stood when it began, and fails where it would write over what others
    have written since.

    Raises Unusable for SQLite without a file, and for other databases than those two.
    """
    target, file = make_url(url), file_of(url)
    if file is not None:
        return _open_sqlite(target, file, busy_seconds)
    if target.get_backend_name() != "postgresql":
        raise Unusable(
            f"[database] url names {target.get_backend_name()}; use SQLite, or PostgreSQL with an address such as "
            "postgresql+psycopg://user@host/name."
        )
    try:
        isolation: Literal["REPEATABLE READ", "READ COMMITTED"] = "REPEATABLE READ" if steady else "READ COMMITTED"
        connect = _patience(target, name)
        # The text of a letter must not come into the log by way of an error.
        return create_engine(
            target, pool_pre_ping=True, connect_args=connect, isolation_level=isolation, hide_parameters=True
        )
    except ModuleNotFoundError as error:
        what = f"[database] url wants the Python package {error.name}, which is not installed"
        raise Unusable(f"{what}; install referee[postgresql].") from error


def named(part: str) -> str:
    """The name of a part of the service in PostgreSQL's list of connections."""
    return f"referee {part} {socket.gethostname()} {os.getpid()}"


def _patience(target: URL, name: str) -> dict[str, Any]:
    """How long to wait for a PostgreSQL server, and it for us; what the address itself says goes first."""
    options = " ".join(f"-c {setting}={value}" for setting, value in _SESSION.items())
    own = target.query.get("options", "")
    given = {"application_name": name, **_CONNECTION}
    ours = {key: value for key, value in given.items() if key not in target.query}
    return {
        **ours,
        "options": f"{options} {own if isinstance(own, str) else ' '.join(own)}".strip(),
        **_prepares(target),
    }


def _prepares(target: URL) -> dict[str, Any]:
    """After how many uses the server keeps a statement; "none" for a pooler that does not know statements are kept.

    Raises Unusable for anything else but a number.
    """
    said = target.query.get("prepare_threshold")
    if said is None:
        return {}
    if said != "none" and not str(said).isdecimal():
        raise Unusable(f'[database] url: prepare_threshold is a number, or "none", not "{said}".')
    return {"prepare_threshold": None if said == "none" else int(str(said))}


@contextmanager
def put_off() -> Iterator[None]:
    """A thing that the database cannot do now is told as such (NotNow); its other errors are passed on as they are."""
    try:
        yield
    except Exception as error:
        later = _later(error)
        if later is None:
            raise
        raise later from error


def _later(error: Exception) -> NotNow | None:
    """The error as one that passes by itself; None where it does not."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    state = getattr(cause, "sqlstate", None) or ""
    said = " ".join(str(cause).split())
    if state == _STALLED:
        return Stalled(said)
    if is_torn(cause):
        return Torn(f"{said}. The database is damaged: restore your last backup, as docs/backup.md tells")
    if state in _OVERTAKEN:
        return Overtaken(said)
    if state in _NOT_NOW or state.startswith(_CONNECTION_LOST):
        return NotNow(said)
    if str(getattr(cause, "sqlite_errorname", "")).removeprefix("SQLITE_").startswith(_SQLITE_NOT_NOW):
        return NotNow(said)
    unreached = isinstance(error, OperationalError) and not state and not isinstance(cause, sqlite3.Error)
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    return NotNow(said) if unreached or lost else None


def file_of(url: str) -> Path | None:
    """The file of a SQLite database, None for one that a server keeps. Raises Unusable for SQLite without a file."""
    target = make_url(url)
    if target.get_backend_name() != "sqlite":
        return None
    if target.database in (None, "", ":memory:"):
        right = 'write "sqlite:///var/referee.sqlite"'
        raise Unusable(f"[database] url names no file, and matches must survive the process; {right}.")
    return Path(str(target.database))


def _open_sqlite(target: URL, file: Path, busy_seconds: float) -> Engine:
    if only_read(file) and file.exists():

        def look() -> SqliteConnection:
            return sqlite3.connect(to_look_into(file), uri=True, timeout=busy_seconds, isolation_level=None)

        return create_engine("sqlite://", creator=look, poolclass=NullPool, hide_parameters=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    # BEGIN and COMMIT are ours: the driver would begin only at the first write, too late to keep others out.
    # The driver keeps 128 statements prepared; we have more, and to prepare them again is a twentieth of a letter's work.
    connect = {"timeout": busy_seconds, "cached_statements": 1_000}
    engine = create_engine(target, isolation_level="AUTOCOMMIT", connect_args=connect, hide_parameters=True)
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
