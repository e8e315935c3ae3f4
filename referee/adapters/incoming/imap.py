"""Letters by IMAP: an account, a session at it, how long it is waited for, and when the keeper hears that it cannot be opened."""

from __future__ import annotations

import logging
import random
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any, Literal

import msgspec
from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from referee.adapters.clock_and_secrets import NoToken, access_token
from referee.adapters.incoming.maildir import Again, Desk, Put, left_behind, store_each
from referee.service.base.office import log_failure
from referee.service.base.ports import Clock, LetterIn
from referee.service.match.suspension import Contact

# ---------------------------------------------------------------- a mailbox account
# Where it is, who we are there, and how a connection to it is opened.


_log = logging.getLogger(__name__)


class Refused(LoginError):  # type: ignore[misc]  # the library has no types
    """The mailbox does not let us in: somebody must mend the name, the password or the token command."""


class Account(msgspec.Struct, frozen=True):
    """An IMAP mailbox. `token_command` prints an OAuth2 access token and takes the place of the password.

    With `move_to` letters are moved to that folder once they are stored, otherwise they get the `keyword`.
    `server_dates` counts the time at which the mail server took a letter as its arrival.
    """

    host: str
    port: int = 993
    security: Literal["tls", "starttls", "none"] = "tls"
    user: str = ""
    password: str = ""
    token_command: tuple[str, ...] = ()
    ca_file: str = ""
    folder: str = "INBOX"
    keyword: str = "$RefereeSeen"
    move_to: str = ""
    idle_seconds: float = 300.0
    poll_seconds: float = 60.0
    timeout_seconds: float = 30.0
    server_dates: bool = True

    @property
    def name(self) -> str:
        """The account as it stands in transport keys: the same however one connects to it."""
        return f"{self.user}@{self.host}"


class Connection(IMAPClient):  # type: ignore[misc]  # the library has no types
    """An IMAPClient that, asked what came while idle with timeout 0, also looks at what it has read ahead already.

    The plain one asks the socket alone: a letter told of in the same packet as "idling" would wait for the next one.
    """

    def _poll_socket(self, sock: Any, timeout: float | None = None) -> Any:
        return True if timeout == 0 else super()._poll_socket(sock, timeout)

    def announced(self) -> bool:
        """Whether a command since the last question brought news of letters by the way: IDLE will not say it again."""
        _, counts = self._imap.response("EXISTS")
        return bool(counts != [None])


def connect(account: Account) -> Connection:
    """An open connection, logged in. Raises OSError or IMAPClientError; Refused when we are not let in."""
    client = Connection(
        account.host,
        account.port,
        ssl=account.security == "tls",
        ssl_context=_context(account) if account.security == "tls" else None,
        timeout=SocketTimeout(account.timeout_seconds, account.timeout_seconds),
    )
    try:
        client.normalise_times = False
        if account.security == "starttls":
            client.starttls(_context(account))
        _log_in(client, account)
    except BaseException:
        hang_up(client)
        raise
    return client


def take_leave(client: IMAPClient) -> None:
    """Log out; a server that does not answer any more is left all the same."""
    try:
        client.logout()
    except (OSError, IMAPClientError) as error:
        _log.debug("no good-bye: %s", error)
        hang_up(client)


def hang_up(client: IMAPClient) -> None:
    """Close the connection, whatever state it is in."""
    with suppress(OSError):
        client.shutdown()


def _context(account: Account) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=account.ca_file or None)


def _log_in(client: IMAPClient, account: Account) -> None:
    try:
        if account.token_command:
            client.oauth2_login(account.user, access_token(account.token_command, account.timeout_seconds))
        else:
            client.login(account.user, account.password)
    except NoToken as error:
        raise Refused(str(error)) from error
    except LoginError as error:
        # The library says the same of a server that hung up, or whose list of users is out of order for now (RFC 5530).
        if isinstance(error.__context__, IMAPClientAbortError) or "[UNAVAILABLE]" in str(error).upper():
            raise
        raise Refused(str(error)) from error


# ---------------------------------------------------------------- one connection to a mailbox
# Take what is there, then wait for more. Any trouble ends it; the next one starts anew.
#
# Letters are told apart by a keyword of our own or by the folder they lie in, never by \Seen, which people change by looking.
# They are marked after they are stored: a crash in between means reading them again, and the inbox knows them.


_BATCH = 100
_BATCH_BYTES = 16 * 1024 * 1024
_SLICE = 0.5
"""Seconds one look at an idle connection lasts, so that the end of the service is not held up."""


class ConnectionLost(ConnectionError):
    """The server has gone, though the connection does not say so."""


