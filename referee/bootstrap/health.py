"""The parts to look at to know whether all is well: the store, the mailbag, the disk, and in the running service its parts."""

from __future__ import annotations

import os
import shutil
from contextlib import closing, nullcontext
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from referee.adapters.files import Unusable
from referee.adapters.incoming.mailbag import Mailbag
from referee.bootstrap.offices import clock_of, mailbag, stored
from referee.config import Config
from referee.service.base.ports import Clock, Store
from referee.service.intake.health import Around, Health, Part, health

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.adapters.monitoring import Window

_PAGE = os.sysconf("SC_PAGE_SIZE")


def health_of(
    config: Config, store: Store, clock: Clock, bag: Mailbag | None, parts: tuple[Part, ...] = (), damaged: bool = False
) -> Health:
    """How all is now. Without `parts` it is a command that asks, beside the service or without it."""
    reserve = config.limits.reserve_mb * 1024 * 1024
    with store.look() as step:
        lying = bag.waiting(step) if bag is not None else []
        around = Around(
            shutil.disk_usage(config.data_folder).free,
            reserve,
            len(lying),
            min((letter.received_at for letter in lying), default=None),
            parts=parts,
            damaged=damaged,
            aside=len(bag.aside()) if bag is not None else 0,
        )
        return health(clock.now(), step, around, _patience(config))


def _patience(config: Config) -> timedelta:
    """How late things may be; where it is looked for them seldom, later."""
    return max(timedelta(minutes=config.health.late_minutes), 3 * timedelta(seconds=config.clock.scan_seconds))


def health_at_the_counter(config: Config) -> Health:
    """How all is, as far as the database and the machine know."""
    bag = mailbag(config)
    with stored(config) as store, closing(bag) if bag is not None else nullcontext():
        return health_of(config, store, clock_of(config), bag)


def memory_of(process: int) -> int:
    """The resident memory of a process in bytes; 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0


def window_of(config: Config, look: Callable[[], Health]) -> Window | None:
    """Where monitors ask; None where the settings open none."""
    if not config.health.port:
        return None
    # It takes a twentieth of a second to load, and most houses have no monitor.
    from referee.adapters.monitoring import Window

    return Window(config.health.host, config.health.port, look, version("referee"))


def open_window(config: Config, window: Window) -> None:
    """Let monitors ask. Raises Unusable where the port is taken."""
    try:
        window.start()
    except OSError as error:
        where = f"Port {config.health.port} on {config.health.host} cannot be used for a monitor"
        raise Unusable(f"{where}: {error.strerror or error}. Name a free one under [health], or 0 for none.") from error
