"""A database copied while it is used: SQLite by its own backup, PostgreSQL by pg_dump."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.engine import URL, make_url

from referee.adapters.files import to_look_into
from referee.adapters.store.place import broken_parts
from referee.adapters.store.sql.part import TABLES
from referee.adapters.unusable import Unusable

# ---------------------------------------------------------------- server
# A PostgreSQL database into a file and out of one, by PostgreSQL's own programs of a version that fits the server's.


_DEBIAN = Path("/usr/lib/postgresql")
_OURS = ("prepare_threshold", "options")
"""What an address says to us, or to a session of ours, and not to PostgreSQL's programs."""


def version_of(db: Connection) -> int:
    """The server's major version."""
    return int(str(db.execute(text("SHOW server_version_num")).scalar())) // 10_000


def dump(db: Connection, url: str, target: Path) -> None:
    """Write what a connection sees, in a steady transaction, into a file. Raises Unusable without a fitting pg_dump."""
    snapshot = str(db.execute(text("SELECT pg_export_snapshot()")).scalar())
    schema = str(db.execute(text("SELECT current_schema()")).scalar())
    wanted = (f"--snapshot={snapshot}", f"--schema={schema}", "--format=custom", "--no-owner", "--no-privileges")
    _run("pg_dump", version_of(db), url, (*wanted, f"--file={target}"))


def is_empty(db: Connection) -> bool:
    """Whether a database has none of our tables."""
    there = text("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = ANY(:names)")
    return not db.execute(there, {"names": [*TABLES, "alembic_version"]}).scalar()


def load(db: Connection, url: str, source: Path) -> None:
    """Bring a file back into an empty database, all of it or nothing. Raises Unusable without a fitting pg_restore."""
    schema = str(db.execute(text("SELECT current_schema()")).scalar())
    wanted = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", f"--schema={schema}")
    _run("pg_restore", version_of(db), url, (*wanted, str(source)))


def _run(program: str, least: int, url: str, arguments: Sequence[str]) -> None:
    target = make_url(url)
    command = [_program(program, least), f"--dbname={_for_libpq(target)}", "--no-password", *arguments]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, **({"PGPASSWORD": str(target.password)} if target.password else {})},
    )
    if done.returncode:
        said = " ".join(done.stderr.decode("utf-8", "replace").split())
        raise Unusable(f"{program} failed: {said[:500]}")


def _program(name: str, least: int) -> str:
    """The path of a program of at least this version. Raises Unusable."""
    of_debian = sorted(_DEBIAN.glob(f"*/bin/{name}"), key=lambda path: int(path.parent.parent.name))
    for path in (shutil.which(name), *map(str, of_debian)):
        if path and _version(path) >= least:
            return path
    raise Unusable(
        f"The database is PostgreSQL {least}, and there is no {name} of version {least} or later here: install the programs "
        f"of that version (Debian: postgresql-client-{least})."
    )


def _version(path: str) -> int:
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30).stdout
    except OSError:
        return 0
    found = re.search(r"\) (\d+)", said)
    return int(found[1]) if found else 0


def _for_libpq(url: URL) -> str:
    """The address without the driver, what is ours, and the password, which everybody could see in the list of processes."""
    plain = url.set(drivername="postgresql").difference_update_query(_OURS)
    return URL.create(
        "postgresql", plain.username, None, plain.host, plain.port, plain.database, plain.query
    ).render_as_string()


# ---------------------------------------------------------------- a SQLite database copied while others write to it
# As of one moment, and nobody waits.


_AT_ONCE = 2_000
"""Pages: eight megabytes, between which whoever writes has the disk."""

_MOMENT = 0.005
"""Seconds between two such heaps."""


def copy(source: Path, target: Path) -> None:
    """Copy a database into a file that is not there yet; the copy is one file, with all that was committed.

    Raises Unusable where what was copied is damaged.
    """
    with closing(_reading(source)) as original, closing(sqlite3.connect(target, isolation_level=None)) as made:
        # One read transaction around all of it: without it, the copy would begin anew with each commit of somebody else's.
        original.execute("BEGIN")
        original.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        original.backup(made, pages=_AT_ONCE, sleep=_MOMENT)
        made.execute("PRAGMA journal_mode = DELETE")
    if broken := broken_parts(target):
        raise Unusable(f"{source} is damaged, so no backup was made of it: {'; '.join(broken)}.")


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(to_look_into(path), uri=True, timeout=10, isolation_level=None)
