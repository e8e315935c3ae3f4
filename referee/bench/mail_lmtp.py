"""P1b: letters handed on by a mail server over LMTP and made durable, next to an aiosmtpd LMTP that forgets them.

The receiver, its spool and the store as the service has them, each recipient's token looked up; the desk is closed.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aiosmtpd.lmtp import LMTP

from referee.adapters.clock import SystemClock
from referee.adapters.smtp_in import Listening, Receiver, Verdict
from referee.adapters.spool import Spool
from referee.bench.forgetful import forgetful
from referee.bench.house import begun, house, house_copied, writers
from referee.bench.mail_load import Loaded, Parcel
from referee.bench.measure import Pair, Sample, Size
from referee.bench.sheets import letter, order_lines
from referee.mail import parse_recipient, token_digest
from referee.service.office import Office

__all__ = ["letters_by_lmtp", "parcels"]


def parcels(office: Office, size: Size) -> list[Parcel]:
    """Letters of about 2 KB to all seats of several matches, each with forty order lines and a Message-ID of its own."""
    people = [writer for number in range(size.matches) for writer in writers(office, f"m{number}")]
    chosen = [people[number % len(people)] for number in range(size.letters)]
    return [(w.address, w.recipient, letter(w, n, order_lines(w.others, n))) for n, w in enumerate(chosen)]


@contextmanager
def letters_by_lmtp(folder: Path, size: Size) -> Iterator[Pair]:
    """From the first LHLO answered to 250 for every letter."""
    template, file = folder / "lmtp.sqlite", folder / "letters"
    with house(template) as office:
        begun(office, size.matches)
        file.write_bytes(pickle.dumps(parcels(office, size)))

    def own() -> Sample:
        with house_copied(template, folder) as office:
            return _durable(office, file, size)

    yield Pair(own, lambda: _forgotten(file, size))


def _durable(office: Office, file: Path, size: Size) -> Sample:
    spool = Spool(office.store)
    listening = Listening(port=0, protocol="lmtp")
    receiver = Receiver(spool, lambda recipient: _accepts(office, recipient), SystemClock(), listening)
    spool.start()
    try:
        seconds, cpu = _loaded(receiver.start(), file, size)
    finally:
        receiver.stop()
        spool.stop()
    with office.store.look() as step:
        missing = size.letters - len(step.new_letters(1_000_000))
    return Sample(size.letters / seconds, cpu, missing, f"{missing} of {size.letters} letters missing")


def _accepts(office: Office, recipient: str) -> Verdict:
    """As the service judges reply addresses: a token must be one that was given out."""
    route = parse_recipient(recipient, office.address)
    if route is None or route.token is None:
        return "unknown"
    with office.store.look() as step:
        return "yes" if step.token(token_digest(route.token)) else "unknown"


def _loaded(port: int, file: Path, size: Size) -> tuple[float, float]:
    """Seconds for all letters, and microseconds of this process's processor time for one."""
    generator = Loaded(port, size.connections, file)
    cpu = time.process_time()
    seconds = generator.go()
    return seconds, (time.process_time() - cpu) / size.letters * 1e6


def _forgotten(file: Path, size: Size) -> Sample:
    """Stock aiosmtpd in a thread of its own."""
    with forgetful(LMTP) as port:
        seconds, cpu = _loaded(port, file, size)
    return Sample(size.letters / seconds, cpu)
