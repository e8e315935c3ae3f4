"""The mailbox reader against a real Dovecot: nothing lost, nothing twice, whatever happens to the connection."""

from __future__ import annotations

import os
import signal
import smtplib
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.adapters.clock_and_secrets import SystemClock
from referee.adapters.incoming.imap import Account, ImapReader, Reconnecting, Session, connect, take_leave
from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.maildir import Desk, Put
from referee.adapters.store.store import Store
from referee.service.base.ports import LetterIn
from tests.real.dovecot import PASSWORD, Dovecot
from tests.real.machine import eventually
from tests.service.conftest import begin
from tests.world import ADDRESS, World

DESK = Desk(ADDRESS, max_bytes=20_000)
AT_ONCE = Reconnecting(0.05, 0.2)


def letter(name: str = "1", size: int = 0) -> bytes:
    """A letter with a Message-ID of this name."""
    head = f"From: Anna <anna@example.org>\r\nTo: {ADDRESS}\r\nSubject: {name}\r\nMessage-ID: <{name}@x>\r\n\r\n"
    return head.encode() + b"HOLD \xe4\r\n" + b"x" * size


class Inbox:
    """A store with a spool, and what came into it."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(f"sqlite:///{folder / 'referee.sqlite'}")
        self.spool = Spool(self.store)
        self.spool.start()

    @property
    def rows(self) -> list[LetterIn]:
        with self.store.look() as look:
            return look.letters("new", 1000)

    @property
    def bodies(self) -> list[bytes]:
        return [row.raw for row in self.rows]

    def close(self) -> None:
        self.spool.stop()
        self.store.close()


@pytest.fixture
def inbox(tmp_path: Path) -> Iterator[Inbox]:
    opened = Inbox(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def account(mailserver: Dovecot, user: str) -> Account:
    return Account("localhost", mailserver.imaps, "tls", user, PASSWORD, ca_file=str(mailserver.ca), timeout_seconds=10)


@contextmanager
def reading(account: Account, put: Put, desk: Desk = DESK) -> Iterator[ImapReader]:
    reader = ImapReader(account, desk, SystemClock(), put, AT_ONCE, chance=lambda: 0.0)
    reader.start()
    try:
        yield reader
    finally:
        reader.stop()


def read_all(account: Account, inbox: Inbox, count: int) -> None:
    """Read until so many letters have come and nothing in the mailbox is unmarked."""
    with reading(account, inbox.spool.put):
        eventually(f"{count} letters", lambda: len(inbox.rows) >= count)
    # Marked before it ended: stopping finishes the batch under way.
    assert len(inbox.rows) == count


def unmarked(mailserver: Dovecot, account: Account) -> list[int]:
    with mailserver.client(account.user) as client:
        client.select_folder("INBOX", readonly=True)
        found: list[int] = client.search(["UNKEYWORD", account.keyword])
    return found


def is_idle(mailserver: Dovecot, user: str) -> bool:
    """Whether the connections of this user are idle."""
    titles = list(mailserver.connections(user).values())
    return bool(titles) and all("IDLE" in title for title in titles)


def test_letters_are_stored_byte_for_byte_and_marked(mailserver: Dovecot, account: Account, inbox: Inbox) -> None:
    for name in ("1", "2"):
        mailserver.save(account.user, letter(name))
    read_all(account, inbox, 2)
    assert inbox.bodies == [letter("1"), letter("2")]
    assert {row.recipient for row in inbox.rows} == {ADDRESS}
    with mailserver.client(account.user) as client:
        status = client.select_folder("INBOX")
        flags = client.get_flags(client.search())
    # A person who looks into the mailbox sees them as unread: only our own keyword is set.
    assert [set(of_one) - {b"\\Recent"} for of_one in flags.values()] == [{b"$RefereeSeen"}] * 2
    keys = [f"imap:{account.user}@localhost:INBOX:{status[b'UIDVALIDITY']}:{uid}" for uid in flags]
    assert [row.transport for row in inbox.rows] == keys


def test_a_letter_that_a_person_has_read_is_taken(mailserver: Dovecot, account: Account, inbox: Inbox) -> None:
    mailserver.save(account.user, letter())
    with mailserver.client(account.user) as client:
        client.select_folder("INBOX")
        client.add_flags(client.search(), [b"\\Seen"])
    read_all(account, inbox, 1)


def test_a_letter_that_comes_while_idle_is_taken_at_once(mailserver: Dovecot, account: Account, inbox: Inbox) -> None:
    with reading(account, inbox.spool.put):
        mailserver.save(account.user, letter("1"))
        eventually("the first letter", lambda: len(inbox.rows) == 1)
        with smtplib.LMTP("127.0.0.1", mailserver.lmtp) as post:
            post.sendmail("bob@x", [f"{account.user}@games.example"], letter("2"))
        # Idle lasts five minutes, so only a call from the server brings this one in time.
        eventually("the second letter", lambda: len(inbox.rows) == 2, 10)
    assert inbox.rows[1].sender == "bob@x"


@pytest.mark.parametrize("security", ["tls", "none"])
def test_a_letter_that_slips_in_between_the_search_and_idle_is_told_of(
    mailserver: Dovecot, account: Account, inbox: Inbox, security: Any
) -> None:
    """The server tells of it together with the word that idle has begun, and never again."""
    port = mailserver.imaps if security == "tls" else mailserver.imap
    client = connect(msgspec.structs.replace(account, security=security, port=port))
    ending = threading.Event()
    session = Session(client, account, DESK, SystemClock(), inbox.spool.put, ending)
    assert session.sweep() == 0
    idle = client.idle

    def letter_then_idle() -> None:
        mailserver.save(account.user, letter())
        idle()

    client.idle = letter_then_idle
    late = threading.Timer(10, ending.set)
    late.start()
    session.wait()
    late.cancel()
    assert not ending.is_set(), "the wait went on although a letter was there"
    assert session.sweep() == 1
    take_leave(client)


def test_a_letter_told_of_in_the_answer_to_another_command_is_not_waited_for(
    mailserver: Dovecot, account: Account, inbox: Inbox
) -> None:
    """The search that brings the news does not find the letter, and idle does not bring the news again."""

    def idle() -> None:
        raise AssertionError("went idle although a letter was there")

    client = connect(account)
    session = Session(client, account, DESK, SystemClock(), inbox.spool.put, threading.Event())
    session.sweep()
    mailserver.save(account.user, letter())
    client.search("ALL")
    client.idle = idle
    session.wait()
    assert session.sweep() == 1
    take_leave(client)


@pytest.mark.parametrize("security", ["starttls", "none"])
def test_other_ways_to_connect(mailserver: Dovecot, account: Account, inbox: Inbox, security: Any) -> None:
    mailserver.save(account.user, letter())
    plain = msgspec.structs.replace(account, security=security, port=mailserver.imap)
    read_all(plain, inbox, 1)


def test_a_server_with_a_certificate_nobody_signed_is_not_trusted(account: Account) -> None:
    with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
        connect(msgspec.structs.replace(account, ca_file=""))


def test_an_access_token_is_fetched_for_every_connection(
    mailserver: Dovecot, account: Account, inbox: Inbox, tmp_path: Path
) -> None:
    """The first token has expired, as after an hour; the second, of the same command, is good."""
    script = tmp_path / "token"
    good = mailserver.token(account.user)
    used = tmp_path / "used"
    script.write_text(f'#!/bin/sh\n[ -e "{used}" ] && echo {good} || echo {good[:-4]}AAAA\necho >> "{used}"\n')
    script.chmod(0o755)
    mailserver.save(account.user, letter())
    oauth = msgspec.structs.replace(account, password="", token_command=(str(script),))
    read_all(oauth, inbox, 1)
    assert len(used.read_text().splitlines()) == 2


def test_a_token_command_that_fails_is_tried_again(
    mailserver: Dovecot, account: Account, inbox: Inbox, tmp_path: Path
) -> None:
    script = tmp_path / "token"
    oauth = msgspec.structs.replace(account, password="", token_command=(str(script),))
    mailserver.save(account.user, letter())
    with reading(oauth, inbox.spool.put):
        part = tmp_path / "part"
        part.write_text(f"#!/bin/sh\necho {mailserver.token(account.user)}\n")
        part.chmod(0o755)
        part.rename(script)
        eventually("the letter", lambda: inbox.rows)


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_the_reader_outlives_the_server(mailserver: Dovecot, account: Account, inbox: Inbox, end: str) -> None:
    """A good-bye or a connection that just goes: both are noticed while idle, and what came meanwhile is not lost."""
    with reading(account, inbox.spool.put):
        mailserver.save(account.user, letter("1"))
        eventually("the first letter", lambda: len(inbox.rows) == 1)
        eventually("the reader to idle", lambda: is_idle(mailserver, account.user))
        getattr(mailserver, end)()
        mailserver.start()
        mailserver.save(account.user, letter("2"))
        eventually("the second letter", lambda: len(inbox.rows) == 2)
        with mailserver.client(account.user) as client:
            client.select_folder("INBOX")
            eventually("both to be marked", lambda: client.noop() and not client.search("UNKEYWORD $RefereeSeen"))
    assert inbox.bodies == [letter("1"), letter("2")]


def test_a_server_that_is_not_there_yet_is_waited_for(mailserver: Dovecot, account: Account, inbox: Inbox) -> None:
    mailserver.save(account.user, letter())
    mailserver.stop()
    with reading(account, inbox.spool.put):
        mailserver.start()
        eventually("the letter", lambda: inbox.rows)


def test_a_server_that_falls_silent_is_left(mailserver: Dovecot, account: Account, inbox: Inbox) -> None:
    """The connection stands but nobody answers, as behind a router that has forgotten it."""
    short = msgspec.structs.replace(account, idle_seconds=0.6, timeout_seconds=1)
    mailserver.save(account.user, letter("1"))
    with reading(short, inbox.spool.put):
        eventually("the first letter", lambda: len(inbox.rows) == 1)
        eventually("the reader to idle", lambda: is_idle(mailserver, account.user))
        silent = mailserver.connections(account.user)
        for pid in silent:
            os.kill(pid, signal.SIGSTOP)
        mailserver.save(account.user, letter("2"))
        eventually("the second letter", lambda: len(inbox.rows) == 2)
    for pid in silent:
        os.kill(pid, signal.SIGKILL)


def test_two_hundred_letters_are_taken_in_order(mailserver: Dovecot, account: Account, inbox: Inbox) -> None:
    with mailserver.client(account.user) as client:
        client.multiappend("INBOX", [letter(str(number)) for number in range(200)])
    read_all(account, inbox, 200)
    assert inbox.bodies == [letter(str(number)) for number in range(200)]
    assert unmarked(mailserver, account) == []


def test_a_letter_too_large_is_left_but_for_its_headers(mailserver: Dovecot, account: Account, inbox: Inbox) -> None:
    mailserver.save(account.user, letter("big", 30_000))
    mailserver.save(account.user, letter("small"))
    read_all(account, inbox, 2)
    big, small = sorted(inbox.bodies, key=len, reverse=True)
    head, _, _ = letter("big").partition(b"\r\n\r\n")
    assert big == b"X-Referee-Letter-Size: %d\r\n%s\r\n\r\n" % (len(letter("big", 30_000)), head)
    assert small == letter("small")
    assert unmarked(mailserver, account) == []


@pytest.mark.parametrize("server_dates", [True, False])
def test_a_letter_came_when_the_mail_server_took_it(
    mailserver: Dovecot, account: Account, inbox: Inbox, server_dates: bool
) -> None:
    """However long we were away; but never in the future, and not at all where our own clock is a made-up one."""
    now = datetime.now(UTC).replace(microsecond=0)
    with mailserver.client(account.user) as client:
        client.append("INBOX", letter("past"), msg_time=now - timedelta(hours=3))
        client.append("INBOX", letter("future"), msg_time=now + timedelta(hours=3))
    read_all(msgspec.structs.replace(account, server_dates=server_dates), inbox, 2)
    past, future = (row.received_at for row in inbox.rows)
    assert now <= future < now + timedelta(minutes=1)
    assert past == now - timedelta(hours=3) if server_dates else now <= past <= future


def test_letters_may_be_moved_in_place_of_a_mark(mailserver: Dovecot, account: Account, inbox: Inbox) -> None:
    moving = msgspec.structs.replace(account, move_to="Taken")
    mailserver.save(account.user, letter("1"))
    with reading(moving, inbox.spool.put):
        eventually("the letter", lambda: inbox.rows)
        mailserver.save(account.user, letter("2"))
        eventually("the second letter", lambda: len(inbox.rows) == 2)
    with mailserver.client(account.user) as client:
        assert client.select_folder("INBOX")[b"EXISTS"] == 0
        assert client.select_folder("Taken")[b"EXISTS"] == 2
        assert [set(flags) for flags in client.get_flags(client.search("UNSEEN")).values()] == [{b"\\Recent"}] * 2


def test_letters_that_cannot_be_stored_stay_in_the_mailbox(mailserver: Dovecot, account: Account, inbox: Inbox) -> None:
    with inbox.store.engine.connect() as db:
        db.exec_driver_sql("CREATE TRIGGER full BEFORE INSERT ON letter_in BEGIN SELECT RAISE(FAIL, 'disk full'); END")
    tries: list[LetterIn] = []

    def put(rows: Any) -> Future[None]:
        tries.extend(rows)
        return inbox.spool.put(rows)

    mailserver.save(account.user, letter())
    with reading(account, put):
        eventually("a second try", lambda: len(tries) >= 2)
        assert inbox.rows == []
        assert len(unmarked(mailserver, account)) == 1
        with inbox.store.engine.connect() as db:
            db.exec_driver_sql("DROP TRIGGER full")
        eventually("the letter", lambda: inbox.rows)
    assert unmarked(mailserver, account) == []


def test_a_fault_of_our_own_does_not_leave_the_mailbox_unread(
    mailserver: Dovecot, account: Account, inbox: Inbox, caplog: pytest.LogCaptureFixture
) -> None:
    faults = [ZeroDivisionError("a fault")]

    def put(rows: Any) -> Future[None]:
        if faults:
            raise faults.pop()
        return inbox.spool.put(rows)

    mailserver.save(account.user, letter())
    with reading(account, put):
        eventually("the letter", lambda: inbox.rows, patience=10)
    assert "a fault" in caplog.text


_DIES = """
import os, signal, sys
import msgspec
from pathlib import Path
from referee.adapters.clock_and_secrets import SystemClock
from referee.adapters.incoming.imap import ImapReader
from referee.adapters.incoming.imap import Account
from tests.real.test_imap import DESK, Inbox
inbox = Inbox(Path(sys.argv[1]))
def put(rows):
    inbox.spool.put(rows).result()
    os.kill(os.getpid(), signal.SIGKILL)
