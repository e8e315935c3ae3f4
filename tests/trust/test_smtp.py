"""Attacks on the SMTP session of a running referee: what one client can make it store, hold, do and say."""

from __future__ import annotations

import os
import smtplib
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tests.kill.running import Running

RECEIVE = """
front = []
max_connections_a_client = 20
slow_seconds = 0.0
memory_mb = 8
"""
SETTINGS = '[gm]\nkeeper = "kim@club.example"\n'
REFEREE = "referee@games.example"
MEGABYTE = 1_000_000


@contextmanager
def client(service: Running) -> Iterator[smtplib.SMTP]:
    """A session with the service, its sender named."""
    with smtplib.SMTP("127.0.0.1", service.port, local_hostname="strangers.example", timeout=10) as smtp:
        smtp.ehlo()
        assert smtp.mail("mallory@strangers.example")[0] == 250
        yield smtp


def letter(subject: str, size: int) -> bytes:
    """A letter of so many bytes that nobody has sent before."""
    # It is ignored at once, as this is about what it costs until then.
    head = f"From: mallory@strangers.example\r\nAuto-Submitted: auto-replied\r\nMessage-ID: <{subject}@s.example>\r\n"
    return head.encode() + b"\r\n" + b"HELP is what I want, more of it, and then some.\r\n" * (size // 48)


def on_disk(service: Running) -> int:
    """Bytes in the data folder."""
    return sum(path.stat().st_size for path in (service.folder / "var").rglob("*") if path.is_file())


def memory(service: Running) -> int:
    """Bytes of memory that the process holds which takes letters."""
    pages = int(Path(f"/proc/{service.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def settled(service: Running) -> None:
    """Wait until every letter has been handled."""
    service.until("every letter is handled", lambda: not service.unhandled())


def test_one_3MB_letter_to_300_equal_recipients_is_stored_once(service: Running) -> None:
    before, already = on_disk(service), len(service.rows("SELECT 1 FROM letter_in"))
    with client(service) as smtp:
        for number in range(300):
            spelt = REFEREE if number % 2 else REFEREE.title()
            assert smtp.rcpt(spelt)[0] == 250
        assert smtp.data(letter("equal", 3 * MEGABYTE))[0] == 250
    settled(service)
    assert len(service.rows("SELECT 1 FROM letter_in")) == already + 1
    assert on_disk(service) - before < 5 * 3 * MEGABYTE  # bag, database and the journal of each


def test_a_letter_goes_to_100_recipients_at_most_and_they_share_its_body(service: Running) -> None:
    before, already = on_disk(service), len(service.rows("SELECT 1 FROM letter_in"))
    with client(service) as smtp:
        named = [REFEREE.replace("@", f"+m{number}@") for number in range(110)]
        assert [smtp.rcpt(to)[0] for to in named] == [250] * 100 + [452] * 10
        assert smtp.data(letter("different", MEGABYTE // 2))[0] == 250
    settled(service)
    assert len(service.rows("SELECT 1 FROM letter_in")) == already + 100
    bodies = service.rows("SELECT count(DISTINCT body) FROM letter_in WHERE recipient LIKE 'referee+m%'")
    assert bodies == [(1,)]
    assert on_disk(service) - before < 12 * MEGABYTE  # 100 bodies were 50, and twice that with their journals


def test_guesses_at_reply_addresses_end_the_session(service: Running) -> None:
    with client(service) as smtp:
        guesses = [f"referee+nw1.{number:016d}@games.example" for number in range(20)]
        assert [smtp.rcpt(guess)[0] for guess in guesses] == [550] * 19 + [421]
    assert "unknown" not in (service.folder / "stderr").read_text()  # it is counted, and told once a minute


def test_postmaster_and_abuse_are_forwarded_to_the_keeper_and_not_answered(service: Running) -> None:
    with client(service) as smtp:
        assert [smtp.rcpt(to)[0] for to in ("Postmaster", "abuse@GAMES.example", "hostmaster@games.example")] == [
            250,
            250,
            550,
        ]
        head = b"From: lee@strangers.example\r\nMessage-ID: <spam@s.example>\r\nSubject: HELP\r\n\r\n"
        assert smtp.data(head + b"You send spam.\r\n")[0] == 250
    settled(service)
    service.until("the keeper has it", lambda: bool(service.mail("kim@club.example")))
    (mail,) = service.mail("kim@club.example")  # once, though it went to both
    assert "You send spam." in str(mail)
    assert service.mail("lee@strangers.example") == []


def test_a_client_holds_so_many_connections_and_no_more(service: Running) -> None:
    with ExitStack() as held:
        greetings = [connected(service, held)[1] for _ in range(25)]
    assert {greeting[:9] for greeting in greetings[20:]} == {b"421 4.7.0"}
    service.until("there is room again", lambda: greeted(service) == b"220")


def connected(service: Running, held: ExitStack) -> tuple[socket.socket, bytes]:
    """A connection that stays open, and how it was greeted."""
    wire = held.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=10))
    return wire, wire.recv(100)


def greeted(service: Running) -> bytes:
    """What a new connection is told first."""
    with ExitStack() as held:
        return connected(service, held)[1][:3]


def test_unfinished_letters_take_bounded_memory(service: Running) -> None:
    before, raw = memory(service), b"x" * 9_900_000
    with ExitStack() as held:
        wires = [connected(service, held)[0] for _ in range(8)]
        for wire in wires:
            wire.sendall(b"EHLO x\r\nMAIL FROM:<m@s.example>\r\nRCPT TO:<referee@games.example>\r\nDATA\r\n")
            wire.sendall(raw)
        assert memory(service) - before < 40 * MEGABYTE
        service.send("ben@example.org", REFEREE, letter("small", 10_000))  # a small one is taken meanwhile
    settled(service)


def test_a_letter_without_end_is_cut_off(service: Running) -> None:
    with client(service) as smtp, suppress(ConnectionError, smtplib.SMTPServerDisconnected):
        smtp.rcpt(REFEREE)
        smtp.docmd("DATA")
        for _ in range(100):
            assert smtp.sock is not None
            smtp.sock.sendall(b"x" * MEGABYTE)
        raise AssertionError("100 MB were read")


def test_bare_line_feeds_smuggle_nothing(service: Running) -> None:
    already = len(service.rows("SELECT 1 FROM letter_in"))
    second = b"MAIL FROM:<anna@example.org>\nRCPT TO:<referee@games.example>\nDATA\nRESIGN\n.\n"
    with client(service) as smtp:
        smtp.rcpt(REFEREE)
        smtp.docmd("DATA")
        smtp.send(b"Subject: s\r\n\r\nHELP\n.\n" + second + b"\r\n.\r\n")
        assert smtp.getreply()[0] == 550
        smtp.send(second)
        assert [smtp.getreply()[0] for _ in range(5)] == [550] * 5
    assert len(service.rows("SELECT 1 FROM letter_in")) == already
