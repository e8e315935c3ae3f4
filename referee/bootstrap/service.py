"""The running service: what its threads and its desk's process are, and how they start and end."""

from __future__ import annotations

import errno
import logging
import os
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from referee.adapters.beacon.drand import verifier
from referee.adapters.files import Unusable
from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.maildir import WayIn
from referee.adapters.incoming.smtp_in import Receiver, Verdict
from referee.adapters.outgoing.postman import Patience, Postman
from referee.adapters.pages.archive_folder import Site
from referee.adapters.pages.render import engine_folder
from referee.adapters.processes.child import Child, Worker
from referee.adapters.processes.supervisor import Wakeup, at_hand
from referee.adapters.store.database import named
from referee.adapters.store.guard import at_desk
from referee.bootstrap.backups_and_moves import Nights
from referee.bootstrap.data_folder import enter
from referee.bootstrap.health import health_of, memory_of, open_window, window_of
from referee.bootstrap.mail_ways import (
    accepts,
    contacts,
    imap_account,
    listening_of,
    publish,
    publish_heads,
    publish_home,
    senders,
    ways_in,
)
from referee.bootstrap.offices import bell_of, mailbag, office_of, room_of, store_of, take_up
from referee.config import Config
from referee.service.base import notes
from referee.service.base.ports import LetterOut
from referee.service.house.match_pages import Forming, all_forming
from referee.service.intake.health import Health, Part
from referee.service.intake.undelivered import report_undelivered
from referee.service.match.suspension import Contact, leave_alone
from referee.service.post.refusals import report_closed_mailbox
from referee.service.post.tray import written

_log = logging.getLogger(__name__)
_AS_LONG = 10
"""A desk that waits inside a letter, and does not compute, is given so many times the seconds that a letter may compute."""

_TURN = 10.0
"""Seconds that the receiver may be at one thing: it looks up addresses, and reads letters of many megabytes."""

_NO_PORT = {
    errno.EADDRINUSE: "another program listens there (ss -ltnp names it). End it, or name a free port with [receive] port",
    errno.EADDRNOTAVAIL: "this machine has no such address. Name one of its own with [receive] host",
    errno.EACCES: "ports below 1024 need a right, which the unit of referee setup --unit gives. Or name one from 1024 up",
}

_MANY = 200
"""So many matches are published at most before the pages of the house tell of them."""


@dataclass(frozen=True)
class _Parts:
    """Everything that runs while the service is up, in the order in which it starts."""

    spool: Spool
    ways: tuple[WayIn, ...]
    receiver: Receiver
    post: Worker
    archive: Worker
    backups: Worker
    wakeup: Wakeup


