"""P14: letters taken out of a mailbox of a real Dovecot, made durable and marked, next to a bare fetch of the same mailbox."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.adapters.clock_and_secrets import SystemClock
from referee.adapters.incoming.imap import Account, Session, connect, take_leave
from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.maildir import Desk
from referee.adapters.store.store import Store
from tests.bench.databases import address_of, thrown_away
from tests.bench.house import ADDRESS, begun, house
from tests.bench.mail_server import PASSWORD, PROGRAMS, Dovecot, lacking, running
from tests.bench.measure import Pair, Sample, Size, timed
from tests.bench.sheets import parcels

_USER = "referee"
_BATCH = 100


def no_dovecot() -> str:
    """Why there can be no mailbox here, "" when there can be one."""
    return lacking(*PROGRAMS)


@contextmanager
def letters_from_mailbox(folder: Path, size: Size) -> Iterator[Pair]:
    """From the connection to the mark on the last letter; each letter is committed before it is marked."""
    with house(folder / "imap.sqlite") as office:
        begun(office, size.matches)
        letters = [raw for _, _, raw in parcels(office, size)]
    with running(_USER) as dovecot:
        _fill(dovecot, letters)
        yield Pair(lambda: _taken(dovecot, folder, size), lambda: _fetched(dovecot, size))


def _fill(dovecot: Dovecot, letters: list[bytes]) -> None:
    with dovecot.client(_USER) as client:
        for start in range(0, len(letters), _BATCH):
            client.multiappend("INBOX", letters[start : start + _BATCH])


def _taken(dovecot: Dovecot, folder: Path, size: Size) -> Sample:
    """What the mailbox reader does in one visit, into a fresh database."""
    account = Account("127.0.0.1", dovecot.imap, "none", _USER, PASSWORD)
    path = folder / "taken.sqlite"
    store = Store(address_of(path))
    spool = Spool(store)
    spool.start()
    try:
        with timed() as watch:
            client = connect(account)
            session = Session(client, account, Desk(ADDRESS), SystemClock(), spool.put, threading.Event())
            session.sweep()
            take_leave(client)
        with store.look() as step:
            missing = size.letters - len(step.letters("new", 1_000_000))
    finally:
        spool.stop()
        store.close()
        thrown_away(path)
    unmarked = _unmark(dovecot, account.keyword)
    return watch.rate(
        size.letters, missing + unmarked, f"{missing} of {size.letters} letters missing, {unmarked} unmarked"
    )


def _unmark(dovecot: Dovecot, keyword: str) -> int:
    """Take every mark off again; how many letters bore none."""
    with dovecot.client(_USER) as client:
        client.select_folder("INBOX")
        unmarked = len(client.search(["UNKEYWORD", keyword]))
        client.remove_flags(client.search(), [keyword.encode()], silent=True)
    return unmarked


def _fetched(dovecot: Dovecot, size: Size) -> Sample:
    """IMAPClient alone: search, and fetch by a hundred, nothing kept and nothing marked."""
    with timed() as watch, dovecot.client(_USER) as client:
        client.select_folder("INBOX")
        found = client.search(["UNDELETED"])
        for start in range(0, len(found), _BATCH):
            client.fetch(found[start : start + _BATCH], ["BODY.PEEK[]"])
    return watch.rate(size.letters)
