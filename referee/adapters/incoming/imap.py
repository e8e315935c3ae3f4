"""Letters in from an IMAP mailbox: a thread that connects, takes what is there, idles, and connects again for ever."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable

import msgspec
from imapclient.exceptions import IMAPClientError

from referee.adapters.incoming.arrival import Again, Desk, Put
from referee.adapters.incoming.imap_account import Account, Refused, connect, hang_up, take_leave
from referee.adapters.incoming.imap_session import Session
from referee.service.base.office import log_failure
from referee.service.base.ports import Clock
from referee.service.match.standing_still import Contact

_log = logging.getLogger(__name__)
_LEAVE_WITHIN = 10.0
_TOLD_AT = 3
"""The refusal in a row at which somebody is told: one by itself may be a token that had just run out."""
_TROUBLE = (OSError, EOFError, ValueError, IMAPClientError)
"""What a mailbox can do to us: the network, a broken answer, a refusal. imaplib's own errors are among these."""


class Reconnecting(msgspec.Struct, frozen=True):
    """How long to wait before connecting again: doubling from `first` to `longest` seconds, up to half off by chance.

    The chance keeps many referees from coming back to a mail server in the same second.
    """

    first: float = 1.0
    longest: float = 300.0

    def wait(self, failures: int, chance: float) -> float:
        """Seconds to wait after so many failures in a row (0: the first); `chance` lies in [0, 1)."""
        return float(min(self.first * (1 << min(failures, 30)), self.longest)) * (1 - chance / 2)


class ImapReader:
    """Takes letters out of one mailbox. `put` must make them durable; `chance` gives numbers in [0, 1).

    `refused` is told why, in the reader's thread, once for each time the mailbox has ceased to let us in. `contact` hears
    that it is reached when its letters are stored, and not before. Of a store that was restored from a backup `again` says
    since when all letters are read once more, and hears when that is done.
    """

    def __init__(
        self,
        account: Account,
        desk: Desk,
        clock: Clock,
        put: Put,
        reconnecting: Reconnecting | None = None,
        chance: Callable[[], float] = random.random,
        refused: Callable[[str], None] = lambda why: None,
        contact: Contact | None = None,
        again: Again | None = None,
    ) -> None:
        self._account = account
        self._desk = desk
        self._clock = clock
        self._put = put
        self._reconnecting = reconnecting or Reconnecting()
        self._chance = chance
        self._refused = refused
        self._contact = contact or Contact()
        self._again = again or Again()
        self._failures = 0
        self._refusals = 0
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="imap", daemon=True)

    def start(self) -> None:
        """Begin to take letters, in a thread of its own. A server that is not there yet is tried again."""
        self._thread.start()

    def stop(self) -> None:
        """Finish the batch under way and let go of the mailbox.

        A server that does not answer is not waited for: what it holds is unmarked and is read next time.
        """
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(_LEAVE_WITHIN)

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                self._visit()
            except Refused as error:
                self._contact.lost(str(error))
                self._tell(str(error))
                self._ending.wait(self._pause())
            except _TROUBLE as error:
                self._contact.lost(str(error))
                pause = self._pause()
                _log.warning("mailbox %s: %s; again in %.0f seconds", self._account.name, error, pause)
                self._ending.wait(pause)
            except Exception as error:
                # A fault of ours, or one of the library at a strange answer, must not leave the mailbox unread for ever.
                self._contact.lost(f"{type(error).__name__}: {error}")
                log_failure(_log, error, "mailbox %s could not be read; it is tried again", self._account.name)
                self._ending.wait(self._pause())

    def _pause(self) -> float:
        """Seconds until the next attempt after one more failure."""
        self._failures += 1
        return self._reconnecting.wait(self._failures - 1, self._chance())

    def _tell(self, why: str) -> None:
        """The log hears of a refused login once, whoever can mend it a little later, unless it was a passing thing."""
        self._refusals += 1
        if self._refusals == 1:
            _log.error("mailbox %s does not let us in: %s; mend [imap]", self._account.name, why)
        if self._refusals == _TOLD_AT:
            try:
                self._refused(why)
            except Exception as error:
                # A reader must outlive whatever keeps the news from being written.
                log_failure(_log, error, "nobody could be told that mailbox %s refuses us", self._account.name)

    def _visit(self) -> None:
        """One connection from its beginning to its end."""
        client = connect(self._account)
        if self._refusals:
            _log.warning("mailbox %s lets us in again", self._account.name)
        self._refusals = 0
        try:
            again = self._again.since()
            session = Session(client, self._account, self._desk, self._clock, self._put, self._ending, again=again)
            while not self._ending.is_set():
                session.sweep()
                self._again.done()
                self._contact.made()
                self._failures = 0
                session.wait()
        except BaseException:
            hang_up(client)
            raise
        take_leave(client)