class Service:
    """The running service: receiver, postman and archive in threads of this process, the desk in one of its own.

    Raises Unusable where folder or database cannot be used, or another service works on them, and for a beacon that cannot be
    asked: it is the desk that asks, in its own process.

    `branches`: the desk's process is forked from this one, which must have nothing open and run no threads then.
    """

    def __init__(self, config: Config, branches: bool = False) -> None:
        if config.chance.beacon != "letters":
            verifier(config.chance)
        self._desks = tuple(
            Child("referee.desk_process", (config, number), partial(self._heard, number))
            for number in range(config.desk.processes)
        )
        for desk in self._desks if branches else ():
            desk.branch_off()
        with ExitStack() as opened:  # closed again where something that comes later cannot be used
            self._lock = enter(config)
            if self._lock is not None:
                opened.callback(self._lock.close)
            self._config = config
            self._store = store_of(config, named("post"), steady=False, upgrades=True)
            opened.callback(self._store.close)
            self._bag = mailbag(config)
            if self._bag is not None:
                opened.callback(self._bag.close)
            self._changed: queue.SimpleQueue[str] = queue.SimpleQueue()
            self._unpublished: dict[str, None] = {}
            self._published: set[str] = set()
            self._seats: tuple[Forming, ...] | None = None
            self._laying = threading.Lock()
            self._torn: set[int] = set()
            self._looked = dict.fromkeys(range(config.desk.processes), time.monotonic())
            self.office = office_of(config, self._store, self._changed.put)
            take_up(config, self.office)
            self._site = Site(config.archive_folder, config.archive_is_public)
            self._bell = bell_of(config, self._heard_elsewhere, self._publish_all)
            self._contacts = contacts(config, self._store, self.office.clock)
            self._nights = Nights(config, self._store)
            self._parts = self._assemble()
            self._window = window_of(config, self.health)
            opened.pop_all()

    def _assemble(self) -> _Parts:
        config, office, rest = self._config, self.office, self._config.clock.scan_seconds
        patience = Patience(
            timedelta(minutes=config.send.retry_first_minutes),
            timedelta(hours=config.send.retry_longest_hours),
            timedelta(days=config.send.give_up_days),
        )
        postman = Postman(
            self._store,
            senders(config, self._store),
            office.clock,
            office.secrets,
            patience,
            self._gave_up,
            contact=self._contacts.get("relay"),
            write=self._written,
            alone=self._lock
            is not None,  # the system gives the lock when the last thread of the service before is gone
        )
        post = Worker("postman", postman.deliver, rest)
        archive = Worker("archivist", self._archive_one, rest, in_no_hurry=True)
        spool = Spool(self._bag or self._store, self._letters_came, room=room_of(config))
        receiver = Receiver(spool, self._accepts, office.clock, listening_of(config))
        mailbox = self._contacts.get("mailbox", Contact())
        ways = ways_in(config, office.clock, spool.put, self._not_let_in, mailbox, self._store)
        backups = Worker("backups", self._nights.look, rest)
        return _Parts(spool, ways, receiver, post, archive, backups, Wakeup(self._tend_desk, rest))

    def start(self) -> int:
        """Begin; returns the port letters are taken on. Raises Unusable when it, or that for monitors, is taken."""
        parts = self._parts
        if self._window is not None:
            open_window(self._config, self._window)
        self._await_contact()
        for desk in self._desks:
            desk.start()
        parts.spool.start()
        for worker in (parts.post, parts.archive, parts.backups):
            worker.start()
        for way in parts.ways:
            way.start()
        if self._bell is not None:
            self._bell.start()
        port = self._listen()
        parts.wakeup.start()
        return port

    def _listen(self) -> int:
        receive = self._config.receive
        if self._config.port is None:
            return 0
        try:
            return self._parts.receiver.start()
        except OSError as error:
            # Since Python 3.13 an address that the machine does not have gives an error without a number.
            said = _NO_PORT.get(
                error.errno or errno.EADDRNOTAVAIL,
                f"{error.strerror}. Name an address of this machine with [receive] host",
            )
            raise Unusable(f"Port {self._config.port} on {receive.host} cannot be used: {said}.") from error

    def alive(self) -> bool:
        """Whether letters can come in: no session waits for a loop that hangs. Desks that hang are ended without this."""
        return self._parts.receiver.answers(_TURN)

    def stop(self) -> None:
        """End what is under way and let go of everything."""
        parts = self._parts
        if self._window is not None:
            self._window.stop()
        parts.wakeup.stop()
        parts.receiver.stop()
        for way in parts.ways:
            way.stop()
        parts.spool.stop()
        for desk in self._desks:
            desk.leave()  # all of them, before one is waited for
        for desk in self._desks:
            desk.stop()
        for worker in (parts.post, parts.archive, parts.backups):
            worker.stop()
        if self._bell is not None:
            self._bell.stop()
        if self._bag is not None:
            self._bag.close()
        self._store.close()
        if self._lock is not None:
            self._lock.close()

    def health(self) -> Health:
        """How all is now."""
        return health_of(
            self._config, self._store, self.office.clock, self._bag, tuple(self._each_part()), bool(self._torn)
        )

    def _each_part(self) -> Iterator[Part]:
        yield Part("service", memory=memory_of(os.getpid()))
        yield Part("receiver", self._parts.receiver.runs)
        for name, worker in (("postman", self._parts.post), ("archivist", self._parts.archive)):
            yield Part(name, worker.runs, worker.idle)
        yield Part("backups", self._parts.backups.runs)  # one may take long
        for number, desk in enumerate(self._desks):
            idle = time.monotonic() - self._looked[number]
            yield Part(f"desk {number + 1}", bool(desk.pid), idle, memory_of(desk.pid))

    def _tend_desk(self) -> None:
        """Ring the desks; one that has been at a letter for very long, whether it computes or not, is ended first."""
        for desk, at in zip(self._desks, map(at_hand, self._config.hand_files), strict=True):
            if at is not None and at.seconds > _AS_LONG * self._config.limits.letter_seconds:
                _log.error("the desk is ended: it has had letter %d in hand for %d seconds", at.letter, at.seconds)
                desk.end(at.process)
            desk.wake()

    def _letters_came(self) -> None:
        """Ring who takes letters out of the mailbag; without one, every desk."""
        for desk in self._desks[:1] if self._bag is not None else self._desks:
            desk.wake()

    def _count_contacts(self, counts: bool) -> None:
        for contact in self._contacts.values():
            contact.count(counts)

    def _await_contact(self) -> None:
        """No deadline runs before the letters in the mailbox are read; what the settings name no more is forgotten.

        A machine that will stand by at first leaves both to the one whose desk is at work; it reads the mailbox as well.
        """
        if self._store.engine.dialect.name == "postgresql" and at_desk(self._store.engine):
            self._count_contacts(False)
            return
        leave_alone(self._store, self.office.clock.now(), self._contacts.keys())
        if "mailbox" in self._contacts:
            self._contacts["mailbox"].expect(self.office.downtime.least)

    def _not_let_in(self, reason: str) -> None:
        report_closed_mailbox(self.office, imap_account(self._config).name, reason)

    def _gave_up(self, letter: LetterOut, reason: str) -> None:
        report_undelivered(self.office, letter, reason)

    def _accepts(self, recipient: str) -> Verdict:
        """No letter is taken for a database that is damaged: who sends it keeps it."""
        return "later" if self._torn else accepts(self.office, recipient)

    def _heard(self, number: int, line: str) -> None:
        """The messages of a desk: which match changed, when there may be letters to send, and that the database is torn."""
        word, _, match = line.partition(" ")
        if word == "looks":
            self._looked[number] = time.monotonic()
            return
        if word == "torn":
            self._torn.add(number)
            return
        self._torn.discard(number)
        if word == "ran":
            self._publish(match)
            if self._bell is not None:
                self._bell.ring(match)
        elif word == "came":
            self._wake_others(number)
        elif word == "helps" and number == 0:  # the desk of another machine on the same database keeps house
            self._count_contacts(False)
            self._nights.keeps_house = False
        elif word == "open":
            self._nights.keeps_house = True
            self._count_contacts(True)
            self._publish_all()  # only now: thousands of pages would keep the desk from opening
        else:
            self._parts.post.wake()
            self._wake_others(number)  # what was left to this one may be free

    def _wake_others(self, number: int) -> None:
        for desk in (*self._desks[:number], *self._desks[number + 1 :]):
            desk.wake()

    def _heard_elsewhere(self, match: str) -> None:
        """The message of another machine on the same database: which match ran on; "" when letters came."""
        if match:
            self._publish(match)
        else:
            self._letters_came()

    def _publish(self, *matches: str) -> None:
        for match in matches:
            self._changed.put(match)
        self._parts.archive.wake()

    def _publish_all(self) -> None:
        with self._store.look() as step:
            self._publish(*(row.name for row in step.matches() if row.status != "forming"))

    def _written(self, letter: LetterOut) -> LetterOut:
        """A letter with its bytes. The heads that a witness's answer tells lie beside the pages before it leaves."""
        if letter.kind == "witness":
            self._lay_heads()
        return written(self.office, letter)

    def _lay_heads(self) -> None:
        with self._laying:  # else older heads could take the place of newer ones
            publish_heads(self.office, self._site)

    def _hear_commands(self) -> None:
        """Take up what commands at the machine changed. It is forgotten before it is laid: whatever comes later is told anew."""
        slip = notes.COMMANDED.of()
        with self._store.look() as step:
            if slip.read(step) is None:
                return
        with self._store.step() as step:
            changed = slip.read(step) or ()
            slip.forget(step)
        for match in changed:
            self._changed.put(match)
            if self._bell is not None:
                self._bell.ring(match)

    def _archive_one(self) -> int:
        """Write the pages of one match that changed, so that a service that ends need not wait for all of them.

        Those of the house are written when none is left, or many have changed: they tell of all matches.
        """
        self._lay_heads()
        self._hear_commands()
        while not self._changed.empty():
            self._unpublished[self._changed.get_nowait()] = None
        if self._published and (not self._unpublished or len(self._published) >= _MANY):
            publish_home(self.office, self._site, self._published)
            self._site.lay_engine(engine_folder())
            self._published.clear()
            return 1
        if not self._unpublished:
            # Matches that wait for players change without events.
            with self.office.look() as at:
                seats = all_forming(at)
            if seats == self._seats:
                return 0
            publish_home(self.office, self._site, ())
            self._seats = seats
            return 1
        name = next(iter(self._unpublished))
        del self._unpublished[name]
        publish(self.office, self._site, name)
        self._published.add(name)
        return 1