class Session:
    """A mailbox that is open. `put` stores letters; `seconds` is a steady clock for waits.

    Letters that came since `again` are read in any case, whoever marked or moved them: he may have lost them.
    """

    def __init__(
        self,
        client: Connection,
        account: Account,
        desk: Desk,
        clock: Clock,
        put: Put,
        ending: threading.Event,
        seconds: Callable[[], float] = time.monotonic,
        again: datetime | None = None,
    ) -> None:
        self._client = client
        self._account = account
        self._desk = desk
        self._clock = clock
        self._put = put
        self._ending = ending
        self._seconds = seconds
        self._stored: set[int] = set()
        self._again = again
        if account.move_to and not client.folder_exists(account.move_to):
            client.create_folder(account.move_to)
        self._open(account.folder)
        client.announced()  # how many letters there are is no news: the first sweep looks at them all
        self._can_idle = client.has_capability("IDLE")

    def sweep(self) -> int:
        """Take every letter that is not marked; how many were stored. Searches the whole folder, whatever IDLE said.

        Raises OSError when a whole batch could not be stored; single letters wait for the next sweep.
        """
        unmarked = ["UNDELETED"] if self._account.move_to else ["UNDELETED", "UNKEYWORD", self._account.keyword]
        done = 0
        if self._again is not None:
            done += self._read_again(self._again)
            self._again = None
        return done + self._sweep(unmarked)

    def _read_again(self, since: datetime) -> int:
        """Take what came since a day, whether it was taken before or not; first what was moved away, which came earlier."""
        account, late = self._account, ["UNDELETED", "SINCE", since.date()]
        done = 0
        if account.move_to:
            self._open(account.move_to)
            done = self._sweep(late)
            self._open(account.folder)
        return done + self._sweep(late)

    def _open(self, folder: str) -> None:
        self._folder = folder
        self._validity = int(self._client.select_folder(folder)[b"UIDVALIDITY"])
        self._stored.clear()

    def _sweep(self, criteria: list[Any]) -> int:
        found = sorted(uid for uid in self._client.search(criteria) if uid not in self._stored)
        done = 0
        for start in range(0, len(found), _BATCH):
            for batch in self._batches(found[start : start + _BATCH]):
                done += self._take(batch)
        return done

    def wait(self) -> None:
        """Until something may have come. Raises ConnectionLost or OSError when the server has gone."""
        # News that came with the answer to a search or a mark is not told again while idle.
        if not self._client.announced():
            self._rest()
        if not self._ending.is_set():
            self._client.noop()

    def _rest(self) -> None:
        if not self._can_idle:
            self._ending.wait(self._account.poll_seconds)
        else:
            self._client.idle()
            self._idle()
            self._client.idle_done()

    def _idle(self) -> None:
        """Look at the idle connection until it says something or has been idle long enough."""
        until, instant = self._seconds() + self._account.idle_seconds, 0
        if self._heard(0):
            return
        while not self._ending.is_set() and (left := until - self._seconds()) > 0:
            began = self._seconds()
            span = min(_SLICE, left)
            if self._heard(span):
                return
            # On a dead connection the check returns at once, for ever, and raises nothing.
            instant = instant + 1 if self._seconds() - began < span / 2 else 0
            if instant >= 2:
                raise ConnectionLost("the connection went dead while idle")

    def _heard(self, span: float) -> bool:
        """Whether the server says anything within so many seconds. Raises ConnectionLost when it says good-bye."""
        said = self._client.idle_check(span)
        if any(isinstance(line, tuple) and line[:1] == (b"BYE",) for line in said):
            raise ConnectionLost("the server said good-bye")
        return bool(said)

    def _batches(self, uids: list[int]) -> Iterator[dict[int, int]]:
        """Letters with their sizes, in parts that are not too much to hold at once."""
        answer = self._client.fetch(uids, ["RFC822.SIZE"])
        sizes = {uid: size for uid in uids if (size := answer.get(uid, {}).get(b"RFC822.SIZE")) is not None}
        part: dict[int, int] = {}
        for uid, size in sizes.items():
            if part and sum(part.values()) + size > _BATCH_BYTES:
                yield part
                part = {}
            part[uid] = size
        if part:
            yield part

    def _take(self, sizes: dict[int, int]) -> int:
        """Fetch a batch, store it, and mark what is stored. Raises OSError when nothing of it could be stored."""
        large = {uid for uid, size in sizes.items() if size > self._desk.max_bytes}
        rows = self._rows(sizes.keys() - large, "BODY.PEEK[]", b"BODY[]", sizes)
        rows |= self._rows(large, "BODY.PEEK[HEADER]", b"BODY[HEADER]", sizes)
        safe = store_each(self._put, rows)
        if safe:
            self._stored.update(safe)
            self._mark(safe)
        elif rows:
            raise OSError(f"{len(rows)} letters could not be stored and stay in the mailbox")
        return len(safe)

    def _rows(self, uids: Iterable[int], ask: str, key: bytes, sizes: dict[int, int]) -> dict[int, LetterIn]:
        wanted = sorted(uids)
        answer = self._client.fetch(wanted, [ask, "INTERNALDATE"]) if wanted else {}
        # A letter whose body is missing from the answer is asked for again in the next sweep.
        found = {uid: answer[uid] for uid in wanted if answer.get(uid, {}).get(key) is not None}
        return {uid: self._row(uid, data[key], data.get(b"INTERNALDATE"), sizes[uid]) for uid, data in found.items()}

    def _row(self, uid: int, raw: bytes, dated: Any, size: int) -> LetterIn:
        account = self._account
        transport = f"imap:{account.name}:{self._folder}:{self._validity}:{uid}"
        if size > self._desk.max_bytes:
            raw = left_behind(raw, size)
        return self._desk.row(transport, raw, self._arrived(dated))

    def _arrived(self, dated: Any) -> datetime:
        """When the mail server took the letter: a letter is not late because we were away. Never in the future."""
        now = self._clock.now()
        if not self._account.server_dates or not isinstance(dated, datetime) or dated.tzinfo is None:
            return now
        return min(now, dated.astimezone(now.tzinfo))

    def _mark(self, uids: list[int]) -> None:
        client, folder = self._client, self._account.move_to
        if folder and folder == self._folder:
            return  # it was moved there when it was taken for the first time
        if not folder:
            client.add_flags(uids, [self._account.keyword.encode("ascii")], silent=True)
        elif client.has_capability("MOVE"):
            client.move(uids, folder)
        else:
            client.copy(uids, folder)
            client.delete_messages(uids, silent=True)


_LEAVE_WITHIN = 10.0
_TOLD_AT = 3
"""The refusal in a row at which somebody is told: one by itself may be a token that had just run out."""
_TROUBLE = (OSError, EOFError, ValueError, IMAPClientError)
"""The faults of a mailbox: the network, a broken answer, a refusal. imaplib's own errors are among these."""


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
