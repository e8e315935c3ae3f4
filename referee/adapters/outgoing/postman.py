"""The postman empties the outbox: claims letters, hands them to a relay or a Maildir, and tries again ever more seldom."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

import msgspec

from referee.adapters.files import make_folder, write_whole
from referee.service.base.ports import TRIED_OFTEN, Clock, LetterOut, NotNow, Secrets, Store
from referee.service.match.suspension import Contact

# ---------------------------------------------------------------- who takes letters out
# A relay, or a Maildir.


class TryLater(Exception):
    """The letter was not handed on this time; the reason is fit to be shown to a game master."""


class NotLetIn(TryLater):
    """The relay refuses us, not the letter: nothing can go out until somebody mends the settings."""


class OutOfReach(TryLater):
    """The relay cannot be reached: nothing can go out until it, or the network, is back."""


class GiveUp(Exception):
    """The letter can never be handed on; the reason is fit to be shown to a game master."""


class Sender(Protocol):
    """A way of sending."""

    def send(self, letter: LetterOut) -> None:
        """Hand the letter's bytes on, unchanged. Raises TryLater, OutOfReach, NotLetIn or GiveUp."""
        ...

    def knock(self) -> None:
        """See whether letters could be handed on. Raises TryLater, OutOfReach or NotLetIn if not."""
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...


# ---------------------------------------------------------------- outgoing mail as files
# One Maildir for each address, readable by any mail program on this machine.


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST = 200


def mailbox(folder: Path, address: str) -> Path:
    """The Maildir of an address; two addresses never share one, and none lies outside the folder."""
    name = quote(address.lower(), safe="@+=")
    if name.startswith("."):
        name = f"%2E{name[1:]}"
    if len(name) > _LONGEST:
        name = f"{name[:_LONGEST]}%{hashlib.sha256(name.encode()).hexdigest()[:16]}"
    return folder / (name or "%nobody")


def _file_name(letter: LetterOut) -> str:
    """The same for every attempt, so that sending again after a crash makes no second file; sorts by age."""
    age = (letter.created_at - _EPOCH) // timedelta(microseconds=1)
    return f"{age:017d}.{letter.id:09d}.{hashlib.sha256(letter.message_id.encode()).hexdigest()[:24]}"


def _is_there(box: Path, name: str) -> bool:
    """Whether a letter lies in the mailbox, read (in cur, with flags after its name) or not."""
    return (box / "new" / name).exists() or any((box / "cur").glob(f"{name}*"))


