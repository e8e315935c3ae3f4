"""What every part of a step stands on: one connection inside one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from sqlalchemy import Connection, CursorResult, Executable
from sqlalchemy.exc import IntegrityError

from referee.service.ports import Conflict

__all__ = ["Part", "is_taken"]

T = TypeVar("T")

_UNIQUE = {"SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "23505"}


def is_taken(error: IntegrityError) -> bool:
    """Whether a unique key was taken, rather than another constraint broken."""
    cause = error.orig
    return bool({getattr(cause, "sqlite_errorname", None), getattr(cause, "sqlstate", None)} & _UNIQUE)


class Part:
    """Statements run inside the transaction of one step; `reading` says that it may not write or lock."""

    def __init__(self, db: Connection, reading: bool = False) -> None:
        self._db = db
        self._reading = reading
        self._dialect = db.dialect.name

    def _run(self, statement: Executable, /, **parameters: Any) -> CursorResult[Any]:
        return self._db.execute(statement, parameters)

    def _all(self, of: Callable[..., T], statement: Executable, /, **parameters: Any) -> list[T]:
        return [of(*row) for row in self._db.execute(statement, parameters)]

    def _one(self, of: Callable[..., T], statement: Executable, /, **parameters: Any) -> T | None:
        row = self._db.execute(statement, parameters).first()
        return None if row is None else of(*row)

    def _write(self, statement: Executable, rows: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> CursorResult[Any]:
        """Run a statement that may meet a taken key. Raises Conflict; the step may go on all the same."""
        try:
            with self._savepoint():
                return self._db.execute(statement, rows)
        except IntegrityError as error:
            if is_taken(error):
                raise Conflict(str(error.orig)) from error
            raise

    def _savepoint(self) -> AbstractContextManager[Any]:
        """SQLite undoes a failed statement alone; other databases give up the transaction unless told how far."""
        return nullcontext() if self._dialect == "sqlite" else self._db.begin_nested()
