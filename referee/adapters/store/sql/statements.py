"""Statements prepared once, and the driver that runs them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import msgspec
from sqlalchemy import (
    BindParameter,
    Column,
    Connection,
    Dialect,
    Executable,
    Select,
    String,
    Table,
    bindparam,
    func,
    select,
    update,
)
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.dml import UpdateBase

from referee.adapters.store.sql.ahead import Ahead
from referee.adapters.store.tables import metadata
from referee.service.base.ports import Conflict

if TYPE_CHECKING:
    import psycopg


# ---------------------------------------------------------------- statements translated once for the driver beneath
# Running one through the upper layers costs four times as much.


_Convert = Callable[[Any], Any]


@cache
def _dialect(name: str) -> Dialect:
    if name == "sqlite":
        return SQLiteDialect_pysqlite()
    from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

    # Parameters by their place, as the server knows them: the driver need not look for their names.
    by_place: type[Any] = PGDialect_psycopg
    return cast(Dialect, by_place(paramstyle="format"))


class Prepared:
    """One statement for parameters of these names: its SQL, and how values go in and come out.

    Every column's own type converts, exactly as it would when the statement was executed by SQLAlchemy.
    """

    def __init__(self, statement: Executable, dialect: Dialect, names: Iterable[str]) -> None:
        assert isinstance(statement, Select | UpdateBase)  # nothing else is ever prepared
        names = frozenset(names)
        compiled: Any = statement.compile(dialect=dialect, column_keys=sorted(names))
        self.sql = str(compiled)
        binds = [compiled.binds[name] for name in compiled.positiontup]
        self._slots = tuple(_slot(bind, dialect, names) for bind in binds)
        into = [column.type.dialect_impl(dialect) for column in statement.exported_columns]
        made = [(place, kind.result_processor(dialect, None)) for place, kind in enumerate(into)]
        self._from_driver = tuple((place, convert) for place, convert in made if convert is not None)

    def arguments(self, given: Mapping[str, Any]) -> list[Any]:
        """The values for the driver."""
        return [
            constant if name is None else given[name] if convert is None else convert(given[name])
            for name, constant, convert in self._slots
        ]

    def converted(self, rows: list[Any]) -> Sequence[Sequence[Any]]:
        """The driver's finds, as the columns' types give them."""
        return [self._row(row) for row in rows] if self._from_driver else rows

    def _row(self, row: tuple[Any, ...]) -> list[Any]:
        values = list(row)
        for place, convert in self._from_driver:
            values[place] = convert(values[place])
        return values


_Slot = tuple[str | None, Any, _Convert | None]
"""The name of a parameter and how to convert it; or None and a value that stands in the statement itself."""


def _slot(bind: BindParameter[Any], dialect: Dialect, names: frozenset[str]) -> _Slot:
    convert: _Convert | None = bind.type.dialect_impl(dialect).bind_processor(dialect)
    if bind.key in names:
        return bind.key, None, convert
    return None, bind.value if convert is None else convert(bind.value), None


_PREPARED: dict[tuple[str, Executable, tuple[str, ...]], Prepared] = {}


def prepared(dialect: str, statement: Executable, given: Mapping[str, Any]) -> Prepared:
    """The statement for parameters of these names, translated at its first use."""
    key = (dialect, statement, tuple(given))
    found = _PREPARED.get(key)
    if found is None:
        found = _PREPARED[key] = Prepared(statement, _dialect(dialect), given)
    return found


# ---------------------------------------------------------------- how a step runs its statements
# On the driver's own connection, past the upper layers.


Given = Mapping[str, Any]
"""Values by the names of a statement's parameters."""

Rows = Sequence[Sequence[Any]]

_TAKEN = "23505"


class Driver(Protocol):
    """The calls of a step to the driver beneath, inside one transaction."""

    def run_each(self, statement: Executable, rows: Sequence[Given]) -> None:
        """Run it for every row. A fault may be told by a later call, or when the step ends."""
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
    """A step on psycopg. Its writes are laid aside and sent together, with its next read or at its end.

    All that is sent ends with a Sync, as the server would not count a machine as idle from which it expects more, and locks of one
    that stands still would stay. To leave a pipeline psycopg may send a Flush behind the Sync, which undoes that: so the whole
    step is in one, and what follows at once is its COMMIT.
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
        """Statements that lie aside are sent, with those run in here."""
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


# ---------------------------------------------------------------- how statements are built
# Once, from the tables, for the values of service.ports.


TABLES: Mapping[str, Table] = MappingProxyType(metadata.tables)
"""The tables by name."""


def fields(table: Table, of: type[msgspec.Struct]) -> list[Column[Any]]:
    """The table's columns in the order of the struct's fields, so that `of(*row)` is the value."""
    return [table.c[name] for name in of.__struct_fields__]


def values(value: msgspec.Struct, *without: str) -> dict[str, Any]:
    """The struct's fields by name, except those named."""
    found = msgspec.structs.asdict(value)
    for name in without:
        del found[name]
    return found


