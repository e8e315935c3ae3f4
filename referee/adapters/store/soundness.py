"""Whether a SQLite database is whole: each table and index looked through, and the broken ones named."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from referee.adapters.files import to_look_into

_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"


def broken_parts(path: Path, most_bytes: int | None = None) -> tuple[str, ...]:
    """What is broken in a database, by name; nothing where there is no file or an empty one.

    One of more than `most_bytes` is only looked at where each of its tables begins: the whole takes a second for some
    hundred megabytes. Raises sqlite3.Error for a file that is no database, or cannot be read.
    """
    if not path.exists() or not path.stat().st_size:
        return ()
    whole = most_bytes is None or path.stat().st_size <= most_bytes
    with closing(sqlite3.connect(to_look_into(path), uri=True, timeout=10)) as db:
        return tuple(_broken(db, whole))


def _broken(db: sqlite3.Connection, whole: bool) -> Iterator[str]:
    if whole and _said(db, "PRAGMA quick_check") == "ok":
        return
    try:
        tables = [str(name) for (name,) in db.execute(_TABLES)]
    except sqlite3.DatabaseError as error:
        if not error.sqlite_errorname.startswith("SQLITE_CORRUPT"):
            raise  # what cannot be opened, or is something else, is not damaged
        yield f"the list of tables ({error})"
        return
    found = [(name, said) for name in tables if (said := _said(db, _look(name, whole))) != "ok"]
    for name, said in found:
        yield f"the table {name} ({said})"
    if whole and not found:
        yield "a page that belongs to no table"


def _look(table: str, whole: bool) -> str:
    if whole:
        return f"PRAGMA quick_check('{table}')"
    return f"SELECT 'ok' FROM (SELECT 1) LEFT JOIN (SELECT 1 FROM \"{table}\" NOT INDEXED LIMIT 1)"


def _said(db: sqlite3.Connection, question: str) -> str:
    """The first thing SQLite has to say, on one line."""
    try:
        (said,) = db.execute(question).fetchone()
    except sqlite3.DatabaseError as error:
        return str(error)
    return " ".join(str(said).split())
