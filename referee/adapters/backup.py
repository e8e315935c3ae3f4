"""A backup as a folder: what is in it, whether it is whole, and how a database comes into it and out of it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from shutil import rmtree

import msgspec
from sqlalchemy import Connection, func, select, text
from sqlalchemy.engine import URL, make_url

from referee.adapters.files import Unusable, make_folder, sync, to_look_into
from referee.adapters.store.guard import broken_parts
from referee.adapters.store.sql.statements import TABLES
from referee.kit.wording import are, in_a_row
from referee.service.base.note_values import Program

# ---------------------------------------------------------------- a database of PostgreSQL
# A PostgreSQL database into a file and out of one, by PostgreSQL's own programs of a version that fits the server's.


_DEBIAN = Path("/usr/lib/postgresql")
_OURS = ("prepare_threshold", "options")
"""Options of an address for us, or for a session of ours, and not for PostgreSQL's programs."""


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


# ---------------------------------------------------------------- what a backup holds
# The contents of a backup, file by file, and the heads of its matches.


FACTS, SUMS = "backup.json", "SHA256SUMS"
FORM = 1
"""The form of a backup. It is raised when an older program could not restore, or would misread, what this one makes."""


class MatchHead(msgspec.Struct, frozen=True):
    """How far a match had come: its turn, how many entries its log has, and the hash of the last one ("" of none)."""

    name: str
    game: str
    status: str
    turn: int
    entries: int
    head: str


class Manifest(msgspec.Struct, frozen=True):
    """The facts of a backup. Everything that was acknowledged before it `began` is in it.

    `program` wrote the database last, and `tables` is the revision of its tables; `database` is "sqlite", or what version of
    "postgresql" it came from. `files` are all files beside the two of the manifest itself, with their sizes.
    """

    address: str
    began: datetime
    made: datetime
    program: Program
    tables: str
    database: str
    files: dict[str, int]
    matches: tuple[MatchHead, ...]
    form: int = FORM

    @property
    def size(self) -> int:
        """How much room it takes, in bytes."""
        return sum(self.files.values())


@contextmanager
def beside(folder: Path) -> Iterator[Path]:
    """A folder to fill that takes the name of this one, durably, when it is full; on an exception nothing is left of it.

    Raises Unusable where there is something of that name already.
    """
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise Unusable(f"{folder} is there already, and nothing is written over: name a folder that is not there yet.")
    make_folder(folder.parent)
    part = folder.with_name(f".{folder.name}.part")
    if part.exists():
        rmtree(part)  # of one that was killed
    part.mkdir(mode=0o700)
    try:
        yield part
        for path in part.rglob("*"):
            sync(path)
        sync(part)
        part.rename(folder)
        sync(folder.parent)
    except BaseException:
        rmtree(part, ignore_errors=True)
        raise


def files_in(folder: Path) -> dict[str, int]:
    """The files under a folder by their names from there, with their sizes."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in found}


def write(folder: Path, manifest: Manifest) -> None:
    """Write down what is in a folder."""
    facts = msgspec.json.format(msgspec.json.encode(manifest, order="deterministic"), indent=1)
    (folder / FACTS).write_bytes(facts + b"\n")
    lines = [f"{_sha256(folder / name)}  {name}\n" for name in (*manifest.files, FACTS)]
    (folder / SUMS).write_text("".join(lines), "utf-8")


def checked(folder: Path) -> Manifest:
    """The facts of a backup that is whole. Raises Unusable, with what is wrong, for any other."""
    sums = _sums(folder)
    _check(folder, FACTS, sums)
    manifest = _facts(folder)
    if unlike := set(manifest.files) ^ set(sums) - {FACTS}:
        raise Unusable(f"{folder / SUMS} and {FACTS} do not name the same files ({min(unlike)}). {_ANOTHER}")
    missing = [name for name in manifest.files if not (folder / name).is_file()]
    if missing:
        raise Unusable(f"{in_a_row(missing)} {are(len(missing))} missing in {folder}. {_ANOTHER}")
    for name, size in manifest.files.items():
        found = (folder / name).stat().st_size
        if found != size:
            raise Unusable(f"{folder / name} has {found} bytes, and had {size} when the backup was made. {_ANOTHER}")
        _check(folder, name, sums)
    return manifest


_ANOTHER = "This backup is damaged and nothing was restored from it: take another one."


def _facts(folder: Path) -> Manifest:
    try:
        form = msgspec.json.decode((folder / FACTS).read_bytes(), type=_Form).form
        if form > FORM:
            raise Unusable(
                f"{folder} is a backup of form {form}, which a newer referee made; this one knows form {FORM}."
            )
        return msgspec.json.decode((folder / FACTS).read_bytes(), type=Manifest)
    except msgspec.DecodeError as error:
        raise Unusable(f"{folder / FACTS} cannot be read ({error}). {_ANOTHER}") from error


class _Form(msgspec.Struct):
    form: int


def _sums(folder: Path) -> dict[str, str]:
    """The digests by the names of the files, all of which lie under the folder."""
    try:
        lines = (folder / SUMS).read_text("utf-8").splitlines()
    except FileNotFoundError:
        raise Unusable(f"{_what(folder)} A backup is a folder that has the file {SUMS}.") from None
    except UnicodeDecodeError as error:
        raise Unusable(f"{folder / SUMS} cannot be read. {_ANOTHER}") from error
    found = {name: digest for digest, _, name in (line.partition("  ") for line in lines) if name}
    inside = all(not name.startswith("/") and ".." not in name.split("/") for name in found)
    if len(found) != len(lines) or FACTS not in found or not inside:
        raise Unusable(f"{folder / SUMS} cannot be read. {_ANOTHER}")
    return found


def _what(folder: Path) -> str:
    """A word on a folder that is no backup."""
    if not folder.is_dir():
        return f"There is no folder {folder}."
    within = sorted(path.parent.name for path in folder.glob(f"*/{SUMS}"))
    return (
        f"{folder} holds backups and is none: name one, such as {folder / within[-1]}."
        if within
        else f"{folder} is no backup."
    )


def _check(folder: Path, name: str, sums: dict[str, str]) -> None:
    path = folder / name
    if not path.is_file():
        raise Unusable(f"{name} is missing in {folder}. {_ANOTHER}")
    if _sha256(path) != sums[name]:
        raise Unusable(f"{path} is not what it was when the backup was made: its SHA-256 is another. {_ANOTHER}")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# ---------------------------------------------------------------- heads
# How far the matches of a database have come, read without changing it, whatever the revision of its tables.


_M, _E = TABLES["match"].c, TABLES["entry"].c
_LAST = select(_E.match, func.max(_E.seq).label("seq")).group_by(_E.match).subquery()
_HEADS = (
    select(_M.name, _M.game, _M.status, _M.turn, func.coalesce(_LAST.c.seq + 1, 0), func.coalesce(_E.hash, ""))
    .select_from(TABLES["match"])
    .outerjoin(_LAST, _LAST.c.match == _M.name)
    .outerjoin(TABLES["entry"], (_E.match == _LAST.c.match) & (_E.seq == _LAST.c.seq))
    .order_by(_M.name)
)


def heads_in(db: Connection) -> tuple[MatchHead, ...]:
    """Every match, by its name."""
    return tuple(MatchHead(*row) for row in db.execute(_HEADS))
