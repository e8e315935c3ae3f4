"""Where a database lies, whether it is sound, and which program wrote it last."""

from __future__ import annotations

import logging
import os
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import msgspec
from sqlalchemy import Connection, Engine, bindparam, create_engine, func, inspect, select, text
from sqlalchemy.pool import NullPool

from referee.adapters.files import to_look_into
from referee.adapters.processes.child import Worker
from referee.adapters.store.database import driver_of, named, open_engine, put_off
from referee.adapters.store.sql.statements import TABLES, driver_beneath, upsert
from referee.service.base.note_values import Program, newer, this_program
from referee.service.base.ports import NotNow

# ---------------------------------------------------------------- who wrote it last
# The program that wrote a database last signs in it, so that an older one knows that it must leave it alone.


_WRITTEN_BY = {"match": "", "seat": "", "name": "written by"}
_N = TABLES["note"]
_WRITTEN = select(_N.c.value).where(*(_N.c[key] == value for key, value in _WRITTEN_BY.items()))
_SIGNED_SQLITE = "SELECT value FROM note WHERE match = :match AND seat = :seat AND name = :name"


class Outdated(NotNow):
    """A newer program has written the database since this one opened it: it works on, and this one must not."""


def signed(db: Connection) -> str | None:
    """The signature as it stands; None in a database that nobody has signed."""
    if db.dialect.name == "sqlite":  # at the head of every write: the upper layers would cost more than the question
        row = driver_of(db).execute(_SIGNED_SQLITE, _WRITTEN_BY).fetchone()
        return None if row is None else str(row[0])
    found = driver_beneath(db).rows(_WRITTEN, {})
    return None if not found else str(found[0][0])


def _signer(signature: str) -> Program:
    return msgspec.json.decode(signature, type=Program)


def last_writer(db: Connection) -> Program | None:
    """The last writer of a database, of whatever version its tables are; None if nobody has signed."""
    schema = inspect(db)
    there = schema.has_table(_N.name) and {column["name"] for column in schema.get_columns(_N.name)} >= set(_N.c.keys())
    found = signed(db) if there else None
    return _signer(found) if found is not None else None


def sign(db: Connection, program: Program) -> None:
    """This program writes from now on. Rules of a game that it does not know stay as they were."""
    before = last_writer(db)
    rules = {**before.rules, **program.rules} if before else program.rules
    value = msgspec.json.encode(msgspec.structs.replace(program, rules=rules), order="sorted").decode()
    db.execute(upsert(db.dialect.name, "note"), {**_WRITTEN_BY, "value": value})


class Pen:
    """A program's pen: before it writes it looks whether a newer one has signed, and signs itself."""

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


_log = logging.getLogger(__name__)

_FREE = 0x52454645
"""Any number that no other program of the same database is likely to lock; the other half of the key is the schema."""

_NOTE = {"match": "", "seat": "", "name": "at the desk"}
_SIGNED = select(_N.c.value).where(*(_N.c[key] == value for key, value in _NOTE.items()))
_STILL_SIGNED = _SIGNED.with_for_update(read=True)
_TAKE = select(func.pg_try_advisory_xact_lock(bindparam("number"), func.hashtext(func.current_schema())))

_LOOK_ANEW = select(func.pg_stat_clear_snapshot())
_END_STOPPED = text(
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database()"
    " AND usename = current_user AND application_name LIKE :name AND state = 'active' AND wait_event = 'ClientRead'"
    " AND current_setting('idle_in_transaction_session_timeout')::interval > interval '0'"
    " AND state_change < clock_timestamp() - current_setting('idle_in_transaction_session_timeout')::interval"
)
"""Ends desks that stand still between two parts of what they send. The server does not count those as idle, so nothing else would
end what they have locked."""


class AtDesk(msgspec.Struct, frozen=True):
    """The last to sign for the place."""

    host: str
    pid: int
    since: datetime
    mark: str


