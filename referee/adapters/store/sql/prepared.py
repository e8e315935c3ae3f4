"""Statements translated once for the driver beneath: running one through the upper layers costs four times as much."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, cast

from sqlalchemy import BindParameter, Dialect, Executable, Select
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.sql.dml import UpdateBase

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
        """What the driver is given."""
        return [
            constant if name is None else given[name] if convert is None else convert(given[name])
            for name, constant, convert in self._slots
        ]

    def converted(self, rows: list[Any]) -> Sequence[Sequence[Any]]:
        """What the driver found, as the columns' types give it."""
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
