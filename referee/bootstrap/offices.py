"""The office of these settings: store, clock, games, templates, and what it keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from referee.adapters.clock import uptime
from referee.adapters.secrets import SystemSecrets
from referee.adapters.signing import kept_key, key_changes, verify
from referee.adapters.store.store import Store
from referee.bootstrap.stores import clock_of, signing_key, stored
from referee.config import Config
from referee.core.game import AnyGame, colours_of
from referee.games import BY_NAME, GAMES
from referee.kit.missing import why_missing
from referee.service.base import notes
from referee.service.base.office import Downtime, Limits, Office, Randomness, Witnessing
from referee.service.base.ports import Renderer
from referee.service.base.settings import ClockSettings

if TYPE_CHECKING:
    from referee.adapters.store.place import Place


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
    with stored(config, place, ahead) as store, _randomness(config, heard) as randomness:
        yield office_of(config, store, ran, randomness)


@contextmanager
def _randomness(config: Config, heard: Callable[[], None]) -> Iterator[Randomness | None]:
    """The beacon of these settings as long as an office is open; None where they name none."""
    chance, beacon = config.chance, None
    if chance.beacon != "letters":
        from referee.adapters.beacon.opening import beacon_of

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
        ran=ran,
        randomness=randomness,
    )


def _signature(config: Config) -> Callable[[bytes], bytes]:
    """How letters are signed, made when the first one is: most commands write none."""

    @cache
    def made() -> Callable[[bytes], bytes]:
        from referee.bootstrap.signatures import signature

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
        from referee.adapters.pages.drawings import DrawingFolder
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
        from referee.adapters.pages.render import TemplateRenderer

        return TemplateRenderer(colours={game.title: colours_of(game) for game in GAMES})

    def __getattr__(self, name: str) -> Any:
        return getattr(self._made, name)
