"""The search for rounds: which are sought, when whom to ask, and what was found. It knows no thread and waits for nothing."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

import msgspec

from referee.adapters.beacon.chain import Chain
from referee.adapters.beacon.relay import Claim, NoAnswer, NotYet
from referee.service.base.office import log_failure
from referee.service.base.ports import Clock

_log = logging.getLogger(__name__)

KEPT = 64
"""So many found rounds are kept, those found last; one that is gone is sought anew."""

SOUGHT = 1000
"""So many rounds are sought at a time; beyond that the one sought first is given up."""


class Source(Protocol):
    """Where rounds may be asked for."""

    url: str

    def ask(self, chain: str, round: int) -> Claim:
        """What it says of a round. Raises NotYet, NoAnswer."""
        ...

    def hang_up(self) -> None:
        """End the request under way, from another thread, and every later one."""
        ...


class Patience(msgspec.Struct, frozen=True):
    """How often a round is asked for: after `first`, each wait twice the one before up to `longest`, in all `give_up_after`."""

    first: timedelta = timedelta(seconds=1)
    longest: timedelta = timedelta(seconds=30)
    give_up_after: timedelta = timedelta(minutes=10)

    def wait(self, failures: int) -> timedelta:
        """The wait after so many failures (0: the first)."""
        return min(self.first * (1 << min(failures, 30)), self.longest)


class _Sought(msgspec.Struct):
    round: int
    since: datetime
    due_at: datetime
    failures: int = 0


class Search:
    """Seeks rounds of one chain. `signed` verifies a signature; `heard` is called after each round that was found.

    `seek` and `found` may be called from any thread and do not wait; one thread at a time calls `look`.
    """

    def __init__(
        self,
        chain: Chain,
        sources: Sequence[Source],
        clock: Clock,
        signed: Callable[[int, bytes], bool],
        heard: Callable[[], None] = lambda: None,
        patience: Patience | None = None,
    ) -> None:
        self.chain = chain
        self._sources = sources
        self._clock = clock
        self._signed = signed
        self._heard = heard
        self._patience = patience or Patience()
        self._passed_over: set[str] = set()
        self._sought: dict[int, _Sought] = {}
        self._found: dict[int, bytes] = {}
        self._ended = False
        self._changing = threading.Lock()

    def seek(self, round: int) -> None:
        """Let a round be asked for from its time on. Raises ValueError for one that is never made."""
        since = max(self._clock.now(), self.chain.time_of(round))
        with self._changing:
            if round not in self._found:
                self._sought.setdefault(round, _Sought(round, since, since))
            if len(self._sought) > SOUGHT:
                del self._sought[next(iter(self._sought))]

    def found(self, round: int) -> bytes | None:
        """The signature of a round that was found lately, verified."""
        with self._changing:
            return self._found.get(round)

    def end(self) -> None:
        """Ask nobody any more; a request under way fails at once."""
        self._ended = True
        for source in self._sources:
            source.hang_up()

    def look(self) -> float | None:
        """Ask for every round that is due. The seconds until another one is; None where nothing is sought."""
        for sought in self._due():
            self._ask_around(sought)
        with self._changing:
            next_at = min((sought.due_at for sought in self._sought.values()), default=None)
        return None if next_at is None else max(0.0, (next_at - self._clock.now()).total_seconds())

    def _due(self) -> list[_Sought]:
        now = self._clock.now()
        with self._changing:
            return [sought for sought in self._sought.values() if sought.due_at <= now]

    def _ask_around(self, sought: _Sought) -> None:
        """Ask one source after the other; those that were passed over come last."""
        for source in sorted(self._sources, key=lambda source: source.url in self._passed_over):
            if self._ended:
                return
            signature = self._ask(source, sought.round)
            if signature is not None:
                self._keep(sought.round, signature)
                return
        now = self._clock.now()
        sought.due_at = now + self._patience.wait(sought.failures)
        sought.failures += 1
        if now - sought.since >= self._patience.give_up_after:
            _log.warning("round %d of %s is given up: no relay gave it in time", sought.round, self.chain.name)
            with self._changing:
                self._sought.pop(sought.round, None)

    def _ask(self, source: Source, round: int) -> bytes | None:
        """The signature of a round, verified, or None."""
        try:
            claim = source.ask(self.chain.hash, round)
        except NotYet:
            return None
        except NoAnswer as error:
            self._pass_over(source, str(error))
            return None
        if claim.round != round:
            self._pass_over(source, f"asked for round {round} it gave round {claim.round}")
        elif not self._signed(round, claim.signature):
            self._pass_over(source, f"what it gave for round {round} is not signed by {self.chain.name}")
        else:
            self._passed_over.discard(source.url)
            return claim.signature
        return None

    def _pass_over(self, source: Source, why: str) -> None:
        """The log hears of it once, until the source has given a right round again."""
        if source.url not in self._passed_over and not self._ended:
            _log.warning("relay %s is asked after all others until it gives a right round: %s", source.url, why)
        self._passed_over.add(source.url)

    def _keep(self, round: int, signature: bytes) -> None:
        with self._changing:
            self._sought.pop(round, None)
            self._found[round] = signature
            if len(self._found) > KEPT:
                del self._found[next(iter(self._found))]
        try:
            self._heard()
        except Exception as error:
            # Whoever waits for the round asks for it some time; other rounds must not wait for what is wrong with a bell.
            log_failure(_log, error, "nobody could be told that a round of %s was found", self.chain.name)
