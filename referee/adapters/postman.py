"""The postman empties the outbox: claims letters, sends them, and tries again ever more seldom."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import msgspec

from referee.adapters.sender import GiveUp, Sender, TryLater
from referee.service.ports import Clock, LetterOut, Secrets, Store

__all__ = ["Patience", "Postman"]

_log = logging.getLogger(__name__)


class Patience(msgspec.Struct, frozen=True):
    """How long and how often a letter is tried.

    The first wait is `first`, each wait doubles up to `longest`, and up to half of it is taken off by chance, so
    that letters refused together do not come back together. A letter older than `give_up_after` is given up.
    """

    first: timedelta = timedelta(minutes=1)
    longest: timedelta = timedelta(hours=4)
    give_up_after: timedelta = timedelta(days=5)

    def wait(self, attempts: int, chance: float) -> timedelta:
        """The wait after so many attempts (0: the first failed); `chance` lies in [0, 1)."""
        doublings = min(attempts, 30)
        return min(self.first * (1 << doublings), self.longest) * (1 - chance / 2)


class Postman:
    """Delivers what is due. `gave_up` is told of each letter that will never arrive, after that is recorded.

    A letter is leased for `lease_seconds`, and held on to while those before it take their time: if this process
    dies between sending and marking, the same bytes with the same Message-ID go out again after the lease, and
    receivers can collapse them. The lease must be longer than twice the time one letter may take.
    """

    def __init__(
        self,
        store: Store,
        sender: Sender,
        clock: Clock,
        secrets: Secrets,
        patience: Patience | None = None,
        gave_up: Callable[[LetterOut, str], None] = lambda letter, reason: None,
        lease_seconds: int = 180,
    ) -> None:
        self._store = store
        self._sender = sender
        self._clock = clock
        self._secrets = secrets
        self._patience = patience or Patience()
        self._gave_up = gave_up
        self._lease = lease_seconds

    def deliver(self, limit: int = 20) -> int:
        """Try up to `limit` letters that are due; how many were tried. The connection is kept while there are more."""
        held = self._clock.now()
        with self._store.step() as step:
            claimed = step.claim_outgoing(held, limit, self._lease)
        for number, letter in enumerate(claimed):
            held = self._hold(claimed[number:], held)
            self._deliver(letter)
        if len(claimed) < limit:
            self._sender.close()
        return len(claimed)

    def _hold(self, letters: Sequence[LetterOut], held: datetime) -> datetime:
        """Renew the leases of letters still to be sent when half of the lease is over; when they were last renewed."""
        now = self._clock.now()
        if now - held < timedelta(seconds=self._lease) / 2:
            return held
        with self._store.step() as step:
            step.keep_claimed((letter.id for letter in letters), now + timedelta(seconds=self._lease))
        return now

    def _deliver(self, letter: LetterOut) -> None:
        try:
            self._sender.send(letter)
        except GiveUp as refused:
            self._fail(letter, str(refused))
        except TryLater as failed:
            self._try_later(letter, str(failed))
        except Exception as error:
            # A fault of the sender itself must not stop the letters behind this one.
            _log.exception("sending %s failed", letter.message_id)
            self._try_later(letter, repr(error))
        else:
            with self._store.step() as step:
                step.sent(letter.id, self._clock.now())

    def _try_later(self, letter: LetterOut, reason: str) -> None:
        now = self._clock.now()
        again = now + self._patience.wait(letter.attempts, self._chance())
        if again - letter.created_at > self._patience.give_up_after:
            self._fail(letter, reason)
            return
        self._put_back(letter, reason, again)

    def _fail(self, letter: LetterOut, reason: str) -> None:
        _log.warning("%s to %s is given up: %s", letter.message_id, letter.recipient, reason)
        self._put_back(letter, reason, None)
        self._gave_up(letter, reason)

    def _put_back(self, letter: LetterOut, reason: str, again: datetime | None) -> None:
        with self._store.step() as step:
            step.not_sent(letter.id, reason, again)

    def _chance(self) -> float:
        return int.from_bytes(self._secrets.secret()[:4], "big") / 2**32