class Place:
    """A desk's claim to the place. It looks after it every `rest_seconds`, in a thread of its own once it is started.

    That must be more often than the server's patience with an idle transaction. It is nothing for a `program` that is older
    than one that has written the database.
    """

    def __init__(self, url: str, rest_seconds: float, program: Program | None = None) -> None:
        self._pen = Pen(program or this_program())
        self._engine = open_engine(url, name=named("place"))
        self._thread = Worker("the place at the desk", self.keep, rest_seconds)
        self._changed: Callable[[bool], None] = lambda has_it: None
        self._lock: Connection | None = None
        self._signature = ""
        self._said: bool | None = None

    @property
    def is_mine(self) -> bool:
        """Whether this desk has the place, as far as it knows."""
        return bool(self._signature)

    def keep(self) -> int:
        """Show that this desk lives, or take the place if it is free; 0, since there is nothing more to do.

        Raises NotNow when the database cannot be reached, or a newer program has written it, and the place is lost.
        """
        try:
            with put_off():
                holds = self._holds()
                # The server itself ends what stands still in a transaction, but not what it takes for busy.
                with self._lock_or_another() as db:
                    db.execute(_LOOK_ANEW)
                    if ended := db.execute(_END_STOPPED, {"name": "referee %"}).scalar():
                        _log.warning(
                            "%d of the desks stood still in the middle of a step; its letters are free again",
                            ended,
                        )
                if not holds:
                    self._take()
        except BaseException:
            self._let_go()
            raise
        finally:
            self._tell()
        return 0

    def guard(self, db: Connection) -> None:
        """At the head of a desk's write: nobody else signs before it is committed, where this desk believes the place its own.

        Raises NotNow, once, for the desk that lost it.
        """
        mine = self._signature
        if mine and db.execute(_STILL_SIGNED).scalar() != mine:
            self._signature = ""
            raise NotNow("this desk keeps house no more; another one does")

    def start(self, changed: Callable[[bool], None]) -> None:
        """Try to have the place and keep it. `changed` is told at first, and whenever it changes, whether it is had."""
        self._changed = changed
        self._thread.start()

    def close(self) -> None:
        """Free the place."""
        self._thread.stop()
        self._let_go()
        self._engine.dispose()

    def _holds(self) -> bool:
        if self._lock is None or not self._signature:
            self._let_go()
            return False
        self._pen.look(self._lock)
        return True

    @contextmanager
    def _lock_or_another(self) -> Iterator[Connection]:
        if self._lock is not None:
            yield self._lock
        else:
            with self._engine.connect() as db:
                yield db

    def _take(self) -> None:
        self._lock = self._engine.connect()
        self._lock.begin()
        self._pen.look(self._lock)
        if self._lock.execute(_TAKE, {"number": _FREE}).scalar():
            self._signature = self._sign()
        else:
            self._lock.close()
            self._lock = None

    def _sign(self) -> str:
        """Sign for the place; waits for the writes of a desk that had it, of which no new one can begin after that."""
        who = AtDesk(socket.gethostname(), os.getpid(), datetime.now(UTC), uuid4().hex)
        signature = msgspec.json.encode(who).decode()
        with self._engine.begin() as db:
            db.execute(upsert("postgresql", "note"), {**_NOTE, "value": signature})
        return signature

    def _let_go(self) -> None:
        lock, self._lock, self._signature = self._lock, None, ""
        if lock is not None:
            lock.invalidate()  # to take back its transaction would be to ask a server that may be gone
            lock.close()

    def _tell(self) -> None:
        if self._said is self.is_mine:
            return
        if self._said is not None:
            _log.warning("this desk %s", "keeps house now" if self.is_mine else "works beside the one that keeps house")
        self._said = self.is_mine
        self._changed(self.is_mine)


def at_desk(engine: Engine) -> AtDesk | None:
    """The holder of the place at the desk of this database now; None when nobody has it."""
    with engine.connect() as db:
        if db.execute(_TAKE, {"number": _FREE}).scalar():
            return None
        signed = db.execute(_SIGNED).scalar()
    return msgspec.json.decode(signed, type=AtDesk) if signed else None


# ---------------------------------------------------------------- whether a SQLite database is whole
# Each table and index looked through, and the broken ones named.


_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"


def broken_parts(path: Path, most_bytes: int | None = None) -> tuple[str, ...]:
    """The damage in a database, by name; nothing where there is no file or an empty one.

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
