"""The office of these settings: store, clock, games, templates, and what it keeps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import Connection
from sqlalchemy.engine import make_url

from referee.adapters.beacon.opening import beacon_of
from referee.adapters.clock import FileClock, SystemClock
from referee.adapters.incoming import pipe
from referee.adapters.incoming.mailbag import Mailbag
from referee.adapters.incoming.room import NoRoom, Room
from referee.adapters.pages.drawings import DrawingFolder
from referee.adapters.pages.render import TemplateRenderer
from referee.adapters.pages.site import Site
from referee.adapters.secrets import SystemSecrets
from referee.adapters.signing import kept_key, key_changes, verify
from referee.adapters.store.bell import ServerBell
from referee.adapters.store.database import named
from referee.adapters.store.place import Place
from referee.adapters.store.store import SqlStore
from referee.adapters.unusable import told
from referee.bootstrap.folder import made
from referee.bootstrap.ways import desk_of, signature
from referee.config import Config, ConfigError
from referee.core.game import AnyGame, colours_of
from referee.games import GAMES
from referee.games.empire.game import EmpireGame
from referee.service import notes
from referee.service.office import Downtime, Limits, Office, Randomness, Witnessing
from referee.service.ports import Clock
from referee.service.records.archive import archive_of
from referee.service.settings import ClockSettings
from referee.service.site.house import house_pages
from referee.service.site.match_page import CARD
from referee.service.stored import this_program


def place_of(config: Config) -> Place | None:
    """What a desk must have to work where several machines share a database; on SQLite the folder's own lock does it."""
    if make_url(config.database_url).get_backend_name() == "sqlite":
        return None
    return Place(config.database_url, min(_SIGN_OF_LIFE, config.clock.scan_seconds), this_program(GAMES))


def bell_of(config: Config, heard: Callable[[str], None], back: Callable[[], None]) -> ServerBell | None:
    """The bell between the machines that share a database; None on SQLite."""
    if make_url(config.database_url).get_backend_name() == "sqlite":
        return None
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
    """Where letters lie until the desk takes them: beside a database that has one writer, None for others."""
    url = make_url(config.database_url)
    return Mailbag(Path(f"{url.database}-mailbag")) if url.get_backend_name() == "sqlite" else None


def room_of(config: Config) -> Room:
    """Whether there is room for letters on the disk of the data folder."""
    return Room(config.data_folder, config.limits.reserve_mb * 1024 * 1024)


@contextmanager
def opened(
    config: Config,
    ran: Callable[[str], None] = lambda _: None,
    place: Place | None = None,
    heard: Callable[[], None] = lambda: None,
    ahead: bool = False,
) -> Iterator[Office]:
    """The office of these settings, its database open and up to date. `ran` is told of matches that changed.

    A desk that believes its `place` to be its own learns at its next write that it is not. `ahead`: others write at the same
    time, and on SQLite its steps reckon before they take their turn. `heard` is told of each round of the beacon that
    was found, from a thread of its own.
    Raises Unusable for whatever folder, disk or database refuse while it is open, and for a beacon that cannot be asked.
    """
    with _stored(config, place, ahead) as store, _randomness(config, heard) as randomness:
        yield office_of(config, store, ran, randomness)


@contextmanager
def _randomness(config: Config, heard: Callable[[], None]) -> Iterator[Randomness | None]:
    """The beacon of these settings as long as an office is open; None where they name none."""
    chance = config.chance
    beacon = beacon_of(chance, clock_of(config), heard)
    if beacon is None:
        yield None
        return
    try:
        yield Randomness(beacon, timedelta(seconds=chance.lead_seconds), timedelta(minutes=chance.wait_minutes))
    finally:
        beacon.close()


@contextmanager
def _stored(config: Config, place: Place | None = None, ahead: bool = False) -> Iterator[SqlStore]:
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
) -> SqlStore:
    """The store of these settings, opened by this program with the rules of its games. Raises what SqlStore raises."""
    program = this_program(GAMES)
    return SqlStore(config.database_url, name=name, guard=guard, program=program, steady=steady, ahead=ahead)


