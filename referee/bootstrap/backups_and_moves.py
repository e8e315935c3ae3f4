"""Backups made each night, the newest kept and older ones removed; and matches that move."""

from __future__ import annotations

import gzip
import io
import logging
import os
import re
import shutil
import socket
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import Connection

from referee.adapters import backup
from referee.adapters.backup import SUMS, Manifest, MatchHead, beside, files_in, heads_in, write
from referee.adapters.files import Unusable, only_read, told, write_whole
from referee.adapters.store.database import open_engine
from referee.adapters.store.guard import last_writer, read_only
from referee.adapters.store.store import Turns
from referee.adapters.store.upgrade import HEAD, current
from referee.bootstrap.data_folder import sqlite_file
from referee.bootstrap.offices import clock_of, opened, store_of
from referee.config import Config
from referee.games import rules_in_force
from referee.service.base import notes
from referee.service.base.note_values import BackedUp, Program, newer, this_program
from referee.service.base.ports import NotNow, Store
from referee.service.intake.matches_in import take_in
from referee.service.intake.matches_out import Carried, carry_out
from referee.service.match.result import Told

_log = logging.getLogger(__name__)

DATABASE, MAILBAG, DUMP, SETTINGS = "database.sqlite", "mailbag.sqlite", "database.dump", "config.toml"
"""The names in a backup of what is not simply a file of the data folder."""

DATA, BOARDS, NAMED = "data", "boards", "named"
"""The folders in it: files of the data folder, boards that lie elsewhere, files that settings name, by their setting."""

_MADE_ANEW = re.compile(r"desk(-\d+)?\.(lock|hand|trace)|backup\.lock|\..*\.part")
"""Files of the data folder that the next start makes."""


class Made(NamedTuple):
    """A backup that stands, and what it says of itself."""

    folder: Path
    manifest: Manifest


def back_up(config: Config, folder: Path) -> Made:
    """Make a backup of everything, whether the service runs or not. Raises Unusable; then there is none.

    Letters that were acknowledged before it begins are in it: the mailbag is copied first, so that one which is just carried
    into the database is in one of the two at least. In both it counts once.
    """
    with told(config.database_url), _alone(config):
        if not config.data_folder.is_dir():
            raise Unusable(f"There is no data folder {config.data_folder}, so there is nothing to back up.")
        began = clock_of(config).now()
        with beside(folder) as part:
            found = _database_into(part, config)
            for name, path in files_of(config).items():
                target = part / name
                target.parent.mkdir(parents=True, exist_ok=True)
                try:
                    shutil.copyfile(path, target)
                except FileNotFoundError:
                    if not name.startswith(f"{DATA}/"):
                        raise
                target.chmod(0o600)
            made = clock_of(config).now()
            facts = Manifest(config.referee.address, began, made, *found[:3], files_in(part), found.matches)
            write(part, facts)
        note(config, BackedUp(began, str(folder.absolute()), facts.size, socket.gethostname(), _room(folder)), facts)
    return Made(folder, facts)


@contextmanager
def _alone(config: Config) -> Iterator[None]:
    """One backup at a time."""
    if not config.data_folder.is_dir() or only_read(config.data_folder):
        yield
        return
    turns = Turns(config.data_folder / "backup.lock")
    try:
        if not turns.take():
            raise Unusable(f"Another backup is being made (process {turns.holder()}); wait for its end.")
        yield
    finally:
        turns.close()


class _Found(NamedTuple):
    """A database's word on itself."""

    program: Program
    tables: str
    database: str
    matches: tuple[MatchHead, ...]


def _database_into(part: Path, config: Config) -> _Found:
    file = sqlite_file(config)
    if file is None:
        return _server_into(part, config)
    if not file.exists():
        raise Unusable(f"There is no database {file}, so there is nothing to back up.")
    bag = Path(f"{file}-mailbag")
    files = [path for path in (bag, file) if path.exists()]
    wanted = sum(path.stat().st_size for path in (*files, Path(f"{file}-wal")) if path.exists())
    free = _room(part)
    if free < wanted:
        least, there = wanted // 1_000_000 + 1, free // 1_000_000
        raise Unusable(f"A backup in {part.parent} takes {least} MB, and {there} MB are free there: make room.")
    if bag.exists():
        backup.copy(bag, part / MAILBAG)
    backup.copy(file, part / DATABASE)
    with read_only(part / DATABASE, 10) as db:
        return _said(db, "sqlite")


