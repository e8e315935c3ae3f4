"""P1b: letters handed on by a mail server over LMTP and made durable, next to an aiosmtpd LMTP that forgets them.

The receiver, its spool and the store as the service has them, each recipient's token looked up; the desk is closed.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from aiosmtpd.lmtp import LMTP

from referee.adapters.clock_and_secrets import SystemClock
from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.smtp_in import Listening, Receiver
from referee.bootstrap.mail_ways import accepts
from referee.service.base.office import Office
from tests.bench.forgetful import forgetful
from tests.bench.house import begun, house, house_copied
from tests.bench.mail_load import Loaded
from tests.bench.measure import Pair, Sample, Size
from tests.bench.sheets import parcels


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
    receiver = Receiver(spool, partial(accepts, office), SystemClock(), listening)
    spool.start()
    try:
        seconds, cpu = _loaded(receiver.start(), file, size)
    finally:
        receiver.stop()
        spool.stop()
    with office.store.look() as step:
        missing = size.letters - len(step.letters("new", 1_000_000))
    return Sample(size.letters / seconds, cpu, missing, f"{missing} of {size.letters} letters missing")


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
