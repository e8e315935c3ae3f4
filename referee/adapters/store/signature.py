"""The program that wrote a database last signs in it, so that an older one knows that it must leave it alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
from sqlalchemy import Connection, create_engine, inspect, select
from sqlalchemy.pool import NullPool

from referee.adapters.files import to_look_into
from referee.adapters.store.database import driver_of
from referee.adapters.store.sql.part import TABLES, driver_beneath, upsert
from referee.service.base.ports import NotNow
from referee.service.base.remembered import Program, newer

_NOTE = {"match": "", "seat": "", "name": "written by"}
_N = TABLES["note"]
_SIGNED = select(_N.c.value).where(*(_N.c[key] == value for key, value in _NOTE.items()))
_SIGNED_SQLITE = "SELECT value FROM note WHERE match = :match AND seat = :seat AND name = :name"


class Outdated(NotNow):
    """A newer program has written the database since this one opened it: it works on, and this one must not."""


def signed(db: Connection) -> str | None:
    """The signature as it stands; None in a database that nobody has signed."""
    if db.dialect.name == "sqlite":  # at the head of every write: the upper layers would cost more than the question
        row = driver_of(db).execute(_SIGNED_SQLITE, _NOTE).fetchone()
        return None if row is None else str(row[0])
    found = driver_beneath(db).rows(_SIGNED, {})
    return None if not found else str(found[0][0])


def _signer(signature: str) -> Program:
    return msgspec.json.decode(signature, type=Program)


def last_writer(db: Connection) -> Program | None:
    """Who wrote a database last, of whatever version its tables are; None where nobody has signed."""
    schema = inspect(db)
    there = schema.has_table(_N.name) and {column["name"] for column in schema.get_columns(_N.name)} >= set(_N.c.keys())
    found = signed(db) if there else None
    return _signer(found) if found is not None else None


def sign(db: Connection, program: Program) -> None:
    """This program writes from now on. What it does not know of a game's rules stays as it was."""
    before = last_writer(db)
    rules = {**before.rules, **program.rules} if before else program.rules
    value = msgspec.json.encode(msgspec.structs.replace(program, rules=rules), order="sorted").decode()
    db.execute(upsert(db.dialect.name, "note"), {**_NOTE, "value": value})


class Pen:
    """What a program writes with: before it writes it looks whether a newer one has signed, and signs itself."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._seen: str | None = None

    def look(self, db: Connection) -> str | None:
        """The signature. Raises Outdated for that of a newer program."""
        found = signed(db)
        if found is None or found == self._seen:
            return found
        if sentence := newer("The database", _signer(found), self._program):
            raise Outdated(sentence)
        return found

    def take_up(self, db: Connection) -> None:
        """At the head of a write. Raises Outdated where a newer program has signed."""
        found = self.look(db)
        if found is None or found != self._seen:
            sign(db, self._program)
            self._seen = signed(db)


def read_only(file: Path, busy_seconds: float) -> closing[Connection]:
    """A look into a SQLite file that changes no byte of it, not even by tidying up after who wrote it last."""

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(to_look_into(file), uri=True, timeout=busy_seconds)

    return closing(create_engine("sqlite://", creator=connect, poolclass=NullPool).connect())