def _server_into(part: Path, config: Config) -> _Found:
    engine = open_engine(config.database_url, name="referee backup")
    try:
        with engine.connect().execution_options(isolation_level="REPEATABLE READ") as db, db.begin():
            # The transaction lies open while pg_dump works, longer than one of a desk may.
            db.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
            found = _said(db, f"postgresql {backup.version_of(db)}")
            backup.dump(db, config.database_url, part / DUMP)
    finally:
        engine.dispose()
    return found


def _said(db: Connection, kind: str) -> _Found:
    tables = current(db)
    if tables is None:
        raise Unusable("The database is empty, so there is nothing to back up.")
    return _Found(last_writer(db) or this_program(rules_in_force()), tables, kind, heads_in(db))


def _room(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def files_of(config: Config) -> dict[str, Path]:
    """All files beside the database that belong into a backup, by their names in it.

    Of the data folder everything does but what the service makes anew: pages, locks, and letters out that it laid into
    Maildirs. Passwords that stand in the environment are nowhere.
    """
    found = {f"{DATA}/{path.relative_to(config.data_folder).as_posix()}": path for path in _of_data(config)}
    if not config.boards_folder.is_relative_to(config.data_folder):
        boards = (path for path in config.boards_folder.rglob("*") if path.is_file())
        found |= {f"{BOARDS}/{path.relative_to(config.boards_folder).as_posix()}": path for path in boards}
    found |= {f"{NAMED}/{setting}": path for setting, path in config.named_files.items()}
    if config.source is not None:
        found[SETTINGS] = config.source
    return found


def _of_data(config: Config) -> Iterator[Path]:
    home, file = config.data_folder, sqlite_file(config)
    maildir = config.home / config.maildir.path if config.maildir.path else None
    elsewhere = {path for path in (config.archive_folder, config.mail_folder, maildir, config.backup_folder) if path}
    named = {path.absolute() for path in (*config.named_files.values(), *((config.source,) if config.source else ()))}
    for folder, below, names in os.walk(home):
        below[:] = [name for name in below if Path(folder, name) not in elsewhere and not name.startswith(".")]
        for path in (Path(folder, name) for name in sorted(names)):
            beside_database = file is not None and path.parent.absolute() == file.parent.absolute()
            of_database = beside_database and file is not None and path.name.startswith(file.name)
            is_named = path.absolute() in named
            if path.is_file() and not (of_database or is_named or _MADE_ANEW.fullmatch(path.name)):
                yield path


def note(config: Config, backed_up: BackedUp, facts: Manifest | None = None) -> None:
    """Have the database know of it, for the doctor and the digest; not one that a newer or older program works with."""
    file = sqlite_file(config)
    program = this_program(rules_in_force())
    older = facts is not None and (facts.tables != HEAD or bool(newer("", program, facts.program)))
    if older or (file is not None and only_read(file)):
        return
    try:
        store = store_of(config, "referee backup")
    except (Unusable, NotNow):
        return
    try:
        with store.step() as step:
            notes.BACKED_UP.of().keep(step, backed_up)
    except NotNow as problem:
        _log.warning("the backup stands, but the database could not be told of it: %s", problem)
    finally:
        store.close()


# ---------------------------------------------------------------- every night

_NAME = "referee-{:%Y-%m-%dT%H%M%SZ}"
_OF_A_NIGHT = re.compile(r"referee-\d{4}-\d\d-\d\dT\d{6}Z")
_AGAIN = timedelta(hours=1)


def nightly_name(now: datetime) -> str:
    """The name of a backup made now; names stand in the order of time."""
    return _NAME.format(now)


class Nights:
    """A backup every night, by the desk that keeps house; a missed one is made up for, a failed one is tried after an hour."""

    def __init__(self, config: Config, store: Store) -> None:
        self.keeps_house = False
        self._config, self._store, self._clock = config, store, clock_of(config)
        self._not_before: datetime | None = None

    def look(self) -> int:
        """Make one if it is due; how many were made."""
        folder, now = self._config.backup_folder, self._clock.now()
        if folder is None or not self.keeps_house or (self._not_before is not None and now < self._not_before):
            return 0
        with self._store.look() as step:
            before = notes.BACKED_UP.of().read(step)
        if before is not None and before.at is not None and before.at >= _due(self._config, now):
            self._not_before = _due(self._config, now) + timedelta(days=1)
            return 0
        try:
            back_up(self._config, folder / nightly_name(now))
            # Only backups of nights are removed.
            keep = self._config.backup.keep
            made = sorted(
                path for path in folder.iterdir() if _OF_A_NIGHT.fullmatch(path.name) and (path / SUMS).is_file()
            )
            for path in made[:-keep]:
                shutil.rmtree(path)
        except (Unusable, NotNow) as problem:
            _log.error("no backup was made; it is tried again in an hour: %s", problem)
            self._not_before = now + _AGAIN
            note(self._config, msgspec.structs.replace(before or BackedUp(), failed=now, why=str(problem)))
            return 0
        return 1


def _due(config: Config, now: datetime) -> datetime:
    """The last moment at which a backup was to begin."""
    here = now.astimezone(ZoneInfo(config.referee.zone))
    today = here.replace(hour=config.backup.hour, minute=0, second=0, microsecond=0)
    return (today if today <= here else today - timedelta(days=1)).astimezone(now.tzinfo)


# ---------------------------------------------------------------- moving
# A match as a file on its way from one house to another.


class Parcel(msgspec.Struct, frozen=True):
    """The content of the file: the match. A drawn board stands in its log; `boards`, as files had before, is not heeded."""

    match: Carried
    boards: dict[str, str] = {}


def send_out(config: Config, match: str, to: str, file: Path) -> Told:
    """Carry a match out into a file that is not there yet; that is durable before the match has moved."""
    if file.exists():
        raise Unusable(f"{file} is there already, and nothing is written over: name a file that is not there yet.")
    part = file.with_name(f".{file.name}.part")

    def lay_down(carried: Carried) -> None:
        write_whole(part, gzip.compress(msgspec.json.encode(Parcel(carried)), mtime=0))
        part.chmod(0o600)

    with told(config.database_url), opened(config) as office:
        try:
            said = carry_out(office, match.lower(), to, this_program(rules_in_force()), lay_down)
            if part.exists():
                part.rename(file)
        finally:
            part.unlink(missing_ok=True)
    return said


def bring_in(config: Config, file: Path, never_taken: bool = False) -> Told:
    """Take a match in from a file, its own house's only where it was `never_taken` in elsewhere.

    Raises Unusable for one that cannot be read, NotTaken where the match cannot go on here; then nothing is kept of it.
    """
    try:
        parcel = msgspec.json.decode(_unpacked(file), type=Parcel)
    except (gzip.BadGzipFile, EOFError, zlib.error, ValueError, RecursionError, MemoryError) as error:
        raise Unusable(f"{file} holds no match, or is damaged ({error}); have it written once more.") from error
    except OSError as error:
        raise Unusable(f"{file} cannot be read: {error.strerror}.") from error
    with told(config.database_url), opened(config) as office:
        return take_in(office, parcel.match, this_program(rules_in_force()), never_taken)


_PACKED, _UNPACKED, _RATIO = 64_000_000, 400_000_000, 60
"""The largest file, what it may become, and how much of each byte; logs come nowhere near."""


def _unpacked(file: Path) -> bytes:
    """The content of a file, as far as it can be honest. Raises ValueError for a file that is too large, or becomes so."""
    with file.open("rb") as source:
        packed = source.read(_PACKED + 1)
    most = min(_UNPACKED, 1_000_000 + _RATIO * len(packed)) if len(packed) <= _PACKED else 0
    with gzip.open(io.BytesIO(packed)) as unpacking:
        data = unpacking.read(most + 1)
    if len(data) > most:
        raise ValueError("it is too large for a match")
    return data
