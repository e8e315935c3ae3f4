"""The office put together: its store, its identity, what it is handed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
from sqlalchemy import Connection
from sqlalchemy.engine import make_url

from referee.adapters.clock_and_secrets import FileClock, SystemClock, SystemSecrets, encrypt, uptime
from referee.adapters.files import Unusable, only_read, told
from referee.adapters.incoming.mailbag import Mailbag, Room
from referee.adapters.signing_key import kept_key, key_changes, verify
from referee.adapters.store.database import named
from referee.adapters.store.store import Store
from referee.bootstrap.data_folder import made, sqlite_file
from referee.config import Config, ConfigError
from referee.core.game import AnyGame, colours_of
from referee.core.signed_note import read_change
from referee.games import BY_NAME, GAMES, rules_in_force
from referee.kit.game import why_missing
from referee.mail import Attachment
from referee.service.base import notes
from referee.service.base.match_settings import ClockSettings
from referee.service.base.note_values import Identity, this_program
from referee.service.base.office import At, Downtime, Limits, Office, Randomness, Witnessing
from referee.service.base.ports import Clock, Member, Player, Renderer
from referee.service.match.playing import BareHand, Playing

if TYPE_CHECKING:
    from referee.adapters.store.desk_locks import ServerBell
    from referee.adapters.store.guard import Place


# ---------------------------------------------------------------- what lies in the data folder, opened
# The store, the mailbag, the clock; enough for a caller that only looks.


def place_of(config: Config) -> Place | None:
    """The place that a desk must have to work where several machines share a database; on SQLite the folder's own lock does it."""
    if make_url(config.database_url).get_backend_name() == "sqlite":
        return None
    from referee.adapters.store.guard import Place

    return Place(config.database_url, min(_SIGN_OF_LIFE, config.clock.scan_seconds), this_program(rules_in_force()))


def bell_of(config: Config, heard: Callable[[str], None], back: Callable[[], None]) -> ServerBell | None:
    """The bell between the machines that share a database; None on SQLite."""
    if make_url(config.database_url).get_backend_name() == "sqlite":
        return None
    from referee.adapters.store.desk_locks import ServerBell

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
def stored(config: Config, place: Place | None = None, ahead: bool = False, upgrades: bool = False) -> Iterator[Store]:
    """The store of these settings while it is open. Raises Unusable for whatever folder, disk or database refuse."""
    with told(config.database_url):
        made(config)
        name = named("desk" if place or ahead else "command")
        store = store_of(config, name, place.guard if place else None, ahead=ahead, upgrades=upgrades)
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
    upgrades: bool = False,
) -> Store:
    """The store of these settings, opened by this program with the rules of its games. Raises what Store raises.

    The service and a restore bring a database up to date. No command does by the way: it would be before any backup, and an
    older service that runs could not go on.
    """
    program = this_program(rules_in_force())
    return Store(
        config.database_url, name=name, guard=guard, program=program, steady=steady, ahead=ahead, upgrades=upgrades
    )


def signing_key(config: Config) -> tuple[Path, str]:
    """The file with the key that signs heads of logs, and the name under which it signs."""
    return config.data_folder / "signing.key", config.referee.address.replace("+", "-")


@contextmanager
def opened(
    config: Config,
    ran: Callable[[str], None] = lambda _: None,
    place: Place | None = None,
    heard: Callable[[], None] = lambda: None,
    ahead: bool = False,
    upgrades: bool = False,
) -> Iterator[Office]:
    """The office of these settings, its database open. `ran` is told of matches that changed.

    A desk that believes its `place` to be its own learns at its next write that it is not. `ahead`: others write at the same
    time, and on SQLite its steps reckon before they take their turn. `heard` is told of each round of the beacon that
    was found, from a thread of its own.
    Raises Unusable for whatever folder, disk or database refuse while it is open, and for a beacon that cannot be asked.
    """
    with stored(config, place, ahead, upgrades) as store, _randomness(config, heard) as randomness:
        yield office_of(config, store, ran, randomness)


@contextmanager
def _randomness(config: Config, heard: Callable[[], None]) -> Iterator[Randomness | None]:
    """The beacon of these settings as long as an office is open; None where they name none."""
    chance, beacon = config.chance, None
    if chance.beacon != "letters":
        from referee.adapters.beacon.drand import beacon_of

        beacon = beacon_of(chance, clock_of(config), heard)
    if beacon is None:
        yield None
        return
    try:
        yield Randomness(beacon, timedelta(seconds=chance.lead_seconds), timedelta(minutes=chance.wait_minutes))
    finally:
        beacon.close()


