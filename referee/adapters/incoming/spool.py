"""Letters received and not yet in the database, and how much room there is for them."""

from __future__ import annotations

import logging
import queue
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from referee.service.base.office import log_failure
from referee.service.base.ports import LetterIn, NotNow

# ---------------------------------------------------------------- room on the disk
# Letters are put off before it is full, so that the desk can still work and the keeper still log in.


_LOOK_AGAIN = 1.0


class NoRoom(OSError):
    """There is less free on the disk than is to be kept free: letters are to be sent again later."""


class Room:
    """Whether more is free under a folder than `reserve` bytes; looked at once a second at most, by any thread."""

    def __init__(self, folder: Path, reserve: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.reserve = reserve
        self._folder = folder
        self._clock = clock
        self._again = float("-inf")
        self._enough = True

    def __call__(self) -> bool:
        now = self._clock()
        if now >= self._again:
            self._enough = not self.reserve or shutil.disk_usage(self._folder).free >= self.reserve
            self._again = now + _LOOK_AGAIN
        return self._enough


_log = logging.getLogger(__name__)
_PAUSE = 0.0005
"""Seconds worth waiting for one more letter when many connections are busy: it saves far more by sharing a commit."""

_Parcel = tuple[tuple[LetterIn, ...], "Future[None]"]


class Inbox(Protocol):
    """Where letters are put inside a step."""

    def receive(self, letters: Sequence[LetterIn]) -> Any:
        """Put letters in."""
        ...


class Inlet(Protocol):
    """A store or a mailbag: what is put in during a step is durable when it ends."""

    def step(self) -> AbstractContextManager[Inbox]:
        """All of it, or nothing on an exception."""
        ...


class Spool:
    """Takes letters and says when they are safe. `arrived` is called after each commit, in the spool's thread.

    While there is no `room`, nothing is taken.
    """

    def __init__(
        self,
        store: Inlet,
        arrived: Callable[[], None] = lambda: None,
        most: int = 200,
        room: Callable[[], bool] = lambda: True,
    ) -> None:
        self.room = room
        self._store = store
        self._arrived = arrived
        self._most = most
        self._usual = 1
        self._waiting: queue.SimpleQueue[_Parcel | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="spool", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def stop(self) -> None:
        """Write what has been put so far and end."""
        self._waiting.put(None)
        if self._thread.is_alive():
            self._thread.join()

    def put(self, letters: Sequence[LetterIn]) -> Future[None]:
        """Store these letters together; done when they are durable, failed when none of them was stored."""
        stored: Future[None] = Future()
        if not self.room():
            stored.set_exception(NoRoom("the disk is nearly full"))
            return stored
        self._waiting.put((tuple(letters), stored))
        return stored

    def _run(self) -> None:
        more = True
        while more:
            parcels, more = self._take()
            if parcels:
                self._store_all(parcels)

    def _take(self) -> tuple[list[_Parcel], bool]:
        """Wait for a parcel and take with it whatever else is waiting; False when the end was asked for."""
        parcels: list[_Parcel] = []
        try:
            parcel = self._waiting.get()
            while parcel is not None:
                parcels.append(parcel)
                if len(parcels) >= self._most:
                    return parcels, True
                parcel = self._next(len(parcels))
        except queue.Empty:
            self._usual = len(parcels)
            return parcels, True
        return parcels, False

    def _next(self, taken: int) -> _Parcel | None:
        """The next parcel. Raises Empty; not at once while fewer have come than last time."""
        return self._waiting.get(timeout=_PAUSE) if taken < self._usual else self._waiting.get_nowait()

    def _store_all(self, parcels: list[_Parcel]) -> None:
        error = self._try([letter for letters, _ in parcels for letter in letters])
        if error is not None and len(parcels) > 1 and not isinstance(error, NotNow):
            # One letter that the database will not take must not hold up the others.
            for parcel in parcels:
                self._store_all([parcel])
            return
        for _, stored in parcels:
            _settle(stored, error)
        if error is None:
            self._tell()

    def _try(self, letters: list[LetterIn]) -> Exception | None:
        try:
            with self._store.step() as step:
                step.receive(letters)
        except Exception as error:
            # Whatever went wrong (full disk, locked database), the sender must hear it and the thread must live.
            log_failure(_log, error, "%d letters were not stored", len(letters))
            return error
        return None

    def _tell(self) -> None:
        try:
            self._arrived()
        except Exception:
            # The letters are safe; whoever was to be told looks again by himself sooner or later.
            _log.exception("nobody could be told that letters arrived")


def _settle(stored: Future[None], error: Exception | None) -> None:
    if not stored.set_running_or_notify_cancel():
        return
    if error is None:
        stored.set_result(None)
    else:
        stored.set_exception(error)
