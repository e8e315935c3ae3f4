"""Letters in from an IMAP mailbox: a thread that connects, takes what is there, idles, and connects again for ever."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable

import msgspec
from imapclient.exceptions import IMAPClientError

from referee.adapters.arrival import Desk, Put
from referee.adapters.imap_account import Account, connect, hang_up, take_leave
from referee.adapters.imap_session import Session
from referee.service.ports import Clock

__all__ = ["ImapReader", "Reconnecting"]

_log = logging.getLogger(__name__)
_LEAVE_WITHIN = 10.0
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
    """Takes letters out of one mailbox. `put` must make them durable; `chance` gives numbers in [0, 1)."""

    def __init__(
        self,
        account: Account,
        desk: Desk,
        clock: Clock,
        put: Put,
        reconnecting: Reconnecting | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._account = account
        self._desk = desk
        self._clock = clock
        self._put = put
        self._reconnecting = reconnecting or Reconnecting()
        self._chance = chance
        self._failures = 0
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
            except _TROUBLE as error:
                pause = self._reconnecting.wait(self._failures, self._chance())
                self._failures += 1
                _log.warning("mailbox %s: %s; again in %.0f seconds", self._account.name, error, pause)
                self._ending.wait(pause)

    def _visit(self) -> None:
        """One connection from its beginning to its end."""
        client = connect(self._account)
        try:
            session = Session(client, self._account, self._desk, self._clock, self._put, self._ending)
            while not self._ending.is_set():
                session.sweep()
                self._failures = 0
                session.wait()
        except BaseException:
            hang_up(client)
            raise
        take_leave(client)
