"""A SQLite database copied while others write to it: as of one moment, and nobody waits."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from referee.adapters.files import to_look_into
from referee.adapters.store.soundness import broken_parts
from referee.adapters.unusable import Unusable

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
