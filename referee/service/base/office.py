"""The office: what every use case is handed, once at start; and how work that failed is done again, and told of."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from time import monotonic
from typing import Any, Generic, TypeVar, cast
from urllib.parse import quote
from zlib import crc32

import msgspec

from referee.core.game import Game
from referee.core.signed_note import Verify
from referee.mail import Attachment
from referee.service.base.match_settings import ClockDefaults
from referee.service.base.note_values import Restored
from referee.service.base.ports import (
    Beacon,
    Clock,
    InHand,
    Left,
    Member,
    NotNow,
    Player,
    Renderer,
    Secrets,
    Signer,
    Step,
    Store,
    Uptime,
)

# ---------------------------------------------------------------- work that failed
# Work that met another's write is done again, and of all else the log tells: of a fault with the place where it happened, of
# what the store could not do now in one line.
#
# Either is said once a minute, with how often it came since: a database that is away, a torn table or a machine without free
# descriptors makes the same work fail a hundred times a second.


W = TypeVar("W")

QUOTE_NOTHING: tuple[type[BaseException], ...] = (OSError, NotNow)
"""Errors of the system and the store. The text of any other may quote the letter over which it came, so no log has it."""

_MINUTE = 60.0
_MOST = 1000


class Seldom:
    """Says the same thing once in so many seconds, and counts the times between. Remembers the last thousand things."""

    def __init__(self, seconds: float = _MINUTE, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._now = now
        self._said: dict[tuple[str, ...], tuple[float, int]] = {}

    def since(self, *what: str) -> int | None:
        """How often it was kept back since it was said last; None when it is to be kept back now too."""
        now = self._now()
        at, kept_back = self._said.pop(what, (now - self._seconds, 0))
        due = now - at >= self._seconds
        self._said[what] = (now, 0) if due else (at, kept_back + 1)
        if len(self._said) > _MOST:
            del self._said[next(iter(self._said))]
        return kept_back if due else None


_seldom = Seldom()


def in_spite(work: Callable[[], W], *others: type[Exception]) -> W:
    """Do it in spite of others who write; raises their Conflict, or Overtaken, when that is met whenever it is tried."""
    for _ in range(_IN_SPITE):
        with suppress(*others):
            return work()
    return work()


_IN_SPITE = 3


class Duties:
    """A duty: work that a desk does again and again. One that fails keeps no other up; after some times in a row `tell` is told its
    name and what it failed by, and None when it is done again."""

    def __init__(self, log: logging.Logger, tell: Callable[[str, Exception | None], None], times: int) -> None:
        self._log, self._tell, self._times = log, tell, times
        self._failed: dict[str, int] = {}

    def do(self, name: str, work: Callable[[], int]) -> int:
        """Do it; how much was done, 0 where it failed. Raises NotNow: nothing else could be done then either."""
        try:
            done = work()
        except NotNow:
            raise
        except Exception as problem:
            log_failure(self._log, problem, "the desk fails at its %s; that is tried again", name)
            self._failed[name] = self._failed.get(name, 0) + 1
            if self._failed[name] == self._times:
                self._tell(name, problem)
            return 0
        if self._failed.get(name, self._times) >= self._times:  # also what a desk before this one told
            self._tell(name, None)
        self._failed[name] = 0
        return done


def fault_kind(problem: BaseException) -> str:
    """An error for the log: its kind, and what it says where that quotes no letter."""
    said = f": {problem}" if isinstance(problem, QUOTE_NOTHING) else ""
    return f"{type(problem).__name__}{said}"


def log_failure(log: logging.Logger, problem: Exception, what: str, *about: object) -> None:
    """Write down that `what` failed, unless the log was told so within the last minute."""
    put_off = isinstance(problem, NotNow)
    kept_back = _seldom.since(log.name, what, "" if put_off else repr(problem)[:200])
    if kept_back is None:
        return
    again = f" ({kept_back} times more since it was said last)" if kept_back else ""
    if put_off:
        log.warning(f"{what}: %s%s", *about, problem, again)
    else:
        log.error(f"{what}%s", *about, again, exc_info=problem)


# ---------------------------------------------------------------- the office
# The tools handed to every use case. One value, made once at start, never changed.


@dataclass(frozen=True)
class Limits:
    """Limits for one letter; sizes in bytes, counts a letter. How much is answered: see service.post.answer_limits.

    One address may have opened so many `forming_matches` and have joined so many `joined_matches`; of all there
    may be `forming_in_all` here. After `forming_days` without a word they are called off; 0: never. One person may play so many
    `bot_matches` alone against bots.
    The bytes of letters that did nothing and do not show who wrote them are kept for `spare_days`, up to `spare_bytes` in all;
    those of a match that is over for `letter_days`, 0: for ever.
    """

    letter_bytes: int = 10 * 1024 * 1024
    orders: int = 2_000
    answers_a_day: int = 10
    answer_bytes: int = 10_000
    domain_answers_a_day: int = 100
    stranger_answers_a_day: int = 1_000
    refusals_a_day: int = 20
    requests_a_day: int = 200
    attempts: int = 3
    archive_bytes: int = 5_000_000
    forming_matches: int = 3
    joined_matches: int = 5
    bot_matches: int = 3
    forming_in_all: int = 100
    forming_days: int = 30
    spare_days: float = 30
    letter_days: float = 0
    spare_bytes: int = 200_000_000


@dataclass(frozen=True)
class Downtime:
    """The downtime that counts, of the service, its mailbox and its relay.

    Less than `least` costs and gives nobody anything. Deadlines wait for mailbox and relay for `longest` at most.
    """

    least: timedelta = timedelta(minutes=15)
    longest: timedelta = timedelta(hours=72)


@dataclass(frozen=True)
class Randomness:
    """A beacon, how long its round lies ahead of the letters that name it, and how long a turn waits for it at most."""

    beacon: Beacon
    lead: timedelta = timedelta(seconds=60)
    longest: timedelta = timedelta(minutes=10)


@dataclass(frozen=True)
class Witnessing:
    """Whether we `serve` as a witness for others who ask by letter, and of how many `logs` at most."""

    serve: bool = True
    logs: int = 500


Encrypt = Callable[[bytes, bytes, bytes, bytes], bytes]
"""Of a key, a number that is used once, a text, and what goes with it in the clear; the tag is at the end."""


def _never(public: bytes, message: bytes, signature: bytes) -> bool:
    """Nobody who could verify a signature was handed in."""
    return False


class _Bare:
    """A hand of which nobody takes note, where no desk of its own is at work."""

    def on(self, letter: int) -> AbstractContextManager[None]:
        """Nothing is noted."""
        return nullcontext()

    def left(self) -> Left | None:
        """Nothing was noted."""
        return None

    def settled(self) -> None:
        """There was nothing to settle."""


T = TypeVar("T", bound=Hashable)


class Share:
    """The matches that a desk sees to first, of so many desks of one service: its memory of them still stands then.

    It takes work that waits for another desk where more waits than that one does at once, or where it saw it waiting a second ago.
    """

    def __init__(self, number: int = 0, of: int = 1, seconds: Callable[[], float] = monotonic) -> None:
        self._number, self._of, self._seconds = number, of, seconds
        self._seen: dict[str, dict[Hashable, float]] = {}

    def has(self, name: str) -> bool:
        """Whether a match, or a sender to the plain address, is of this share."""
        return crc32(name.encode()) % self._of == self._number

    def parted(
        self, what: str, waiting: Sequence[T], whose: Callable[[T], str], at_once: int
    ) -> tuple[list[T], list[T]]:
        """Waiting work, each in its order: the first thing to do, and the next if nothing could be done of that."""
        own, others = list[T](), list[T]()
        for each in waiting:
            (own if self.has(whose(each)) else others).append(each)
        now, before = self._seconds(), self._seen.get(what, {})
        seen = self._seen[what] = {each: before.get(each, now) for each in others}
        return own, others if len(others) >= at_once else [each for each in others if now - seen[each] >= _PATIENCE]


_PATIENCE = 1.0


@dataclass(frozen=True)
class Office:
    """Ports, games and the house's own settings. `creators` empty: anybody may CREATE a match.

    `allow` and `deny` are addresses and domains that may, or may not, take part in any match; `allow` empty: anybody may.

    `zone` is the time zone of people who have set none.

    `trusted` are the authserv-ids of mail servers whose word on a sender is believed, or those of each way in.
    `keeper` is told of trouble that no game master can mend; "" for nobody. `sign` puts our signature on a letter.
    """

    store: Store
    clock: Clock
    secrets: Secrets
    renderer: Renderer
    games: Mapping[str, Game[Any]]
    address: str
    name: str = "Referee"
    zone: str = "UTC"
    creators: frozenset[str] = frozenset()
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    clock_defaults: ClockDefaults = field(default_factory=ClockDefaults)
    limits: Limits = field(default_factory=Limits)
    downtime: Downtime = field(default_factory=Downtime)
    uptime: Callable[[], Uptime | None] = lambda: None
    """How long the machine has run, by which a clock that leaps is known from time that passed; None where nobody knows."""
    trusted: tuple[str, ...] | Mapping[str, tuple[str, ...]] = ()
    keeper: str = ""
    site: str = ""
    """Where the pages of the archive are on the web; "" for nowhere that letters could name."""
    sign: Callable[[bytes], bytes] = bytes
    encrypt: Encrypt | None = None
    """AES-256-GCM, by which turns are sealed that lie beside the archive; None where none do."""
    table: Callable[[At, Any, Member, Player], tuple[Attachment, ...]] | None = None
    """A turn as a file, for letters that ask where no page on the web could have it; None where none goes with them."""
    randomness: Randomness | None = None
    """Public randomness for the dice of matches that ask for it."""
    signer: Signer | None = None
    """Signs the heads of logs in letters and archives."""
    key_changes: tuple[str, ...] = ()
    """The notes by which earlier keys led to the one that signs, the oldest first."""
    verify: Verify = _never
    """Whether others made a signature."""
    witnessing: Witnessing = field(default_factory=Witnessing)
    in_hand: InHand = field(default_factory=_Bare)
    restores: tuple[Restored, ...] = ()
    """The backups that the database was restored from, the last one last."""
    backups: bool = False
    """Whether a backup is to be made every night."""
    build: str = ""
    """The fingerprint of the program, by which it is known for another than the one before it; "" for one of no account."""
    ran: Callable[[str], None] = lambda _: None
    """Told the name of a match after a step that changed it was committed."""
    share: Share = field(default_factory=Share)
    """The work that this desk sees to first."""
    tray: list[Any] | None = None
    """Where letters out lie while a letter that came in is handled (service.post.tray); None: they are queued at once."""

    @contextmanager
    def step(self) -> Iterator[At]:
        """A transaction of the store."""
        with self.store.step() as step:
            yield At(self, step)

    @contextmanager
    def look(self) -> Iterator[At]:
        """A transaction that writes nothing."""
        with self.store.look() as step:
            yield At(self, step)

    @property
    def host(self) -> str:
        """The host part of the referee's address, used in Message-IDs."""
        return self.address.rpartition("@")[2]

    def trusts(self, transport: str) -> tuple[str, ...]:
        """The servers whose word on a sender is believed of a letter that came in so."""
        if isinstance(self.trusted, tuple):
            return self.trusted
        return self.trusted.get(transport.partition(":")[0], ())

    @property
    def numbered(self) -> int:
        """The number that tells those given out since the last restore from the same ones given out before it; 0 without one."""
        return int(self.restores[-1].at.timestamp()) if self.restores else 0


