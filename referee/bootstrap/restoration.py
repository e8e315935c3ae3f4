"""Restoring a backup into an empty data folder, and proving every match before anybody is told that it may serve."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import msgspec

from referee.adapters import backup
from referee.adapters.backup import Manifest, checked
from referee.adapters.files import Unusable, make_folder, sync, told, write_whole
from referee.adapters.store.database import open_engine
from referee.adapters.store.guard import broken_parts
from referee.bootstrap.backups_and_moves import BOARDS, DATA, DATABASE, DUMP, MAILBAG, NAMED, SETTINGS
from referee.bootstrap.data_folder import CUT_SHORT, running_service, sqlite_file
from referee.bootstrap.offices import opened
from referee.config import Config, Database, Dkim, EmpireBoards, read
from referee.games import rules_in_force
from referee.kit.wording import in_a_row
from referee.service.base import notes
from referee.service.base.note_values import Restored, newer, this_program
from referee.service.base.office import Office
from referee.service.intake.counter import replay_at_the_counter
from referee.service.match.audit import Verdict

_A_DAY = timedelta(days=1)
"""IMAP searches by whole days, and clocks of mail servers differ from ours."""


class Proved(NamedTuple):
    """A match that was played again from its log; `trouble` is "" where all came out the same, as far as the verdict says."""

    name: str
    entries: int
    trouble: str
    verdict: Verdict = Verdict.UNSOUND


def settings_for(folder: Path, file: Path, to: Path | None) -> Config:
    """The settings to restore by: those of this file where it is there, else those of the backup, as if they lay there.

    With `to` everything goes into that data folder, and nothing else is written. Raises ConfigError.
    """
    kept = folder / SETTINGS
    source = file if file.exists() else kept if kept.exists() else None
    config = read(source.read_text("utf-8"), file.parent, file) if source else Config(home=file.parent)
    if to is None:
        return config
    data = msgspec.structs.replace(config.referee, data=str(to.absolute()))
    database = Database() if sqlite_file(config) is not None else config.database
    return msgspec.structs.replace(config, referee=data, database=database, empire=EmpireBoards(), dkim=Dkim())


def restore(folder: Path, config: Config, aside: bool) -> tuple[Manifest, tuple[str, ...]]:
    """Lay a backup in place; what it says of itself, and files that were left as they are here. Raises Unusable.

    Nothing is written before the backup was found whole; then all of the data folder is there, or nothing. Set `aside`
    nothing but a data folder is laid.
    """
    with told(config.database_url):
        manifest = checked(folder)
        if sentence := newer("The backup", manifest.program, this_program(rules_in_force())):
            raise Unusable(sentence)
        _look_whether_it_fits(manifest, config)
        left = () if aside else tuple(_settings_in_place(folder, manifest, config))
        with _filled(config.data_folder) as part:
            file = sqlite_file(config)
            places = {
                name: part / name.removeprefix(f"{DATA}/") for name in manifest.files if name.startswith(f"{DATA}/")
            }
            if config.boards_folder.is_relative_to(config.data_folder):
                boards = part / config.boards_folder.relative_to(config.data_folder)
                within = (name for name in manifest.files if name.startswith(f"{BOARDS}/"))
                places |= {name: boards / name.removeprefix(f"{BOARDS}/") for name in within}
            if file is not None and file.is_relative_to(config.data_folder):
                places |= _of_database(manifest, part / file.relative_to(config.data_folder))
            _lay(folder, places)
            _database_in_place(part, folder, config)
        _outside(folder, manifest, config)
    return manifest, left


def _look_whether_it_fits(manifest: Manifest, config: Config) -> None:
    """Raises Unusable unless all of it can be laid in place without writing over anything."""
    file, kind = sqlite_file(config), manifest.database.split()[0]
    if (file is None) != (kind == "postgresql"):
        here = "PostgreSQL" if file is None else "SQLite"
        there = "PostgreSQL" if kind == "postgresql" else "SQLite"
        raise Unusable(f"The backup is one of {there}, and [database] url names {here}: name a database of its kind.")
    if running := running_service(config):
        raise Unusable(f"A service (process {running}) works on {file}: end it first.")
    data = config.data_folder
    found = sorted(path.name for path in data.iterdir()) if data.is_dir() else []
    if CUT_SHORT in found:
        found, file = [], None if file is not None and file.is_relative_to(data) else file
    if found:
        named = in_a_row(found[:3] + ["more"] * bool(found[3:]))
        raise Unusable(
            f"{config.data_folder} is not empty ({named}), and nothing is written over: move it away, or restore elsewhere by --to."
        )
    if file is not None and (file.exists() or Path(f"{file}-wal").exists()):
        raise Unusable(
            f"{file} is there already, and nothing is written over: move it away with all that begins with its name."
        )
    if kind == "postgresql":
        engine = open_engine(config.database_url, name="referee restore")
        try:
            with engine.connect() as db:
                if not backup.is_empty(db):
                    shown = engine.url.render_as_string(hide_password=True)
                    raise Unusable(
                        f"The database {shown} has a referee's tables, and nothing is written over: name an empty one."
                    )
        finally:
            engine.dispose()


def _settings_in_place(folder: Path, manifest: Manifest, config: Config) -> Iterator[str]:
    """Lay settings, and the files they name, where they are not; which of those that are here differ."""
    places = {f"{NAMED}/{setting}": path for setting, path in config.named_files.items()}
    if config.source is not None:
        places[SETTINGS] = config.source
    for name, path in places.items():
        if name not in manifest.files:
            continue
        data = (folder / name).read_bytes()
        if not path.exists():
            write_whole(path, data)
            path.chmod(0o600)
        elif path.read_bytes() != data:
            yield str(path)


@contextmanager
def _filled(data: Path) -> Iterator[Path]:
    """A folder to fill, all of which goes into the data folder at the end; on an exception that is empty as it was.

    One that is cut short there leaves a mark: no service starts on it, and the next restore begins anew.
    """
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = data / CUT_SHORT
    if part.exists():
        for path in data.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    part.mkdir(mode=0o700)
    try:
        yield part
        for path in part.rglob("*"):
            sync(path)
    except BaseException:
        shutil.rmtree(part)
        raise
    for path in part.iterdir():
        path.rename(data / path.name)
    sync(data)
    part.rmdir()
    sync(data)


def _of_database(manifest: Manifest, file: Path) -> dict[str, Path]:
    both = {DATABASE: file, MAILBAG: Path(f"{file}-mailbag")}
    return {name: path for name, path in both.items() if name in manifest.files}


def _lay(folder: Path, places: dict[str, Path]) -> None:
    """Copy files of a backup, each of which is there whole or not at all."""
    for name, path in places.items():
        make_folder(path.parent)
        part = path.with_name(f".{path.name}.part")
        shutil.copyfile(folder / name, part)
        part.chmod(0o600)
        if name in (DATABASE, MAILBAG) and (broken := broken_parts(part)):
            raise Unusable(f"{folder / name} is damaged: {'; '.join(broken)}. Take another backup.")
        sync(part)
        part.rename(path)


def _database_in_place(part: Path, folder: Path, config: Config) -> None:
    if sqlite_file(config) is not None:
        return
    engine = open_engine(config.database_url, name="referee restore")
    try:
        with engine.connect() as db:
            backup.load(db, config.database_url, folder / DUMP)
    finally:
        engine.dispose()


def _outside(folder: Path, manifest: Manifest, config: Config) -> None:
    """Things that lie outside of the data folder: a database by its own path, boards in a folder of their own."""
    file, places = sqlite_file(config), dict[str, Path]()
    if file is not None and not file.is_relative_to(config.data_folder):
        places |= _of_database(manifest, file)
    if not config.boards_folder.is_relative_to(config.data_folder):
        within = (name for name in manifest.files if name.startswith(f"{BOARDS}/"))
        places |= {name: config.boards_folder / name.removeprefix(f"{BOARDS}/") for name in within}
    _lay(folder, {name: path for name, path in places.items() if not path.exists()})


def proved(config: Config, manifest: Manifest, lost: bool) -> Iterator[Proved]:
    """Every match, played again from its log, one after the other; the database is told first that it was restored.

    Where something may be `lost`, players will be told, mailboxes are read again, and reply addresses given out since are known
    for what they are.
    """
    with opened(config, upgrades=True) as office:
        if lost:
            _tell(office, config, manifest)
        for head in manifest.matches:
            if head.entries:
                yield _proof(office, head.name, head.entries, head.head)


def _proof(office: Office, name: str, entries: int, head: str) -> Proved:
    found = replay_at_the_counter(office, name)
    if found is None:
        return Proved(name, 0, "its log is not in the database")
    unlike = f"its log ends with {found.head}, and ended with {head} when the backup was made"
    return Proved(name, found.entries, found.trouble or ("" if found.head == head else unlike), found.verdict)


def _tell(office: Office, config: Config, manifest: Manifest) -> None:
    now, mailbox = office.clock.now(), bool(config.imap.host or config.maildir.path)
    turns = {match.name: match.turn for match in manifest.matches}
    with office.store.step() as step:
        before = notes.RESTORED.of().read(step) or ()
        notes.RESTORED.of().keep(step, (*before, Restored(manifest.began, now, turns, mailbox)))
        notes.RESTORED_UNTOLD.of().keep(step, True)
        for kind in ("mailbox", "maildir"):
            notes.READ_AGAIN.of(kind).keep(step, manifest.began - _A_DAY)
