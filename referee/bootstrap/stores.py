"""What lies in the data folder, opened: the store, the mailbag, the clock; enough for whoever only looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection
from sqlalchemy.engine import make_url

from referee.adapters.clock import FileClock, SystemClock
from referee.adapters.files import only_read
from referee.adapters.incoming.mailbag import Mailbag
from referee.adapters.incoming.room import Room
from referee.adapters.store.database import named
from referee.adapters.store.store import Store
from referee.adapters.unusable import told
from referee.bootstrap.folder import made, sqlite_file
from referee.config import Config, ConfigError
from referee.games import rules_in_force
from referee.service.base.ports import Clock
from referee.service.base.remembered import this_program

if TYPE_CHECKING:
    from referee.adapters.store.bell import ServerBell
    from referee.adapters.store.place import Place


def place_of(config: Config) -> Place | None:
    """What a desk must have to work where several machines share a database; on SQLite the folder's own lock does it."""
    if make_url(config.database_url).get_backend_name() == "sqlite":
        return None
    from referee.adapters.store.place import Place

    return Place(config.database_url, min(_SIGN_OF_LIFE, config.clock.scan_seconds), this_program(rules_in_force()))


def bell_of(config: Config, heard: Callable[[str], None], back: Callable[[], None]) -> ServerBell | None:
    """The bell between the machines that share a database; None on SQLite."""
    if make_url(config.database_url).get_backend_name() == "sqlite":
        return None
    from referee.adapters.store.bell import ServerBell

    return ServerBell(config.database_url, heard, back)


_SIGN_OF_LIFE = 5.0
"""Seconds between two signs of life of a desk, and between two looks of one that stands by."""


def clock_of(config: Config) -> Clock:
    """The machine's clock, or one that is read from a file. Raises ConfigError for a file that holds no time."""
    if config.clock_file is None:
        return SystemClock()
    clock = FileClock(config.clock_file)
    try:
        clock.now()
    except (OSError, ValueError) as error:
        right = "write one such as 2026-11-21T12:00:00+00:00 into it, or leave the setting empty for the machine's own clock"
        raise ConfigError(f"[clock] file {str(config.clock_file)!r} holds no time; {right}.") from error
    return clock


def mailbag(config: Config) -> Mailbag | None:
    """Where letters lie until the desk takes them: beside a database that has one writer, None where there is none."""
    file = sqlite_file(config)
    path = Path(f"{file}-mailbag")
    return None if file is None or (only_read(path) and not path.exists()) else Mailbag(path)


def room_of(config: Config) -> Room:
    """Whether there is room for letters on the disk of the data folder."""
    return Room(config.data_folder, config.limits.reserve_mb * 1024 * 1024)


@contextmanager
def stored(config: Config, place: Place | None = None, ahead: bool = False) -> Iterator[Store]:
    """The store of these settings while it is open. Raises Unusable for whatever folder, disk or database refuse."""
    with told(config.database_url):
        made(config)
        name = named("desk" if place or ahead else "command")
        store = store_of(config, name, place.guard if place else None, ahead=ahead)
        try:
            yield store
        finally:
            store.close()


def store_of(
    config: Config,
    name: str = "referee",
    guard: Callable[[Connection], None] | None = None,
    steady: bool = True,
    ahead: bool = False,
) -> Store:
    """The store of these settings, opened by this program with the rules of its games. Raises what Store raises."""
    program = this_program(rules_in_force())
    return Store(config.database_url, name=name, guard=guard, program=program, steady=steady, ahead=ahead)


def signing_key(config: Config) -> tuple[Path, str]:
    """The file with the key that signs heads of logs, and the name under which it signs."""
    return config.data_folder / "signing.key", config.referee.address.replace("+", "-")
