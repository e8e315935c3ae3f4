"""Statements translated once for SQLite's own driver: running one through the upper layers costs four times as much."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from sqlite3 import Connection, Cursor
from typing import Any

from sqlalchemy import BindParameter, Dialect, Executable, Select
from sqlalchemy.sql.dml import UpdateBase

from referee.adapters.store.sql.ahead import Ahead, Found

_Convert = Callable[[Any], Any]


class Prepared:
    """One statement for parameters of these names: its SQL, and how values go in and come out.

    Every column's own type converts, exactly as it would when the statement was executed by SQLAlchemy.
    """

    def __init__(self, statement: Executable, dialect: Dialect, names: Iterable[str]) -> None:
        assert isinstance(statement, Select | UpdateBase)  # nothing else is ever prepared
        names = frozenset(names)
        compiled: Any = statement.compile(dialect=dialect, column_keys=sorted(names))
        self._sql = str(compiled)
        binds = [compiled.binds[name] for name in compiled.positiontup]
        self._slots = tuple(_slot(bind, dialect, names) for bind in binds)
        into = [column.type.dialect_impl(dialect) for column in statement.exported_columns]
        made = [(place, kind.result_processor(dialect, None)) for place, kind in enumerate(into)]
        self._from_driver = tuple((place, convert) for place, convert in made if convert is not None)

    def run(self, driver: Connection | Ahead, given: Mapping[str, Any]) -> Cursor | Found:
        """Run it once."""
        return driver.execute(self._sql, self._arguments(given))

    def run_each(self, driver: Connection | Ahead, rows: Iterable[Mapping[str, Any]]) -> None:
        """Run it for every row."""
        driver.executemany(self._sql, [self._arguments(row) for row in rows])

    def rows(self, driver: Connection | Ahead, given: Mapping[str, Any]) -> list[Any]:
        """Run it and take everything it finds."""
        found = self.run(driver, given).fetchall()
        return [self._converted(row) for row in found] if self._from_driver else found

    def _arguments(self, given: Mapping[str, Any]) -> list[Any]:
        return [
            constant if name is None else given[name] if convert is None else convert(given[name])
            for name, constant, convert in self._slots
        ]

    def _converted(self, row: tuple[Any, ...]) -> list[Any]:
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


_PREPARED: dict[tuple[Executable, tuple[str, ...]], Prepared] = {}


def prepared(statement: Executable, dialect: Dialect, given: Mapping[str, Any]) -> Prepared:
    """The statement for parameters of these names, translated at its first use. SQLite only: it has one dialect."""
    key = (statement, tuple(given))
    found = _PREPARED.get(key)
    if found is None:
        found = _PREPARED[key] = Prepared(statement, dialect, given)
    return found