def signing_key(config: Config) -> tuple[Path, str]:
    """The file with the key that signs heads of logs, and the name under which it signs."""
    return config.data_folder / "signing.key", config.referee.address.replace("+", "-")


def office_of(
    config: Config, store: SqlStore, ran: Callable[[str], None], randomness: Randomness | None = None
) -> Office:
    """The office of these settings over a store that is open already."""
    clock = config.clock
    hours = clock.deadline_hours
    settings = ClockSettings(
        hours, hours / 2, clock.reminder_hours, clock.mind_minutes, late=clock.late, beacon=config.chance.beacon
    )
    limits = Limits(
        letter_bytes=config.receive.max_letter_mb * 1024 * 1024,
        orders=config.limits.max_orders,
        answers_a_day=config.limits.answers_a_day,
        answer_bytes=config.limits.answer_kb * 1_000,
        domain_answers_a_day=config.limits.domain_answers_a_day,
        stranger_answers_a_day=config.limits.stranger_answers_a_day,
        refusals_a_day=config.limits.refusals_a_day,
        requests_a_day=config.limits.requests_a_day,
        attempts=config.limits.max_attempts,
        archive_bytes=config.limits.archive_mb * 1_000_000,
        forming_matches=config.limits.forming_matches,
        joined_matches=config.limits.joined_matches,
        forming_in_all=config.limits.forming_in_all,
        forming_days=config.limits.forming_days,
        spare_days=config.limits.keep_refused_days,
        letter_days=config.limits.keep_letters_days,
        spare_bytes=config.limits.strangers_mb * 1_000_000,
    )
    file, name = signing_key(config)
    signer = kept_key(file, name)
    with store.look() as step:
        restores = notes.RESTORED.of().read(step) or ()
    return Office(
        restores=restores,
        backups=config.backup_folder is not None,
        signer=signer,
        key_changes=key_changes(file, signer),
        verify=verify,
        witnessing=Witnessing(config.witness.serve, config.witness.max_logs),
        store=store,
        clock=clock_of(config),
        secrets=SystemSecrets(),
        renderer=TemplateRenderer(colours={game.title: colours_of(game) for game in GAMES}),
        games={game.name: game for game in _games(config)},
        address=config.referee.address,
        name=config.referee.name,
        zone=config.referee.zone,
        creators=frozenset(address.lower() for address in config.gm.addresses),
        clock_defaults=settings,
        limits=limits,
        downtime=Downtime(timedelta(minutes=clock.downtime_minutes), timedelta(hours=clock.wait_longest_hours)),
        trusted=config.receive.trusted_authserv,
        keeper=config.gm.keeper,
        site=config.archive.url,
        allow=config.gm.allow,
        deny=config.gm.deny,
        sign=signature(config),
        ran=ran,
        randomness=randomness,
    )


def _games(config: Config) -> tuple[AnyGame, ...]:
    """Every game, Empire with the boards drawn here."""
    here = EmpireGame(DrawingFolder(config.boards_folder))
    return tuple(here if game.name == here.name else game for game in GAMES)


def take_letter(config: Config, source: BinaryIO, who: pipe.Envelope) -> None:
    """Store one letter while the service runs or not; it is handled at the service's next look. Raises if it cannot."""
    with told(config.database_url):
        made(config)
    if not room_of(config)():
        raise NoRoom(f"fewer than {config.limits.reserve_mb} MB are free under {config.data_folder}")
    with _stored(config) as store:
        pipe.take(store, desk_of(config), clock_of(config), source, who)


def publish(office: Office, site: Site, match: str) -> Path | None:
    """Write the archive folder of a match; its index page, or None for a match that has not begun."""
    with office.store.look() as step:
        row = step.match(match)
        if row is None or step.last_entry(match) is None:
            return None
        have = site.pages_of(match, office.renderer.dress())
        folder = archive_of(office, step, row, have, site.grown(match), housed=True)
    return site.publish(match, *folder)


def publish_home(office: Office, site: Site, changed: Collection[str]) -> None:
    """Write the pages of the house anew, and of its players those of the matches that `changed`."""
    with office.store.look() as step:
        pages = house_pages(office, step, site.kept(CARD), changed, site.there())
    site.publish_home(pages)
