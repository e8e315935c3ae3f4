"""A database as one small file: its schema and rows as JSON, without what can be reckoned, xz-compressed.

Left out are the digests and hashes of log entries, which do not compress, but for the last of each match; reports are
unpacked, since xz finds more in them than zlib does. What comes out again is what went in, and `unpack` sees that it is.
What it reckons by is written out here as it was when the set was made, not taken from the program.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import lzma
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from referee.core.record import Entry

Row = tuple[Any, ...]

_ZIPPED = "zip:"
_BYTES = "b64:"
_TEXT = "str:"
_ENTRIES = "SELECT match, seq, at, kind, payload, cause, previous, digest, hash FROM entry ORDER BY match, seq"
_SCHEMA = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name"


def pack(database: Path) -> bytes:
    """The whole database, small."""
    with closing(sqlite3.connect(database)) as db, db:
        schema = [sql for (sql,) in db.execute(_SCHEMA)]
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        tables = {name: _rows(db, name) for name in names if name != "entry" and not name.startswith("sqlite_")}
        entries = db.execute(_ENTRIES).fetchall()
    heads = {entry[0]: entry[8] for entry in entries}
    kept = {"schema": schema, "tables": tables, "entries": [entry[:6] for entry in entries], "heads": heads}
    text = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


def logs(packed: bytes) -> dict[str, tuple[bytes, list[Entry]]]:
    """By match, the secret of its dice and its log."""
    kept = json.loads(lzma.decompress(packed))
    secrets = _secrets(kept)
    found: dict[str, tuple[bytes, list[Entry]]] = {name: (secret, []) for name, secret in secrets.items()}
    for row in _sealed(kept["entries"], secrets):
        found[row[0]][1].append(Entry(*row))
    return found


def unpack(packed: bytes, database: Path, only: Collection[str] = ()) -> None:
    """Write the database, or of its matches `only` some. Raises ValueError where its logs do not come out as they were."""
    kept = json.loads(lzma.decompress(packed))
    if only:
        _leave_out(kept, set(kept["heads"]) - set(only))
    sealed = list(_sealed(kept["entries"], _secrets(kept)))
    if {entry[0]: entry[8] for entry in sealed} != kept["heads"]:
        raise ValueError(f"{database.name}: the logs do not come out as they were kept")
    with closing(sqlite3.connect(database)) as db, db:
        for sql in kept["schema"]:
            db.execute(sql)
        for name, table in kept["tables"].items():
            _insert(db, name, table["columns"], ([_unsaid(value) for value in row] for row in table["rows"]))
        columns = ("match", "seq", "at", "kind", "payload", "cause", "previous", "digest", "hash")
        _insert(db, "entry", columns, sealed)


def _secrets(kept: dict[str, Any]) -> dict[str, bytes]:
    table = kept["tables"]["match"]
    name, secret = table["columns"].index("name"), table["columns"].index("secret")
    return {row[name]: _unsaid(row[secret]) for row in table["rows"]}


def _leave_out(kept: dict[str, Any], matches: Collection[str]) -> None:
    """What belongs to these matches."""
    kept["entries"] = [entry for entry in kept["entries"] if entry[0] not in matches]
    kept["heads"] = {name: head for name, head in kept["heads"].items() if name not in matches}
    for table, rows in kept["tables"].items():
        column = "name" if table == "match" else "match"
        if column in rows["columns"]:
            place = rows["columns"].index(column)
            rows["rows"] = [row for row in rows["rows"] if row[place] not in matches]
    letters = {row[0] for row in kept["tables"]["letter_out"]["rows"]}
    raw = kept["tables"]["letter_out_raw"]
    raw["rows"] = [row for row in raw["rows"] if row[0] in letters]


def _rows(db: sqlite3.Connection, table: str) -> dict[str, Any]:
    cursor = db.execute(f'SELECT * FROM "{table}"')
    columns = [name for name, *_ in cursor.description]
    return {"columns": columns, "rows": [[_said(value) for value in row] for row in cursor]}


def _insert(db: sqlite3.Connection, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    names, marks = ", ".join(f'"{name}"' for name in columns), ", ".join("?" * len(columns))
    db.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', rows)


def _said(value: Any) -> Any:
    """A value as JSON can hold it; bytes that zlib packed are unpacked where packing them gives the same again."""
    if isinstance(value, str):
        return _TEXT + value if value.startswith((_ZIPPED, _BYTES, _TEXT)) else value
    if not isinstance(value, bytes):
        return value
    try:
        plain = zlib.decompress(value)
        if zlib.compress(plain) == value:
            return _ZIPPED + plain.decode()
    except (zlib.error, UnicodeDecodeError):
        pass
    return _BYTES + base64.b64encode(value).decode()


def _unsaid(value: Any) -> Any:
    if not isinstance(value, str) or not value.startswith((_ZIPPED, _BYTES, _TEXT)):
        return value
    kind, rest = value[:4], value[4:]
    if kind == _TEXT:
        return rest
    return zlib.compress(rest.encode()) if kind == _ZIPPED else base64.b64decode(rest)


def _sealed(entries: Iterable[Sequence[Any]], secrets: dict[str, bytes]) -> Iterable[Row]:
    """Log entries with what seals them: the salted digest of the payload, and the hash of it all with the one before."""
    last: dict[str, str] = {}
    for match, seq, at, kind, payload, cause in entries:
        salt = hmac.digest(secrets[match], f"salt/{seq}".encode(), "sha256")
        digest = hashlib.sha256(salt + payload.encode()).hexdigest()
        previous = last.get(match, "")
        said = json.dumps([match, seq, at, kind, cause, previous, digest], ensure_ascii=False, separators=(",", ":"))
        last[match] = hashlib.sha256(said.encode()).hexdigest()
        yield match, seq, at, kind, payload, cause, previous, digest, last[match]
