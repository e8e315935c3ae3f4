"""The upgrade of a database, from the first table on, when a store is opened.

A new migration is a file in `migrations/versions` and a new HEAD; a test holds the migrated schema equal to the tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect

from referee.adapters.files import Unusable
from referee.adapters.store.database import writing
from referee.adapters.store.guard import last_writer, sign
from referee.service.base.note_values import Program, newer, this_program, too_new

HEAD = "0008"
"""The revision this version of the referee works with."""

_TURN = 0x7265666572656500
"""Any number that no other program of the same database is likely to lock."""

_BACK = "The only way back is to restore the backup made before the upgrade."


def current(db: Connection) -> str | None:
    """The revision a database is at, None when it is empty."""
    if not inspect(db).has_table("alembic_version"):
        return None
    return db.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def is_current(db: Connection) -> bool:
    """Whether the database is at HEAD; asks without waiting for anybody who writes."""
    return current(db) == HEAD


def refuse_newer(db: Connection, program: Program) -> None:
    """Raises Unusable for a database that a newer program has written, which this one does not know how to read."""
    found, last = current(db), last_writer(db)
    if found is not None and found > HEAD:
        beyond = [f"tables {found}, not {HEAD}"]
        raise Unusable(f"{too_new('The database', last.version if last else '', program.version, beyond)} {_BACK}")
    if last is not None and (sentence := newer("The database", last, program)):
        raise Unusable(f"{sentence} {_BACK}")


class Older(Unusable):
    """The database is an older program's still: the service brings it up to date, and no command does by the way."""


def why_older(db: Connection, program: Program) -> str:
    """The advice on a database that an older program has written last; "" on any other."""
    found, last = current(db), last_writer(db)
    if found is None or (found == HEAD and not (last and newer("", program, last))):
        return ""
    known = last is not None and last.version not in ("", program.version)
    who = f"version {last.version} of the referee" if last is not None and known else "an older referee"
    tables = f" (tables {found}, not {HEAD})" if found != HEAD else ""
    return (
        f"The database was written by {who}{tables}; this is version {program.version}. Make a backup first (referee backup "
        "FOLDER); then referee serve brings it up to date, and there is no way back. Nothing was touched."
    )


def refuse_older(db: Connection, program: Program) -> None:
    """Raises Older for a database with the tables of an older program."""
    if current(db) not in (None, HEAD):
        raise Older(why_older(db, program))


def upgrade(engine: Engine, revision: str = HEAD, program: Program | None = None) -> None:
    """Bring the database up to this revision, keeping what is in it; the program signs one that is at HEAD.

    Raises Unusable, and writes nothing, for a database of a newer program.
    """
    program = program or this_program()
    with engine.connect() as db, _no_foreign_keys(db), writing(db):
        # Another process may have been quicker while this one waited for its turn.
        if db.dialect.name == "postgresql":
            db.exec_driver_sql("SET LOCAL statement_timeout = 0")
            db.exec_driver_sql("SET LOCAL lock_timeout = 0")
            db.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_TURN})")
        refuse_newer(db, program)
        if current(db) != HEAD:
            _run(db, revision)
        if revision == HEAD:
            sign(db, program)


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
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = db
    command.upgrade(config, revision)
