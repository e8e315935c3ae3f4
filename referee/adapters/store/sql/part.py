"""What every part of a step stands on: one connection inside one transaction, and what it has read already."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, TypeVar

from sqlalchemy import Connection, Executable, bindparam, update
from sqlalchemy.exc import IntegrityError

from referee.adapters.store.sql.ahead import Ahead
from referee.adapters.store.sql.prepared import prepared
from referee.adapters.store.sql.statements import TABLES
from referee.service.ports import Conflict

T = TypeVar("T")

_UNIQUE = {"SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "23505"}
_UNREAD = object()
_M = TABLES["match"]
_TOUCH = update(_M).where(_M.c.name == bindparam("of")).values(turn=_M.c.turn)


def is_taken(cause: BaseException | None) -> bool:
    """Whether a unique key was taken, rather than another constraint broken; `cause` is the driver's own error."""
    return bool({getattr(cause, "sqlite_errorname", None), getattr(cause, "sqlstate", None)} & _UNIQUE)


class Part:
    """Statements run inside the transaction of one step; `reading` says that it may not write or lock.

    What a step has read it need not read again until it writes there itself: on SQLite nobody else writes meanwhile,
    and on PostgreSQL the step goes on with what it saw first. Nothing read outlives the step.
    """

    def __init__(self, db: Connection, reading: bool = False, ahead: Ahead | None = None) -> None:
        self._db = db
        self._reading = reading
        self._dialect = db.dialect.name
        driver = db.connection.driver_connection
        self._ahead = ahead
        self._sqlite = ahead or (driver if isinstance(driver, sqlite3.Connection) else None)
        self._read: dict[str, dict[Hashable, Any]] = {}

    # ------------------------------------------------------------ what was read

    def _once(self, what: str, key: Hashable, read: Callable[[], T]) -> T:
        """What `read` gave the first time in this step."""
        kept = self._read.setdefault(what, {})
        if key not in kept:
            kept[key] = read()
        found: T = kept[key]
        return found

    def _stands(self, what: str, key: Hashable, value: Any) -> bool:
        """Whether this step knows that it need not be written, because it stands there already."""
        return bool(self._read.get(what, {}).get(key, _UNREAD) == value)

    def _known(self, what: str, key: Hashable) -> Any:
        """What was read or written under this key in this step; None where nothing was."""
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

    def _direct(self) -> Connection:
        """The connection itself, for what the prepared statements cannot do; who reckons ahead has his turn then."""
        return self._db if self._ahead is None else self._ahead.direct()

    def _run(self, statement: Executable, given: Mapping[str, Any]) -> int:
        """Run it once; how many rows it changed."""
        if self._sqlite is None:
            return self._db.execute(statement, given).rowcount
        return prepared(statement, self._db.dialect, given).run(self._sqlite, given).rowcount

    def _run_each(self, statement: Executable, rows: Sequence[Mapping[str, Any]]) -> None:
        if not rows:
            return
        if self._sqlite is None:
            self._db.execute(statement, rows)
        else:
            prepared(statement, self._db.dialect, rows[0]).run_each(self._sqlite, rows)

    def _rows(self, statement: Executable, given: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        if self._sqlite is None:
            return self._db.execute(statement, given).all()
        return prepared(statement, self._db.dialect, given).rows(self._sqlite, given)

    def _all(self, of: Callable[..., T], statement: Executable, /, **parameters: Any) -> list[T]:
        return [of(*row) for row in self._rows(statement, parameters)]

    def _one(self, of: Callable[..., T], statement: Executable, /, **parameters: Any) -> T | None:
        found = self._rows(statement, parameters)
        return of(*found[0]) if found else None

    def _value(self, statement: Executable, /, **parameters: Any) -> Any:
        """The first column of the first row; None where there is none."""
        found = self._rows(statement, parameters)
        return found[0][0] if found else None

    def _write(self, statement: Executable, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run a statement that may meet a taken key. Raises Conflict; the step may go on all the same."""
        with self._unless_taken():
            self._run_each(statement, rows)

    @contextmanager
    def _unless_taken(self) -> Iterator[None]:
        """What is run in here is undone and a Conflict where it meets a taken key; the step may go on all the same."""
        try:
            with self._savepoint():
                yield
        except (IntegrityError, sqlite3.IntegrityError) as error:
            cause = error.orig if isinstance(error, IntegrityError) else error
            if is_taken(cause):
                raise Conflict(str(cause)) from error
            raise

    def _savepoint(self) -> AbstractContextManager[Any]:
        """SQLite undoes a failed statement alone; other databases give up the transaction unless told how far."""
        return nullcontext() if self._dialect == "sqlite" else self._db.begin_nested()
