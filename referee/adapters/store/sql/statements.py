"""How statements are built: once, from the tables, for the values of service.ports."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

import msgspec
from sqlalchemy import Column, Executable, Table

from referee.adapters.store.tables import metadata

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
