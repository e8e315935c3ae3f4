"""P1: letters taken over SMTP, made durable, read, bound and answered, next to an aiosmtpd that does nothing.

As the service does it: the receiver and its spool in this process, the desk in one of its own, the machine's clock.

P1a is the first half by itself: taken and durable, as long as nobody at the desk handles them. P1c goes on until every
receipt, written out by the postman, lies durably in its reader's Maildir.
"""

from __future__ import annotations

import pickle
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from aiosmtpd.smtp import SMTP
from sqlalchemy import text

from referee import config as sections
from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.smtp_in import Listening, Receiver
from referee.adapters.outgoing.postman import MaildirSender, Postman
from referee.adapters.processes.child import Worker
from referee.bootstrap.mail_ways import accepts
from referee.bootstrap.offices import mailbag, opened
from referee.config import Config, Database, Identity
from referee.service.base.office import Office
from referee.service.post.tray import written
from tests.bench.databases import address_of, copied, thrown_away
from tests.bench.desks import Desks
from tests.bench.forgetful import forgetful
from tests.bench.generator import Generator
from tests.bench.house import ADDRESS, begun, copy_of, house, put, writers
from tests.bench.measure import Pair, Sample, Size
from tests.bench.sheets import letter, order_lines, parcels

_PATIENCE = 120.0


def durable_ingest(desks: int) -> Callable[[Path, Size], AbstractContextManager[Pair]]:
    """From the first byte to 250 and a receipt in the outbox for every letter, with so many desks."""
    return lambda folder, size: _prepared(folder, size, _whole, desks)


def receipts_delivered(folder: Path, size: Size) -> AbstractContextManager[Pair]:
    """From the first byte to 250 and a receipt in the Maildir of its reader for every letter."""
    return _prepared(folder, size, _delivered)


def durable_reception(folder: Path, size: Size) -> AbstractContextManager[Pair]:
    """From the first byte to 250 for every letter; the desk is closed."""
    return _prepared(folder, size, _received)


_Measured = Callable[[Config, Office, Path, Size], Sample]


@contextmanager
def _prepared(folder: Path, size: Size, take: _Measured, desks: int = 1) -> Iterator[Pair]:
    """Several matches, several seats in each; every seat sends a few letters, as in the last hour before a deadline."""
    template, burst = folder / "ingest.sqlite", folder / "letters"
    with house(template, datetime.now(UTC)) as office:
        begun(office, size.matches)
        people = [writer for number in range(size.matches) for writer in writers(office, f"m{number}")]
        for number in range(_earlier(size)):
            writer = people[-1 - number % len(people)]
            raw = letter(writer, size.letters + number, order_lines(writer.others, size.letters + number))
            put(office, f"earlier:{number}", writer, raw)
        burst.write_bytes(pickle.dumps(parcels(office, size)))

    def own() -> Sample:
        with opened_copy(template, folder, desks) as (config, office):
            return take(config, office, burst, size)

    yield Pair(own, lambda: _bare(burst, size))


def _earlier(size: Size) -> int:
    """How many letters the desk has handled before the clock runs: a service that takes mail was not started just now."""
    return size.matches


@contextmanager
def opened_copy(template: Path, folder: Path, desks: int = 1) -> Iterator[tuple[Config, Office]]:
    """The settings of a service over a copy of a database, and its office; the copy is thrown away afterwards."""
    path = copy_of(template, folder)
    copied(template, path)
    identity = Identity(address=ADDRESS, data=str(folder))
    config = Config(referee=identity, database=Database(url=address_of(path)), desk=sections.Desks(processes=desks))
    try:
        with opened(config) as office:
            yield config, office
    finally:
        thrown_away(path)


def _bare(burst: Path, size: Size) -> Sample:
    """Stock aiosmtpd in a thread of its own."""
    with forgetful(SMTP) as port:
        generator = Generator(port, size.connections, burst)
        cpu = time.process_time()
        began = generator.go()
        seconds, cpu = time.monotonic() - began, time.process_time() - cpu
    return Sample(size.letters / seconds, cpu / size.letters * 1e6)


