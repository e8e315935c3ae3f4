"""The data folder: made, closed to other accounts, worked on by one service, and its database looked through for damage before
that begins.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

from referee.adapters.files import Unusable, close_to_others, told
from referee.adapters.store.database import file_of
from referee.adapters.store.guard import broken_parts
from referee.adapters.store.store import Turns
from referee.config import Config

_log = logging.getLogger(__name__)
_LOOKED_THROUGH = 200 * 1024 * 1024
"""A larger database is looked through by the doctor only: this takes half a second when it is in memory, more from a disk."""


CUT_SHORT = ".restore.part"
"""In a data folder: a restore that has not come to its end."""


def made(config: Config) -> Path:
    """The data folder, made if need be, for its own user only. Raises Unusable for one that is half restored."""
    config.data_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if (config.data_folder / CUT_SHORT).exists():
        raise Unusable(f"A restore into {config.data_folder} was cut short: run referee restore once more.")
    return config.data_folder


def sqlite_file(config: Config) -> Path | None:
    """The file of the database; None where it is kept by a server."""
    return file_of(config.database_url)


def database_files(config: Config) -> tuple[Path, ...]:
    """The database and what lies beside it: the mailbag, write-ahead logs and locks."""
    file = sqlite_file(config)
    return tuple(sorted(file.parent.glob(f"{file.name}*"))) if file is not None else ()


def enter(config: Config) -> Turns | None:
    """Enter the data folder as its service, before anything is opened; the lock to be kept for as long as it runs.

    A database that is kept by a server has no such lock. Raises Unusable where the folder cannot be used, another
    service works on it, or the database is damaged.
    """
    with told(config.database_url):
        made(config)
        lock = _alone(config)
        closed = close_to_others(config.data_folder, *database_files(config))
        if closed:
            _log.warning("%d files and folders under %s were open to others and are closed", closed, config.data_folder)
        _look_through(config)
        # Some files have a place of their own outside of the data folder; it is made when there is something to write.
        places = {"[archive] folder": config.archive_folder}
        if config.send.method == "maildir":
            places["[send] maildir"] = config.mail_folder
        if config.maildir.path:
            places["[maildir] path"] = config.home / config.maildir.path
        for setting, place in places.items():
            there = next(path for path in (place, *place.absolute().parents) if path.exists())
            if not there.is_dir():
                raise Unusable(f"{setting}: {there} is no folder. Name a folder, or leave the setting empty.")
            if not os.access(there, os.W_OK | os.X_OK):
                right = "Let this user write it (and the systemd unit: ReadWritePaths), or name another place"
                raise Unusable(f"{setting}: {there} cannot be written. {right}.")
    return lock


def _service_lock(file: Path) -> Path:
    return Path(f"{file}-service")


def _alone(config: Config) -> Turns | None:
    file = sqlite_file(config)
    if file is None:
        return None
    file.parent.mkdir(parents=True, exist_ok=True)
    lock = Turns(_service_lock(file))
    if not lock.take():
        other = lock.holder()
        lock.close()
        raise Unusable(
            f"Another referee serve (process {other}) works on {file}, and one is enough: end it first, or give this one "
            "a folder of its own with [referee] data."
        )
    return lock


def running_service(config: Config) -> int:
    """The process of the service that works on the database's file, 0 while none does."""
    file = sqlite_file(config)
    if file is None or not _service_lock(file).exists():
        return 0
    lock = Turns(_service_lock(file))
    try:
        return lock.holder() if lock.is_taken() else 0
    finally:
        lock.close()


def _look_through(config: Config) -> None:
    """Letters must not be taken for a database that cannot handle them."""
    file = sqlite_file(config)
    for path in (file, Path(f"{file}-mailbag")) if file is not None else ():
        broken = broken_parts(path, _LOOKED_THROUGH)
        if broken:
            raise Unusable(f"{path} is damaged: {'; '.join(broken)}. {MEND_DAMAGE}")


MEND_DAMAGE = "Keep a copy of it, and restore your last backup as docs/backup.md tells."
"""Advice about a damaged database."""
