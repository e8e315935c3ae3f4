"""One connection to a mailbox: take what is there, then wait for more. Any trouble ends it; the next one starts anew.

Letters are told apart by a keyword of our own or by the folder they lie in, never by \\Seen, which people change by
looking. They are marked after they are stored: a crash in between means reading them again, and the inbox knows them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from referee.adapters.incoming.arrival import Desk, Put, left_behind, store_each
from referee.adapters.incoming.imap_account import Account, Connection
from referee.service.base.ports import Clock, LetterIn

_BATCH = 100
_BATCH_BYTES = 16 * 1024 * 1024
_SLICE = 0.5
"""Seconds one look at an idle connection lasts, so that the end of the service is not held up."""


class ConnectionLost(ConnectionError):
    """The server has gone, though the connection does not say so."""


class Session:
    """A mailbox that is open. `put` stores letters; `seconds` is a steady clock for waits.

    What came since `again` is read in any case, marked or moved by whom it may be: whoever marked it may have lost it.
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
