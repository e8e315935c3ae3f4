"""Whether our mail servers can be reached: noted when contact is lost and when it is found, so that no crash forgets it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from datetime import datetime, timedelta

import msgspec

from referee.service import notes
from referee.service.failing import log_failure
from referee.service.ports import Clock, Step, Store
from referee.service.remembered import Loss
from referee.service.times import iso

_log = logging.getLogger(__name__)


def losses(step: Step) -> dict[str, Loss]:
    """Our servers that cannot be reached, and those whose return is not settled yet: "mailbox", "relay"."""
    return notes.CONTACT_LOST.every(step)


def note_loss(step: Step, kind: str, loss: Loss | None) -> None:
    """Keep what is known of a server; None when it is reached and all is settled."""
    notes.CONTACT_LOST.of(kind).keep(step, loss)


def last_beat(step: Step) -> datetime | None:
    """When the service was last alive, as far as it noted that."""
    return notes.HEARTBEAT.of().read(step)


def leave_alone(store: Store, now: datetime, used: Collection[str]) -> None:
    """A server that the settings name no more is waited for no more: what it cost until now is given back."""
    with store.look() as step:
        idle = losses(step).keys() - set(used)
    if idle:
        with store.step() as step:
            for kind, loss in losses(step).items():
                if kind in idle:
                    note_loss(step, kind, msgspec.structs.replace(loss, until=loss.until or now))


class Contact:
    """Our contact with a mail server. This one notes nothing: for folders on this machine, and for a clock in a file."""

    @property
    def is_lost(self) -> bool:
        """Whether the server could not be reached when it was last tried."""
        return False

    def made(self) -> None:
        """The server was reached."""

    def lost(self, why: str) -> None:
        """The server could not be reached."""

    def count(self, counts: bool) -> None:
        """Whether deadlines wait for what this machine cannot reach: not while another machine's desk keeps them."""


class NotedContact(Contact):
    """Contact with one server, for one thread. `kind` is "mailbox" or "relay", `server` its name for the keeper.

    A mailbox is looked at all the time, so it is out of reach since it was last reached; a relay since a letter waits.

    What the store does not take now is noted at the next attempt: whoever calls goes on with his own work.
    """

    def __init__(self, store: Store, clock: Clock, kind: str, server: str) -> None:
        self._store = store
        self._clock = clock
        self._kind = kind
        self._server = server
        self._last: datetime | None = None
        self._why: str | None = None
        self._lost: bool | None = None
        self._counts = True

    @property
    def is_lost(self) -> bool:
        """Whether the server could not be reached when it was last tried, be it by a service that has died since."""
        if self._lost is None and not self._counts:
            return False
        if self._lost is None:
            with self._store.look() as step:
                loss = losses(step).get(self._kind)
            self._lost = loss is not None and loss.until is None
        return self._lost

    def count(self, counts: bool) -> None:
        """From now on its contact is noted, or is its own affair; what was noted meanwhile is read anew."""
        self._counts = counts
        self._lost = self._why = None

    def expect(self, least: timedelta) -> None:
        """At the start: not reached since the service was last alive, until `made` is called.

        So no deadline runs before the letters that came meanwhile are read. A silence of the service of `least` or more
        counts by itself: the server is waited for from now on then.
        """
        now = self._clock.now()

        def note(step: Step) -> None:
            beat, loss = last_beat(step), losses(step).get(self._kind)
            alive = beat if beat is not None and timedelta() <= now - beat < least else now
            waits_from = loss.waits_from if loss and alive < now else alive
            first = loss or Loss(self._server, alive, alive)
            note_loss(
                step,
                self._kind,
                msgspec.structs.replace(first, server=self._server, waits_from=waits_from, until=None),
            )

        self._noted(note, True)

    def made(self) -> None:
        """The server was reached; the store is written to only when it had not been."""
        now = self._clock.now()
        self._last = now if self._kind == "mailbox" else None
        if self._lost is False:
            return

        def note(step: Step) -> None:
            loss = losses(step).get(self._kind)
            if loss is not None and loss.until is None:
                note_loss(step, self._kind, msgspec.structs.replace(loss, until=now))
                if loss.why or self._why:  # else it was only not reached yet, since the start
                    _log.warning("%s is reached again; it was not since %s", self._server, iso(loss.since))

        self._noted(note, False)
        self._why = None

    def lost(self, why: str) -> None:
        """The server could not be reached. The store is written to when that is news."""
        if self._lost and self._why == why:
            return
        since = self._last or self._clock.now()

        def note(step: Step) -> None:
            loss = losses(step).get(self._kind) or Loss(self._server, since, since)
            note_loss(step, self._kind, msgspec.structs.replace(loss, server=self._server, why=why, until=None))

        if self._noted(note, True):
            self._why = why

    def _noted(self, note: Callable[[Step], None], lost: bool) -> bool:
        if not self._counts:
            self._lost = lost
            return True
        try:
            with self._store.step() as step:
                note(step)
        except Exception as problem:
            # Letters must be read and sent whatever keeps this from being written; a store raises what its driver does.
            log_failure(_log, problem, "contact with %s could not be noted", self._server)
            return False
        self._lost = lost
        return True