def _insert(dialect: str, table: str) -> Any:
    """The dialect's own INSERT, the only one that knows ON CONFLICT. That of a server takes long to load."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(TABLES[table])


@cache
def insert_or_skip(dialect: str, table: str, *key: str) -> Executable:
    """Insert a row unless this key, or else its primary key, is taken; gives the primary key of a row that is new."""
    own = list(TABLES[table].primary_key)
    skip = _insert(dialect, table).on_conflict_do_nothing(index_elements=list(key) or own)
    statement: Executable = skip.returning(*own)
    return statement


@cache
def upsert(dialect: str, table: str) -> Executable:
    """Insert a row, or replace the one with the same primary key."""
    insert = _insert(dialect, table)
    keys = [column.name for column in TABLES[table].primary_key]
    fresh = {column.name: insert.excluded[column.name] for column in TABLES[table].c if column.name not in keys}
    statement: Executable = insert.on_conflict_do_update(index_elements=keys, set_=fresh)
    return statement


T = TypeVar("T")

_UNREAD = object()
_M = TABLES["match"]
CHANNEL = "referee"
"""The channel by which the machines of one PostgreSQL let each other know."""
_RING = select(func.pg_notify(CHANNEL, bindparam("match", type_=String)))
_TOUCH = update(_M).where(_M.c.name == bindparam("of")).values(turn=_M.c.turn)


class Part:
    """Statements run inside the transaction of one step, on the driver beneath or on one that stands for it.

    A step need not read again what it has read until it writes there itself: it goes on with what it saw first, and is not
    committed where that does not stand any more. Nothing read outlives the step.
    """

    def __init__(self, db: Connection, driver: Driver | None = None) -> None:
        self._db = db
        self._dialect = db.dialect.name
        self._driver = driver or driver_beneath(db)
        self._read: dict[str, dict[Hashable, Any]] = {}

    def under_way(self) -> AbstractContextManager[None]:
        """The time of a step that writes. At its end everything has arrived; raises what the step met and did not heed."""
        return self._driver.under_way()

    # ------------------------------------------------------------ what was read

    def _once(self, what: str, key: Hashable, read: Callable[[], T]) -> T:
        """The value that `read` gave the first time in this step."""
        kept = self._read.setdefault(what, {})
        if key not in kept:
            kept[key] = read()
        found: T = kept[key]
        return found

    def _stands(self, what: str, key: Hashable, value: Any) -> bool:
        """Whether this step knows that it need not be written, because it stands there already."""
        return bool(self._read.get(what, {}).get(key, _UNREAD) == value)

    def _known(self, what: str, key: Hashable) -> Any:
        """The row read or written under this key in this step; None if there is none."""
        return self._read.get(what, {}).get(key)

    def _keep(self, what: str, key: Hashable, value: Any) -> None:
        """This is what stands there now."""
        self._read.setdefault(what, {})[key] = value

    def _forget(self, what: str, key: Hashable | None = None) -> None:
        """Read this, or all of its kind, anew."""
        if key is None:
            self._read.pop(what, None)
        else:
            self._read.get(what, {}).pop(key, None)

    # ------------------------------------------------------------ statements

    def _touch(self, match: str) -> None:
        """Of two steps at a time that write to the same match on PostgreSQL one is overtaken, whatever it writes there."""
        if self._dialect != "sqlite" and match and not self._stands("touched", match, True):
            self._keep("touched", match, True)
            self._run(_TOUCH, {"of": match})

    def _ring(self, match: str) -> None:
        """Every machine on a PostgreSQL hears, as this step commits, that a match ran on; "" that letters came."""
        if self._dialect != "sqlite" and not self._stands("rung", match, True):
            self._keep("rung", match, True)
            self._run(_RING, {"match": match})

    def _run(self, statement: Executable, given: Mapping[str, Any]) -> None:
        self._driver.run_each(statement, (given,))

    def _run_each(self, statement: Executable, rows: Sequence[Mapping[str, Any]]) -> None:
        self._driver.run_each(statement, rows)

    def _rows(self, statement: Executable, given: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        return self._driver.rows(statement, given)

    def _rows_each(self, statement: Executable, each: Sequence[Mapping[str, Any]]) -> Sequence[Sequence[Sequence[Any]]]:
        """The statement's finds for each; on a server all of them are asked at once."""
        return self._driver.rows_each(statement, each)

    def _all(self, of: Callable[..., T], statement: Executable, /, **parameters: Any) -> list[T]:
        return [of(*row) for row in self._rows(statement, parameters)]

    def _one(self, of: Callable[..., T], statement: Executable, /, **parameters: Any) -> T | None:
        found = self._rows(statement, parameters)
        return of(*found[0]) if found else None

    def _value(self, statement: Executable, /, **parameters: Any) -> Any:
        """The first column of the first row; None where there is none."""
        found = self._rows(statement, parameters)
        return found[0][0] if found else None

    def _insert(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert rows. Raises Conflict when a key of one is taken, which is left out; the step may go on all the same."""
        inserted = self._rows_each(insert_or_skip(self._dialect, table), rows)
        if not all(inserted):
            raise Conflict(f"the key of a row is taken in the table {table}")
