"""A database damaged as a failing disk would."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def tear(file: Path, name: str) -> None:
    """Overwrite the page where a table or an index begins."""
    db = sqlite3.connect(file)
    ((page,),) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).fetchall()
    ((size,),) = db.execute("PRAGMA page_size").fetchall()
    db.close()
    with file.open("r+b") as opened:
        opened.seek((page - 1) * size)
        opened.write(b"\xee" * size)