@dataclass
class At:
    """The office at a step: what everything is handed that is done within a transaction."""

    office: Office
    step: Step

    @property
    def now(self) -> datetime:
        return self.office.clock.now()


# ---------------------------------------------------------------- where the page of a match is on the web
# Decided here alone, for letters, feeds and pages.


def page_of_game(office: Office, game: str, rules: bool = False) -> str:
    """The address of a game's page, or of its rules; "" where the house does not say where its site is."""
    return f"{office.site.rstrip('/')}/g/{quote(game)}{'-rules' if rules else ''}.html" if office.site else ""


def page_of_match(office: Office, match: str) -> str:
    """The address of a match's page, ending in a slash; "" where the house does not say where its site is."""
    return f"{office.site.rstrip('/')}/{quote(match)}/" if office.site and match else ""


# ---------------------------------------------------------------- a way
# Its table of steps: each says what it needs of those before it, what is known after it, and why it stands there.


Of = TypeVar("Of")
End = TypeVar("End")
Found = TypeVar("Found")


class WayStep(msgspec.Struct, Generic[Of, Found], frozen=True):
    """A step of a way: its name, what it does, what it needs to know, what is known after it, and why it stands here."""

    name: str
    does: Callable[[Of], Found]
    needs: tuple[Enum, ...]
    finds: Enum | None
    why: str

    @property
    def says(self) -> str:
        """The deed, read aloud."""
        return " ".join((self.does.__doc__ or "").split())


def way_step(
    name: str, does: Callable[[Of], Found], *needs: Enum, finds: Enum | None, why: str = ""
) -> WayStep[Of, Found]:
    """A row of a table, with what it needs in the order in which that is told."""
    return WayStep(name, does, needs, finds, why)


def go(steps: Sequence[WayStep[Of, Of | End]], so: Of, ends: type[End]) -> End:
    """Send something on its way: each step hands it on with what it found, or ends it."""
    for step in steps:
        found = step.does(so)
        if isinstance(found, ends):
            return found
        so = cast(Of, found)
    raise AssertionError("the last step always ends the way")