reader = ImapReader(msgspec.json.decode(sys.argv[2], type=Account), DESK, SystemClock(), put)
reader.start()
reader._thread.join()
"""


def test_killed_between_storing_and_marking_reads_again_and_keeps_one(
    mailserver: Dovecot, account: Account, tmp_path: Path
) -> None:
    mailserver.save(account.user, letter())
    given = msgspec.json.encode(account).decode()
    died = subprocess.run([sys.executable, "-c", _DIES, str(tmp_path), given], check=False, timeout=30)
    assert died.returncode == -signal.SIGKILL
    assert len(unmarked(mailserver, account)) == 1
    inbox = Inbox(tmp_path)
    assert inbox.bodies == [letter()]
    with reading(account, inbox.spool.put):
        eventually("the mark", lambda: not unmarked(mailserver, account))
    assert inbox.bodies == [letter()]
    inbox.close()


def test_new_numbers_in_the_mailbox_make_no_letter_count_twice(
    mailserver: Dovecot, account: Account, tmp_path: Path
) -> None:
    """UIDVALIDITY changes and the marks are gone: all is read again, and orders already taken are not taken again."""
    world = begin(World(tmp_path))
    spool = Spool(world.store)
    spool.start()
    desk = Desk(ADDRESS)
    player = world.on_turn()
    turn = world.last(player)
    orders = f"From: {player}\r\nTo: {turn.reply_to}\r\nMessage-ID: <o@x>\r\nSubject: orders\r\n\r\nSTATUS\r\n".encode()
    mailserver.save(account.user, orders)
    with reading(account, spool.put, desk):
        eventually("the letter", lambda: len(world.letters("new")) == 1)
    (receipt,) = world.work()
    assert receipt.to == player
    before = mailserver.validity(account.user)
    mailserver.admin("mailbox", "update", "-u", account.user, "--uid-validity", str(before + 7), "INBOX")
    with mailserver.client(account.user) as client:
        client.select_folder("INBOX")
        client.remove_flags(client.search(), [b"$RefereeSeen"])
    with reading(account, spool.put, desk):
        eventually("the letter again", lambda: len(world.letters("new")) == 1)
    assert world.work() == []
    assert len(world.letters("duplicate")) == 1
    (first,), (again,) = world.letters("done")[-1:], world.letters("duplicate")
    assert first.raw == again.raw
    assert (first.transport, again.transport) == tuple(
        f"imap:{account.name}:INBOX:{validity}:1" for validity in (before, before + 7)
    )
    spool.stop()
    world.close()


def test_ending_while_idle_is_quick_and_in_good_order(mailserver: Dovecot, account: Account, inbox: Inbox) -> None:
    with reading(account, inbox.spool.put):
        eventually("the reader to idle", lambda: is_idle(mailserver, account.user))

    def said_good_bye() -> bool:
        mine = [line for line in mailserver.log.splitlines() if f"imap({account.user})" in line]
        return any("Logged out" in line for line in mine)

    eventually("the good-bye", said_good_bye)
