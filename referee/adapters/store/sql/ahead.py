"""Reckoning ahead of the write lock, on SQLite: what a step reads is noted, what it writes is laid aside, until it ends.

Then, and no sooner, it takes its turn to write. If others have written meanwhile everything is read once more; where anything
reads otherwise the step is overtaken, and nothing of it was written. A step that asks for what it has laid aside itself, or for
something only the database can say, takes its turn there and then, and goes on as any other.

A read is compared with what is laid aside by the columns that both name: as long as one of them differs, neither touches the
rows of the other. A stretch of a log up to an entry that stands is never read again: a log is only ever added to.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from referee.service.base.ports import Overtaken

_Args = Sequence[Any]


class Shape(msgspec.Struct, frozen=True):
    """A statement's tables.

    `where` are the columns that its rows have before and after it, by the place of the parameter that says so, `until` those
    that go no further; `sets` are the columns that they have afterwards. `says` is whether it asks the database for rows.
    """

    tables: tuple[str, ...]
    writes: bool
    says: bool
    where: Mapping[str, int]
    sets: Mapping[str, int]
    until: Mapping[str, int] = {}

    @property
    def stands(self) -> bool:
        """Whether what it reads can never read otherwise."""
        return self.tables == ("entry",) and "seq" in self.until


_TABLE = re.compile(r'(?:FROM|JOIN|INTO|UPDATE)\s+(?!SET )"?(\w+)"?', re.IGNORECASE)
_MARK = re.compile(r'[()?]|\bOR\b|(?:"?\w+"?\.)?"?(\w+)"?\s*(<?=)\s*(?=\?)')
_CHANGED = re.compile(r'(\w+)"?\s*=')
_INSERT = re.compile(r'\s*INSERT INTO\s+"?\w+"?\s*\(([^)]*)\)', re.IGNORECASE)
_CONFLICT = re.compile(r"ON CONFLICT \(([^)]*)\) DO UPDATE", re.IGNORECASE)


@cache
def shape_of(sql: str) -> Shape:
    """The shape of one of our statements."""
    tables = tuple(dict.fromkeys(_TABLE.findall(sql)))
    verb = sql.split(None, 1)[0].upper()
    says = "RETURNING" in sql
    if verb == "INSERT":
        found = _INSERT.match(sql)
        columns = _names(found[1]) if found is not None else ()
        key = _CONFLICT.search(sql)
        all_columns = {name: place for place, name in enumerate(columns)}
        same = all_columns if key is None else {name: all_columns[name] for name in _names(key[1])}
        return Shape(tables, True, says, same, all_columns)
    before, _, after = sql.partition("WHERE")
    changed = set(_CHANGED.findall(before)) if verb == "UPDATE" else set[str]()
    where = {name: place for name, place in _compared(after, before.count("?")).items() if name not in changed}
    until = _compared(after, before.count("?"), "<=") if verb == "SELECT" else {}
    return Shape(tables, verb != "SELECT", says, where, _compared(before, 0), until)


def _names(columns: str) -> tuple[str, ...]:
    return tuple(name.strip().strip('"') for name in columns.split(","))


def _compared(part: str, place: int, how: str = "=") -> dict[str, int]:
    """The columns that are said to be equal to a parameter, or so far from it, outside of all parentheses."""
    found: dict[str, int] = {}
    depth = 0
    for mark in _MARK.finditer(part):
        if mark[0] in "()":
            depth += 1 if mark[0] == "(" else -1
        elif mark[0] == "?":
            place += 1
        elif depth == 0 and mark[0] == "OR":
            return {}
        elif depth == 0 and mark[2] == how:
            found[mark[1]] = place
    return found


_MAY_BE_THERE = ("INSERT INTO letter_in ", "INSERT INTO letter_body ")
"""Tables in which a row may be put again without anybody's fault: only the database knows which is new."""


class Later:
    """The database's answer on the one row laid aside. A caller who wants its number gets it: then the step takes its turn."""

    __slots__ = ("_settle", "number")

    def __init__(self, settle: Callable[[], object]) -> None:
        self._settle: Callable[[], object] | None = settle
        self.number: Any = None

    def __int__(self) -> int:
        if self.number is None and self._settle is not None:
            self._settle()
        return int(self.number)

    def let_go(self) -> None:
        """Know no more of the step; it has ended."""
        self._settle = None


class Found:
    """A statement's result: as much of a cursor as is asked for."""

    __slots__ = ("_rows",)

    def __init__(self, rows: list[Any]) -> None:
        self._rows = rows

    def fetchall(self) -> list[Any]:
        """All rows."""
        return self._rows


class _Laid(msgspec.Struct):
    """A write that was laid aside."""

    sql: str
    row: _Args
    later: Later | None = None

    def done(self, driver: sqlite3.Connection) -> None:
        found = driver.execute(self.sql, _numbered(self.row))
        if self.later is not None:
            row = found.fetchone()
            if row is None:
                raise Overtaken("the letters this step took for its own are another's by now")
            self.later.number = row[0]


