"""Where the databases of a case lie: files in its folder, or on the PostgreSQL server that the folder names.

A case knows its databases as files. On a server each of them is a database of its own beside the one that was named, called
after the folder and the file, so that a process which is handed the file finds it too.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, make_url, text
from sqlalchemy.exc import SQLAlchemyError

from referee.adapters.store.database import open_engine

_NAMED = "server"


class NoServer(Exception):
    """The address is not that of a PostgreSQL on which databases can be made."""


def keep_on_server(folder: Path, url: str) -> None:
    """The databases of the case in this folder lie beside this one from now on."""
    (folder / _NAMED).write_text(url, "utf-8")


def server_of(folder: Path) -> str:
    """The database beside which those of the case in this folder lie; "" where they are files."""
    named = folder / _NAMED
    return named.read_text("utf-8") if named.exists() else ""


def described(url: str) -> str:
    """Which server it is and how durable. Raises NoServer where nothing can be measured on it."""
    if make_url(url).get_backend_name() != "postgresql":
        raise NoServer("--database wants the address of a PostgreSQL, as postgresql+psycopg://user@host/name.")
    try:
        with _beside(url) as db:
            said = [db.exec_driver_sql(f"SHOW {what}").scalar() for what in ("server_version", *_DURABLE)]
            may = db.exec_driver_sql("SELECT rolcreatedb FROM pg_roles WHERE rolname = current_user").scalar()
    except SQLAlchemyError as error:
        raise NoServer(f"--database cannot be reached: {' '.join(str(error.__cause__ or error).split())}") from error
    if not may:
        raise NoServer("--database wants a user who may make databases (CREATEDB): each case has its own.")
    durable = ", ".join(f"{name} {value}" for name, value in zip(_DURABLE, said[1:], strict=True))
    return f"{said[0]}, {durable}"


_DURABLE = ("fsync", "synchronous_commit")


def address_of(path: Path) -> str:
    """The address of a database for the store; one on a server is made if it is not there."""
    server = server_of(path.parent)
    if not server:
        return f"sqlite:///{path}"
    with _beside(server) as db:
        if db.execute(_THERE, {"name": _name(path)}).first() is None:
            db.exec_driver_sql(f'CREATE DATABASE "{_name(path)}"')
    return make_url(server).set(database=_name(path)).render_as_string(hide_password=False)


def copied(template: Path, path: Path) -> None:
    """A copy of a closed database."""
    if server := server_of(path.parent):
        with _beside(server) as db:
            db.exec_driver_sql(f'CREATE DATABASE "{_name(path)}" TEMPLATE "{_name(template)}"')
    else:
        shutil.copyfile(template, path)


def thrown_away(path: Path) -> None:
    """A database and what lies beside it, gone."""
    if server := server_of(path.parent):
        with _beside(server) as db:
            db.exec_driver_sql(f'DROP DATABASE IF EXISTS "{_name(path)}" WITH (FORCE)')
    for left in path.parent.glob(f"{path.name}*"):
        left.unlink()


def all_thrown_away(folder: Path) -> None:
    """The databases of a case on its server, gone; files go with their folder."""
    if server := server_of(folder):
        with _beside(server) as db:
            for (name,) in db.execute(_OF_FOLDER, {"begins": f"{folder.name}-"}).all():
                db.exec_driver_sql(f'DROP DATABASE "{name}" WITH (FORCE)')


_THERE = text("SELECT 1 FROM pg_database WHERE datname = :name")
_OF_FOLDER = text("SELECT datname FROM pg_database WHERE starts_with(datname, :begins)")


def _name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@contextmanager
def _beside(url: str) -> Iterator[Connection]:
    engine = open_engine(url, name="referee bench")
    try:
        with engine.connect() as db:
            yield db.execution_options(isolation_level="AUTOCOMMIT")
    finally:
        engine.dispose()


class Bare:
    """A database by its driver alone: what the store is measured beside. Marks are written "?"."""

    def __init__(self, db: Any, mark: str) -> None:
        self._db, self._mark = db, mark

    def run(self, statement: str, values: Sequence[object] = ()) -> Any:
        """Run a statement; the cursor."""
        return self._db.execute(statement.replace("?", self._mark), values)


@contextmanager
def bare(path: Path) -> Iterator[Bare]:
    """The driver on a database: sqlite3 with WAL and synchronous FULL, or psycopg as it comes. BEGIN is said by hand."""
    if server_of(path.parent):
        from psycopg import connect  # only where a server is measured

        url = make_url(address_of(path)).set(drivername="postgresql")
        with closing(connect(url.render_as_string(hide_password=False), autocommit=True)) as server:
            yield Bare(server, "%s")
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            db.execute(f"PRAGMA {pragma}")
        yield Bare(db, "?")
