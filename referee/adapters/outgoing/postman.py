"""The postman empties the outbox: claims letters, sends them, and tries again ever more seldom."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import msgspec

from referee.adapters.outgoing.sender import GiveUp, NotLetIn, OutOfReach, Sender, TryLater
from referee.service.clock.contact import Contact
from referee.service.ports import Clock, LetterOut, NotNow, Secrets, Store

_log = logging.getLogger(__name__)


class Patience(msgspec.Struct, frozen=True):
    """How long and how often a letter is tried.

    The first wait is `first`, each wait doubles up to `longest`, and up to half of it is taken off by chance, so
    that letters refused together do not come back together. A letter older than `give_up_after` is given up, unless
    it was tried for less than half of that time: nobody tries while the service is down or the relay lets us not in.
    """

    first: timedelta = timedelta(minutes=1)
    longest: timedelta = timedelta(hours=4)
    give_up_after: timedelta = timedelta(days=5)

    def wait(self, attempts: int, chance: float) -> timedelta:
        """The wait after so many attempts (0: the first failed); `chance` lies in [0, 1)."""
        doublings = min(attempts, 30)
        return min(self.first * (1 << doublings), self.longest) * (1 - chance / 2)

    def is_over(self, attempts: int, age: timedelta) -> bool:
        """Whether a letter of this age, tried so often before, is given up."""
        tried = sum((self.wait(number, 0) for number in range(attempts + 1)), timedelta())
        return age > self.give_up_after and tried >= self.give_up_after / 2


def _has_its_bytes(letter: LetterOut) -> LetterOut:
    if not letter.raw:
        raise ValueError("the letter was not written out")
    return letter


class Postman:
    """Delivers what is due. `gave_up` is told of each letter that will never arrive, after that is recorded.

    `write` gives their bytes to letters that were queued as what they say. What an attempt sent in vain is kept, so that
    the next one sends the same.

    `contact` hears whether the relay is reached. While it is not, it is looked for once in the first wait, and what waits
    goes out as soon as it is found, however seldom a letter was tried by then.

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
        contact: Contact | None = None,
        write: Callable[[LetterOut], LetterOut] = _has_its_bytes,
    ) -> None:
        self._store = store
        self._sender = sender
        self._clock = clock
        self._secrets = secrets
        self._patience = patience or Patience()
        self._gave_up = gave_up
        self._write = write
        self._lease = lease_seconds
        self._refusals = 0
        self._closed_until: datetime | None = None
        self._contact = contact or Contact()
        self._knock_at: datetime | None = None

    def deliver(self, limit: int = 20) -> int:
        """Try up to `limit` letters that are due; how many were tried. The connection is kept while there are more.

        While the relay does not let us in no letter is tried, counted as tried or given up: only the login is, ever more
        seldom. A service that is started anew, with settings mended, tries at once.
        """
        held = self._clock.now()
        if self._closed_until is not None and held < self._closed_until:
            return 0
        with self._store.step() as step:
            claimed = step.claim_outgoing(held, limit, self._lease)
        for number, letter in enumerate(claimed):
            held = self._hold(claimed[number:], held)
            try:
                self._deliver(letter)
            except NotLetIn as refused:
                self._wait_for_mending(claimed[number:], str(refused))
                break
        if not claimed and self._contact.is_lost:
            self._knock(held)
        if len(claimed) < limit:
            self._sender.close()
        return len(claimed)

    def _knock(self, now: datetime) -> None:
        """Look whether a relay that was out of reach is back."""
        if self._knock_at is not None and now < self._knock_at:
            return
        self._knock_at = now + self._patience.first
        try:
            self._sender.knock()
        except NotLetIn as refused:
            self._wait_for_mending((), str(refused))
        except TryLater as failed:
            self._contact.lost(str(failed))
        else:
            self._let_in()

    def _reached(self) -> None:
        """The relay answers; what could not go out because it did not is tried again at once."""
        if self._contact.is_lost:
            with self._store.step() as step:
                step.hasten(self._clock.now())
        self._contact.made()

    def _hold(self, letters: Sequence[LetterOut], held: datetime) -> datetime:
        """Renew the leases of letters still to be sent when half of the lease is over; when they were last renewed."""
        now = self._clock.now()
        if now - held < timedelta(seconds=self._lease) / 2:
            return held
        with self._store.step() as step:
            step.keep_claimed((letter.id for letter in letters), now + timedelta(seconds=self._lease))
        return now

    def _wait_for_mending(self, letters: Sequence[LetterOut], reason: str) -> None:
        """Lay letters back into the outbox as they were; the log hears of it once."""
        now = self._clock.now()
        with self._store.step() as step:
            step.keep_claimed((letter.id for letter in letters), now)
        said = _log.debug if self._refusals else _log.error
        self._contact.lost(reason)
        said("no letter can go out until [send] is mended, and none is given up meanwhile: %s", reason)
        self._closed_until = now + self._patience.wait(self._refusals, self._chance())
        self._refusals += 1
        self._sender.close()

    def _let_in(self) -> None:
        if self._refusals:
            _log.warning("the relay lets us in again; letters go out")
        self._refusals, self._closed_until = 0, None
        self._reached()

    def _deliver(self, letter: LetterOut) -> None:
        """Send and record what became of it. Raises NotLetIn; NotNow, and its lease brings the letter back."""
        try:
            letter = self._write(letter)
            self._sender.send(letter)
        except GiveUp as refused:
            self._reached()
            self._fail(letter, str(refused))
        except (NotLetIn, NotNow):
            raise
        except OutOfReach as failed:
            self._contact.lost(str(failed))
            self._try_later(letter, str(failed))
        except TryLater as failed:
            self._reached()
            self._try_later(letter, str(failed))
        except Exception as error:
            # A fault of the sender itself must not stop the letters behind this one.
            _log.exception("sending %s failed", letter.message_id)
            self._try_later(letter, repr(error))
        else:
            self._let_in()
            with self._store.step() as step:
                step.sent(letter.id, self._clock.now())

    def _try_later(self, letter: LetterOut, reason: str) -> None:
        now = self._clock.now()
        again = now + self._patience.wait(letter.attempts, self._chance())
        if self._patience.is_over(letter.attempts, again - letter.created_at):
            self._fail(letter, reason)
            return
        self._put_back(letter, reason, again)

    def _fail(self, letter: LetterOut, reason: str) -> None:
        _log.warning("%s to %s is given up: %s", letter.message_id, letter.recipient, reason)
        self._put_back(letter, reason, None)
        self._gave_up(letter, reason)

    def _put_back(self, letter: LetterOut, reason: str, again: datetime | None) -> None:
        with self._store.step() as step:
            if letter.raw and letter.said is not None:
                step.keep_bytes(letter.id, letter.raw)
            step.not_sent(letter.id, reason, again)

    def _chance(self) -> float:
        return int.from_bytes(self._secrets.secret()[:4], "big") / 2**32
