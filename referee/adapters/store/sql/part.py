"""What every part of a step stands on: one connection inside one transaction, and what it has read already."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from sqlalchemy import Connection, Executable, String, bindparam, func, select, update

from referee.adapters.store.sql.drivers import Driver, driver_beneath
from referee.adapters.store.sql.statements import TABLES, insert_or_skip
from referee.service.base.ports import Conflict

T = TypeVar("T")

_UNREAD = object()
_M = TABLES["match"]
CHANNEL = "referee"
"""By which the machines of one PostgreSQL let each other know."""
_RING = select(func.pg_notify(CHANNEL, bindparam("match", type_=String)))
_TOUCH = update(_M).where(_M.c.name == bindparam("of")).values(turn=_M.c.turn)


class Part:
    """Statements run inside the transaction of one step, on the driver beneath or on one that stands for it.

    What a step has read it need not read again until it writes there itself: it goes on with what it saw first, and is not
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
        """What the statement finds for each; on a server all of them are asked at once."""
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
