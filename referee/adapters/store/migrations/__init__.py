"""Migrations from the first table on, shipped with the package and run when a store is opened.

A new migration is a file in `versions` and a new HEAD; a test holds the migrated schema equal to the tables.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect

from referee.adapters.store.database import writing
from referee.adapters.unusable import Unusable

__all__ = ["HEAD", "current", "is_current", "upgrade"]

HEAD = "0006"
"""The revision this version of the referee works with."""

_TURN = 0x7265666572656500
"""Any number that no other program of the same database is likely to lock."""


def current(db: Connection) -> str | None:
    """The revision a database is at, None when it is empty."""
    if not inspect(db).has_table("alembic_version"):
        return None
    return db.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def is_current(engine: Engine) -> bool:
    """Whether the database is at HEAD; asks without waiting for anybody who writes."""
    with engine.connect() as db:
        return current(db) == HEAD


def upgrade(engine: Engine, revision: str = HEAD) -> None:
    """Bring the database up to this revision, keeping what is in it. Does nothing when it is there already.

    Raises Unusable, and writes nothing, for a database that this version does not know.
    """
    with engine.connect() as db:
        found = current(db)
    if found == HEAD:
        return
    if found is not None and found > HEAD:
        raise Unusable(_newer(found))
    with engine.connect() as db, _no_foreign_keys(db), writing(db):
        # Another process may have been quicker while this one waited for its turn.
        if db.dialect.name == "postgresql":
            db.exec_driver_sql("SET LOCAL statement_timeout = 0")
            db.exec_driver_sql("SET LOCAL lock_timeout = 0")
            db.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_TURN})")
        if current(db) != HEAD:
            _run(db, revision)


def _newer(found: str) -> str:
    version = importlib.metadata.version("referee")
    return (
        f"This database was written by a newer referee (revision {found}); this is version {version}, which knows it up to "
        f"revision {HEAD}, and there is no way back. Install the newer one, or restore the backup made before the upgrade."
    )


@contextmanager
def _no_foreign_keys(db: Connection) -> Iterator[None]:
    """SQLite changes a table by copying it; its foreign keys would take the dropped original for a deletion."""
    if db.dialect.name != "sqlite":
        yield
        return
    db.exec_driver_sql("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        db.exec_driver_sql("PRAGMA foreign_keys = ON")


def _run(db: Connection, revision: str) -> None:
    # Alembic takes a tenth of a second to import, and a store that is up to date never needs it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = db
    command.upgrade(config, revision)