class MaildirSender:
    """Lays letters into Maildirs below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def send(self, letter: LetterOut) -> None:
        """Deliver once, durably. Raises TryLater when the disk does not take it."""
        box, name = mailbox(self.folder, letter.recipient), _file_name(letter)
        try:
            for part in ("tmp", "new", "cur"):
                make_folder(box / part)
            if not _is_there(box, name):
                content = letter.raw.replace(b"\r\n", b"\n")
                write_whole(box / "new" / name, content, by_way_of=box / "tmp" / f"{name}.{os.getpid()}")
        except OSError as error:
            raise TryLater(f"the mailbox of {letter.recipient} cannot be written: {error.strerror}") from error

    def knock(self) -> None:
        """A folder of this machine is never out of reach."""

    def close(self) -> None:
        """Nothing is kept open."""


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
    """Delivers what is due, through each of its `senders` at the same time: a relay that takes long over one letter keeps no
    others up. Letters to one reader go in the order queued. `gave_up` is told of each letter that will never arrive,
    after that is recorded.

    `write` gives their bytes to letters that were queued as what they say. The bytes of a vain attempt are kept, so that
    the next one sends the same.

    `contact` hears whether the relay is reached. While it is not, it is looked for once in the first wait, and what waits
    goes out as soon as it is found, however seldom a letter was tried by then.

    A letter is leased for `lease_seconds`, and held on to while those before it take their time: if this process
    dies between sending and marking, the same bytes with the same Message-ID go out again after the lease, and
    receivers can collapse them. The lease must be longer than twice the time one letter may take. A postman who is `alone`,
    since any other is dead, begins with what those before him held.
    """

    def __init__(
        self,
        store: Store,
        senders: Sequence[Sender],
        clock: Clock,
        secrets: Secrets,
        patience: Patience | None = None,
        gave_up: Callable[[LetterOut, str], None] = lambda letter, reason: None,
        lease_seconds: int = 180,
        contact: Contact | None = None,
        write: Callable[[LetterOut], LetterOut] = _has_its_bytes,
        alone: bool = False,
    ) -> None:
        self._store = store
        self._senders = senders
        self._lock = threading.RLock()
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
        self._held = clock.now()
        self._waiting: set[int] = set()
        self._inherits = alone

    def deliver(self, limit: int = 20) -> int:
        """Try up to `limit` letters that are due; how many were tried. The connection is kept while there are more.

        While the relay does not let us in no letter is tried, counted as tried or given up: only the login is, ever more
        seldom. A service that is started anew, with settings mended, tries at once.
        """
        now = self._clock.now()
        if self._closed_until is not None and now < self._closed_until:
            return 0
        with self._store.step() as step:
            if self._inherits:
                step.let_go()
            claimed = step.claim_outgoing(now, limit, self._lease)
        self._inherits = False
        self._held, self._waiting = now, {letter.id for letter in claimed}
        of_reader: dict[str, deque[LetterOut]] = defaultdict(deque)
        for letter in sorted(claimed, key=lambda letter: letter.id):
            of_reader[letter.recipient].append(letter)
        readers = deque(of_reader.values())
        if len(readers) < 2 or len(self._senders) < 2:
            self._send_all(self._senders[0], readers)
        else:
            with ThreadPoolExecutor(len(self._senders), "postman") as pool:
                for lane in [pool.submit(self._send_all, sender, readers) for sender in self._senders]:
                    lane.result()
        if not claimed and self._contact.is_lost:
            self._knock(now)
        if len(claimed) < limit or self._closed_until is not None:
            for sender in self._senders:
                sender.close()
        return len(claimed)

    def _send_all(self, sender: Sender, readers: deque[deque[LetterOut]]) -> None:
        """Take one reader's letters after another's, until none are left or the relay lets us not in."""
        while True:
            try:
                letters = readers.popleft()
            except IndexError:
                return
            while letters:
                letter = letters.popleft()
                self._take(letter)
                try:
                    again = self._deliver(sender, letter)
                except NotLetIn as refused:
                    readers.clear()
                    self._wait_for_mending(str(refused), letter)
                    return
                if again is not None:
                    self._keep(letters, again)
                    letters.clear()

    def _keep(self, letters: Iterable[LetterOut], until: datetime) -> None:
        """Nobody has these letters before then; they count as not tried."""
        ids = [letter.id for letter in letters]
        with self._lock, self._store.step() as step:
            step.keep_claimed(ids, until)
            self._waiting.difference_update(ids)

    def _knock(self, now: datetime) -> None:
        """Look whether a relay that was out of reach is back."""
        if self._knock_at is not None and now < self._knock_at:
            return
        self._knock_at = now + self._patience.first
        try:
            self._senders[0].knock()
        except NotLetIn as refused:
            self._wait_for_mending(str(refused))
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

    def _take(self, letter: LetterOut) -> None:
        """A letter is on its way from here on. The leases of all are renewed when half of the lease is over."""
        with self._lock:
            now = self._clock.now()
            if now - self._held >= timedelta(seconds=self._lease) / 2:
                self._held = now
                with self._store.step() as step:
                    step.keep_claimed(self._waiting, now + timedelta(seconds=self._lease))
            self._waiting.discard(letter.id)

    def _wait_for_mending(self, reason: str, *refused: LetterOut) -> None:
        """Lay what is not on its way back into the outbox as it was; the log hears of it once."""
        with self._lock:
            now = self._clock.now()
            with self._store.step() as step:
                step.keep_claimed([*self._waiting, *(letter.id for letter in refused)], now)
            self._waiting.clear()
            said = _log.debug if self._refusals else _log.error
            self._contact.lost(reason)
            said("no letter can go out until [send] is mended, and none is given up meanwhile: %s", reason)
            if self._closed_until is None or self._closed_until <= now:
                self._closed_until = now + self._patience.wait(self._refusals, self._chance())
                self._refusals += 1

    def _let_in(self) -> None:
        if self._refusals:
            _log.warning("the relay lets us in again; letters go out")
        self._refusals, self._closed_until = 0, None
        self._reached()

    def _deliver(self, sender: Sender, letter: LetterOut) -> datetime | None:
        """Send and record what became of it; when it is tried again, if others to its reader should wait for that.

        Raises NotLetIn; NotNow, and its lease brings the letter back.
        """
        try:
            letter = self._write(letter)
            sender.send(letter)
        except (NotLetIn, NotNow):
            raise
        except Exception as failed:
            with self._lock:
                return self._not_delivered(letter, failed)
        with self._lock:
            self._let_in()
            with self._store.step() as step:
                step.sent(letter.id, self._clock.now())
        return None

    def _not_delivered(self, letter: LetterOut, failed: Exception) -> datetime | None:
        if isinstance(failed, OutOfReach):
            self._contact.lost(str(failed))
        elif isinstance(failed, GiveUp | TryLater):
            self._reached()
        else:  # a fault of the sender itself must not stop the letters behind this one
            _log.error("sending %s failed", letter.message_id, exc_info=failed)
            self._try_later(letter, repr(failed))
            return None
        if isinstance(failed, GiveUp):
            self._fail(letter, str(failed))
            return None
        return self._try_later(letter, str(failed))

    def _try_later(self, letter: LetterOut, reason: str) -> datetime | None:
        now = self._clock.now()
        again = now + self._patience.wait(letter.attempts, self._chance())
        if self._patience.is_over(letter.attempts, again - letter.created_at):
            self._fail(letter, reason)
            return None
        self._put_back(letter, reason, again)
        return again if letter.attempts + 1 < TRIED_OFTEN else None

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