def _numbered(row: _Args) -> list[Any]:
    return [value.number if type(value) is Later else value for value in row]


class Ahead:
    """Stands for the connection of a step that reckons ahead.

    `look` reads what stood when the step began; `take_turn` begins to write and gives the connection that does, and whether
    others have written since.
    """

    def __init__(self, look: sqlite3.Connection, take_turn: Callable[[], tuple[sqlite3.Connection, bool]]) -> None:
        self._look = look
        self._take_turn = take_turn
        self._writer: sqlite3.Connection | None = None
        self._read: list[tuple[str, _Args, list[Any]]] = []
        self._laid: list[_Laid] = []
        self._on: dict[str, dict[str, _Writes]] = {}

    def execute(self, sql: str, args: _Args = ()) -> Found | sqlite3.Cursor:
        """Run a statement, or lay it aside."""
        if self._writer is not None:
            return self._writer.execute(sql, _numbered(args))
        shape = shape_of(sql)
        if not shape.writes:
            return self._asked(sql, shape, args)
        if not shape.says:
            self._lay(_Laid(sql, args))
            return Found([])
        if sql.startswith(_MAY_BE_THERE):
            return self.settle().execute(sql, args)
        later = Later(self.settle)
        self._lay(_Laid(sql, args, later))
        return Found([(later,)])

    def _lay(self, laid: _Laid) -> None:
        self._laid.append(laid)
        shape = shape_of(laid.sql)
        for table in shape.tables:
            on_it = self._on.setdefault(table, {})
            if laid.sql not in on_it:
                on_it[laid.sql] = _Writes(shape)
            on_it[laid.sql].add(laid.row)

    def _asked(self, sql: str, shape: Shape, args: _Args) -> Found | sqlite3.Cursor:
        rows = self._look.execute(sql, args).fetchall()
        if any(each.meet(sql, args, bool(rows)) for table in shape.tables for each in self._on.get(table, {}).values()):
            return self.settle().execute(sql, _numbered(args))
        if not shape.stands:
            self._read.append((sql, args, rows))
        return Found(rows)

    def settle(self) -> sqlite3.Connection:
        """Take the turn, if it is not had: what was read is read again where others wrote, what was laid aside is written.

        Raises Overtaken.
        """
        if self._writer is not None:
            return self._writer
        self._writer, is_changed = self._take_turn()
        if is_changed and any(self._writer.execute(sql, args).fetchall() != rows for sql, args, rows in self._read):
            raise Overtaken("others wrote meanwhile what this step had read")
        try:
            for laid in self._laid:
                laid.done(self._writer)
        except sqlite3.IntegrityError as problem:
            raise Overtaken(f"others wrote meanwhile where this step would: {problem}") from problem
        return self._writer

    def end(self) -> None:
        """Write what was laid aside, if anything was."""
        if self._laid:
            self.settle()

    def let_go(self) -> None:
        """Keep nothing of what was read and written: whoever has a number from here would else keep all of it in memory."""
        for laid in self._laid:
            if laid.later is not None:
                laid.later.let_go()
        self._laid.clear()
        self._read.clear()
        self._on.clear()


class _Way(msgspec.Struct):
    """How one read finds rows that agree with it: by its parameters at these places, and a row's at those; what is filed so far."""

    asked: tuple[int, ...]
    written: tuple[int, ...]
    rows: dict[tuple[Any, ...], list[_Args]] = {}
    filed: int = 0


class _Writes:
    """The rows that one statement is to write. A step reads and writes hundreds, so none looks through all the others' rows."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._rows: list[_Args] = []
        self._ways: dict[str, _Way] = {}

    def add(self, row: _Args) -> None:
        """One row more."""
        self._rows.append(row)

    def meet(self, sql: str, args: _Args, found_any: bool) -> bool:
        """Whether one of them may change what a read of this table gives."""
        read = shape_of(sql)
        if len(read.tables) > 1:
            return True
        return any(_meets_row(read, args, found_any, self._shape, row) for row in self._alike(sql, read, args))

    def _alike(self, sql: str, read: Shape, args: _Args) -> Sequence[_Args]:
        """Those that had, and have, what the read asks for in every column that both name."""
        way = self._ways.get(sql)
        if way is None:
            both = [name for name in self._shape.where if name in read.where]
            asked, written = (tuple(of[name] for name in both) for of in (read.where, self._shape.where))
            way = self._ways[sql] = _Way(asked, written)
        for row in self._rows[way.filed :]:
            way.rows.setdefault(tuple(row[place] for place in way.written), []).append(row)
        way.filed = len(self._rows)
        return way.rows.get(tuple(args[place] for place in way.asked), ())


def _meets_row(read: Shape, args: _Args, found_any: bool, write: Shape, row: _Args) -> bool:
    def differs(columns: Mapping[str, int]) -> bool:
        return any(
            (name in read.where and args[read.where[name]] != row[place])
            or (name in read.until and type(row[place]) is int and args[read.until[name]] < row[place])
            for name, place in columns.items()
        )

    was_another = differs(write.where)
    return not (was_another or (not found_any and differs(write.sets)))