class _Counted:
    """Counts until there are enough."""

    def __init__(self) -> None:
        self._count = 0
        self._changed = threading.Condition()

    def are(self, number: int) -> None:
        """So many in all, from any thread."""
        self.more(number - self._count)

    def more(self, number: int) -> None:
        """So many more, from any thread."""
        with self._changed:
            self._count += number
            self._changed.notify_all()

    def until(self, wanted: int) -> None:
        """Wait for so many in all. Raises RuntimeError when they do not come."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._count >= wanted, _PATIENCE):
                raise RuntimeError(f"{self._count} of {wanted} letters came to their end")


class _Clocked(NamedTuple):
    """A burst of letters: seconds until all had their 250, and until all was over; processor time a letter in µs."""

    acknowledged: float
    seconds: float
    cpu_us: float


def _clocked(config: Config, office: Office, burst: Path, size: Size, desks: Desks, over: _Counted) -> _Clocked:
    """Start the desks, let them handle the letters that came earlier, and send the burst; `over` counts to its end."""
    earlier = _earlier(size)
    desks.start()
    try:
        desks.wake()
        over.until(earlier)
        with receiving(config, office, desks.letters_came) as port:
            generator = Generator(port, size.connections, burst)
            cpu = time.process_time() + desks.cpu
            began = generator.go()
            acknowledged = time.monotonic() - began
            over.until(earlier + size.letters)
            seconds, cpu = time.monotonic() - began, time.process_time() + desks.cpu - cpu
    finally:
        desks.stop()
    return _Clocked(acknowledged, seconds, cpu / size.letters * 1e6)


def _whole(config: Config, office: Office, burst: Path, size: Size) -> Sample:
    """The referee's receiver, spool, store and desk, until every letter has its 250 and its receipt in the outbox."""
    handled, before = _Counted(), _answers(office)
    desks = Desks(config, lambda: handled.are(_answers(office) - before))  # what desks have done are alarms too
    took = _clocked(config, office, burst, size, desks, handled)
    missing = _earlier(size) + size.letters - _receipts(office)
    share = f"250 for all after {took.acknowledged / took.seconds:.0%} of the time"
    note = f"{share}; {missing} of {size.letters} receipts missing"
    return Sample(size.letters / took.seconds, took.cpu_us, missing, note)


def _delivered(config: Config, office: Office, burst: Path, size: Size) -> Sample:
    """The whole service: receiver and postman in this process, the desk in its own."""
    sender, tried = MaildirSender(config.mail_folder), _Counted()
    postman = Postman(office.store, [sender], office.clock, office.secrets, write=partial(written, office))
    while postman.deliver():  # what was posted while the matches began
        pass

    def deliver() -> int:
        count = postman.deliver()
        tried.more(count)
        return count

    post = Worker("postman", deliver, 1.0)
    post.start()
    try:
        took = _clocked(config, office, burst, size, Desks(config, post.wake), tried)
    finally:
        post.stop()
    with office.store.look() as step:
        left = sum(letter.status != "sent" for row in step.matches() for letter in step.outgoing(row.name))
    shutil.rmtree(sender.folder)
    return Sample(size.letters / took.seconds, took.cpu_us, left, f"{left} letters not delivered")


def _received(config: Config, office: Office, burst: Path, size: Size) -> Sample:
    """The referee's receiver, spool and store alone."""
    with receiving(config, office, lambda: None) as port:
        generator = Generator(port, size.connections, burst)
        cpu = time.process_time()
        began = generator.go()
        seconds, cpu = time.monotonic() - began, time.process_time() - cpu
    _emptied(config, office)
    with office.store.look() as step:
        missing = size.letters + _earlier(size) - len(step.letters("new", 1_000_000))
    return Sample(
        size.letters / seconds, cpu / size.letters * 1e6, missing, f"{missing} of {size.letters} letters missing"
    )


def _emptied(config: Config, office: Office) -> None:
    """The mailbag emptied into the store, to be counted there."""
    bag = mailbag(config)
    if bag is not None:
        bag.empty_into(office.store)
        bag.close()


@contextmanager
def receiving(config: Config, office: Office, arrived: Callable[[], None]) -> Iterator[int]:
    """The receiver and its spool at work; the port."""
    bag = mailbag(config)
    spool = Spool(bag or office.store, arrived)
    receiver = Receiver(spool, partial(accepts, office), office.clock, Listening(port=0))
    spool.start()
    try:
        yield receiver.start()
    finally:
        receiver.stop()
        spool.stop()
        if bag is not None:
            bag.close()


def _answers(office: Office) -> int:
    """How many receipts were queued."""
    with office.store.engine.connect() as db:
        return db.execute(text("SELECT count(*) FROM letter_out WHERE kind = 'receipt'")).scalar() or 0


def _receipts(office: Office) -> int:
    """Letters handled whose receipt, written out as its postman does, says that every line stands."""
    with office.store.look() as step:
        done = len(step.letters("done", 1_000_000))
        queued = [letter for row in step.matches() for letter in step.outgoing(row.name) if letter.kind == "receipt"]
    letters = [written(office, letter).raw for letter in queued]
    stand = (b"INCOMPLETE" not in raw and (b"COMPLETE" in raw or b"LOOK AGAIN" in raw) for raw in letters)
    return min(done, sum(stand))