def office_of(config: Config, store: Store, ran: Callable[[str], None], randomness: Randomness | None = None) -> Office:
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
        bot_matches=config.limits.bot_matches,
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
        uptime=uptime,
        secrets=SystemSecrets(),
        renderer=cast(Renderer, _Templates()),
        games=_Games(config.boards_folder),
        address=config.referee.address,
        name=config.referee.name,
        zone=config.referee.zone,
        creators=frozenset(address.lower() for address in config.gm.addresses),
        clock_defaults=settings,
        limits=limits,
        downtime=Downtime(timedelta(minutes=clock.downtime_minutes), timedelta(hours=clock.wait_longest_hours)),
        trusted=config.trusted,
        keeper=config.gm.keeper,
        site=config.archive.url,
        allow=config.gm.allow,
        deny=config.gm.deny,
        sign=_signature(config),
        encrypt=encrypt,
        table=None if config.archive.url else _table,
        ran=ran,
        randomness=randomness,
    )


def _table(at: At, playing: Playing, member: Member, player: Player) -> tuple[Attachment, ...]:
    """A turn as a file; what makes it is loaded when the first one is made."""
    from referee.service.house.proofs import table_file, table_of

    return table_file(table_of(BareHand(at.office, at.step, playing), member, player))


def _signature(config: Config) -> Callable[[bytes], bytes]:
    """How letters are signed, made when the first one is: most commands write none."""

    @cache
    def made() -> Callable[[bytes], bytes]:
        from referee.adapters.dkim import signature

        return signature(config)

    return (lambda raw: made()(raw)) if config.dkim.selector else bytes


class _Games(Mapping[str, AnyGame]):
    """Every game by its name, Empire with the boards drawn here. One is loaded when a match of it is opened."""

    def __init__(self, boards: Path) -> None:
        self._boards, self._loaded = boards, dict[str, AnyGame]()

    def __getitem__(self, name: str) -> AnyGame:
        if name not in self._loaded:
            self._loaded[name] = self._with_boards(BY_NAME[name]) if name == "empire" else BY_NAME[name]
        return self._loaded[name]

    def _with_boards(self, empire: AnyGame) -> AnyGame:
        if why_missing(empire):
            return empire
        from referee.adapters.pages.picture import DrawingFolder
        from referee.games.empire.game import EmpireGame

        return EmpireGame(DrawingFolder(self._boards))

    def __contains__(self, name: object) -> bool:
        return name in BY_NAME

    def __iter__(self) -> Iterator[str]:
        return iter(BY_NAME)

    def __len__(self) -> int:
        return len(BY_NAME)


class _Templates:
    """The renderer, made when it is first asked for anything: most commands write no letter and no page."""

    @cached_property
    def _made(self) -> Renderer:
        from referee.adapters.pages.archive_folder import ENGINE
        from referee.adapters.pages.render import TemplateRenderer, engine_folder

        playable = engine_folder().joinpath(ENGINE).is_file()
        return TemplateRenderer(colours={game.title: colours_of(game) for game in GAMES}, playable=playable)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._made, name)


# ---------------------------------------------------------------- who a house is
# Its address and its keys stand in the database, and whoever comes with others does not serve.


def of_this_machine(config: Config, office: Office) -> Identity:
    """The content of these settings, and of the files that they name."""
    assert office.signer is not None
    return Identity(office.address.lower(), office.signer.public.hex(), _selectors(config)[0])


def _selectors(config: Config) -> tuple[str, ...]:
    """The signer of letters, and those before him."""
    if not config.dkim.selector:
        return ("",)
    from referee.adapters.dkim import dkim_keys

    keys = dkim_keys(config)
    return (keys.signer().selector, *keys.old()) if keys else ("",)


def otherwise(config: Config, office: Office) -> str:
    """Why the database is that of another house than these settings; "" where it is not."""
    with office.store.look() as step:
        kept = notes.IDENTITY.of().read(step)
    here = of_this_machine(config, office)
    if kept is None:
        return ""
    if kept.address != here.address:
        said = f"The database is that of {kept.address}, and [referee] address is {here.address}: set it to that"
    elif kept.key not in (here.key, *_former(office)):
        said = "Another key than signing.key here signs for this house: copy signing.key and signing.changes of its other machine"
    elif kept.selector not in ("", *_selectors(config)):
        said = f"Letters of this house are signed by {kept.selector} (DKIM), and here by {here.selector or 'nobody'}"
        said += ": take over [dkim] and the folder dkim of its other machine"
    else:
        return ""
    return f"{said}, or say referee keys accept if it is to be so from now on."


def _former(office: Office) -> list[str]:
    return [change.old.public.hex() for written in office.key_changes if (change := read_change(written))]


def take_up(config: Config, office: Office) -> None:
    """At the start of a service. Raises Unusable for a database of another house; new keys in good order are noted."""
    if said := otherwise(config, office):
        raise Unusable(said)
    office.sign(b"From: a@b.example\r\n\r\n")  # a key that cannot sign is told now, not at the first letter
    accept(config, office)


def accept(config: Config, office: Office) -> Identity:
    """From now on the house is who these settings say."""
    here, note = of_this_machine(config, office), notes.IDENTITY.of()
    with office.store.look() as step:
        before = note.read(step)
        begins = before is None and not (config.referee.answer_old or step.matches() or step.tally().letters_in)
    since = office.clock.now() if begins else before and before.since
    here = msgspec.structs.replace(here, since=since)
    if before != here:
        with office.store.step() as step:
            note.keep(step, here)
    return here
