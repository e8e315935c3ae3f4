"""Letters by SMTP and LMTP over real sockets: 250 means durable, and nothing else ends a letter than CRLF . CRLF."""

from __future__ import annotations

import gc
import shutil
import smtplib
import socket
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from referee.adapters.incoming import smtp_in
from referee.adapters.incoming.doorkeeper import Bounds
from referee.adapters.incoming.mailbag import Room, Spool
from referee.adapters.incoming.smtp_in import Listening, Receiver, Verdict
from referee.adapters.store.store import Store
from referee.service.base.ports import LetterIn
from tests.standins import FakeClock

Serve = Callable[..., int]

PATIENT = Bounds(slow_seconds=0)
"""Mistakes are counted, and their answers come at once."""


def accepts(recipient: str) -> Verdict:
    match recipient.partition("@")[0]:
        case "nobody":
            return "unknown"
        case "busy":
            return "later"
        case "broken":
            raise OSError("disk full at /secret/path")
    return "yes"


@pytest.fixture
def serve(store: Store, clock: FakeClock) -> Iterator[Serve]:
    """Starts a receiver on a free port of this machine; the port."""
    with ExitStack() as ends:

        def start(
            protocol: Literal["smtp", "lmtp"] = "smtp",
            into: Any = store,
            room: Callable[[], bool] = lambda: True,
            **changes: Any,
        ) -> int:
            spool = Spool(into, room=room)
            spool.start()
            ends.callback(spool.stop)
            receiver = Receiver(spool, accepts, clock, Listening(port=0, protocol=protocol, **changes))
            port = receiver.start()
            ends.callback(receiver.stop)
            return port

        yield start


def stored(store: Store) -> list[LetterIn]:
    with store.look() as look:
        return look.letters("new", 100)


def until(holds: Callable[[], bool]) -> None:
    """Poll for a condition."""
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)


class Wire:
    """A session by hand: bytes out, answer lines in."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._lines = self._socket.makefile("rb")

    def put(self, data: bytes) -> None:
        self._socket.sendall(data)

    def get(self, lines: int = 1) -> list[str]:
        return [self._lines.readline().decode().rstrip("\r\n") for _ in range(lines)]

    def ask(self, command: str) -> str:
        """Say a command; the last line of the answer."""
        self.put(command.encode() + b"\r\n")
        while (line := self.get()[0])[3:4] == "-":
            pass
        return line

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


@contextmanager
def session(port: int, hello: str = "EHLO test") -> Iterator[Wire]:
    wire = Wire(port)
    try:
        assert wire.get()[0].startswith("220")
        assert wire.ask(hello).startswith("250")
        yield wire
    finally:
        wire.close()


@contextmanager
def data(port: int, *recipients: str, hello: str = "EHLO test") -> Iterator[Wire]:
    """A session that has just been told to send the letter."""
    with session(port, hello) as wire:
        assert wire.ask("MAIL FROM:<anna@example.org>").startswith("250")
        for recipient in recipients or ("referee@localhost",):
            assert wire.ask(f"RCPT TO:<{recipient}>").startswith("250")
        assert wire.ask("DATA").startswith("354")
        yield wire


def test_a_letter_by_smtplib_is_stored_as_it_was_sent(store: Store, serve: Serve, clock: FakeClock) -> None:
    body = b"Subject: orders\r\n\r\nHOLD\r\n.dotted line\r\n..two dots\r\n\xe4\xf6 8 bit\r\n"
    with smtplib.SMTP("127.0.0.1", serve()) as client:
        assert client.sendmail("anna@example.org", ["referee+alpha.tok@localhost"], body) == {}
    (letter,) = stored(store)
    assert letter.raw == body
    assert (letter.sender, letter.recipient) == ("anna@example.org", "referee+alpha.tok@localhost")
    assert (letter.received_at, letter.status) == (clock.now(), "new")


def test_one_letter_for_each_recipient(store: Store, serve: Serve) -> None:
    with smtplib.SMTP("127.0.0.1", serve()) as client:
        client.sendmail("anna@example.org", ["one@localhost", "two@localhost"], b"Subject: s\r\n\r\nHOLD\r\n")
        client.sendmail("anna@example.org", ["one@localhost"], b"Subject: s\r\n\r\nHOLD\r\n")
    letters = stored(store)
    assert [letter.recipient for letter in letters] == ["one@localhost", "two@localhost", "one@localhost"]
    assert len({letter.transport for letter in letters}) == 3


def test_a_bounce_has_no_sender(store: Store, serve: Serve) -> None:
    with session(serve()) as wire:
        assert wire.ask("MAIL FROM:<>").startswith("250")
        assert wire.ask("RCPT TO:<referee@localhost>").startswith("250")
        wire.ask("DATA")
        assert wire.ask("Subject: failure\r\n\r\nreturned\r\n.").startswith("250")
    assert [letter.sender for letter in stored(store)] == [""]


@pytest.mark.parametrize(("recipient", "code"), [("nobody@localhost", "550"), ("busy@localhost", "451")])
def test_a_recipient_is_refused_in_the_session(store: Store, serve: Serve, recipient: str, code: str) -> None:
    with session(serve()) as wire:
        wire.ask("MAIL FROM:<anna@example.org>")
        assert wire.ask(f"RCPT TO:<{recipient}>").startswith(code)
        assert wire.ask("DATA").startswith("503")
        assert wire.ask("RCPT TO:<referee@localhost>").startswith("250")
        wire.ask("DATA")
        assert wire.ask("Subject: s\r\n\r\nHOLD\r\n.").startswith("250")
    assert [letter.recipient for letter in stored(store)] == ["referee@localhost"]


def test_a_fault_is_temporary_and_tells_nothing(serve: Serve) -> None:
    with session(serve()) as wire:
        wire.ask("MAIL FROM:<anna@example.org>")
        answer = wire.ask("RCPT TO:<broken@localhost>")
    assert answer.startswith("451")
    assert "secret" not in answer and "OSError" not in answer


class _FullDisk:
    """A store whose disk is full."""

    def step(self) -> Any:
        raise OSError("disk full")


@pytest.mark.parametrize("protocol", ["smtp", "lmtp"])
def test_a_letter_that_cannot_be_stored_is_to_be_sent_again(serve: Serve, protocol: str) -> None:
    port = serve(protocol, into=_FullDisk())
    hello = {"smtp": "EHLO test", "lmtp": "LHLO test"}[protocol]
    with data(port, "one@localhost", "two@localhost", hello=hello) as wire:
        wire.put(b"Subject: s\r\n\r\nHOLD\r\n.\r\n")
        answers = wire.get(2 if protocol == "lmtp" else 1)
        assert all(answer.startswith("451") for answer in answers)
        assert wire.ask("NOOP").startswith("250")


def test_lmtp_answers_for_each_recipient(store: Store, serve: Serve) -> None:
    with data(serve("lmtp"), "one@localhost", "two@localhost", hello="LHLO test") as wire:
        wire.put(b"Subject: s\r\n\r\nHOLD\r\n.\r\n")
        assert [answer[:3] for answer in wire.get(2)] == ["250", "250"]
        assert wire.ask("NOOP").startswith("250")
    assert [letter.recipient for letter in stored(store)] == ["one@localhost", "two@localhost"]


def test_lmtp_does_not_speak_smtp(serve: Serve) -> None:
    with session(serve("lmtp"), "LHLO test") as wire:
        assert wire.ask("EHLO test").startswith("500")


@pytest.mark.parametrize("protocol", ["smtp", "lmtp"])
def test_a_letter_that_is_too_long_is_refused_for_each_recipient(store: Store, serve: Serve, protocol: str) -> None:
    hello = {"smtp": "EHLO test", "lmtp": "LHLO test"}[protocol]
    with data(serve(protocol, max_bytes=1000), "one@localhost", "two@localhost", hello=hello) as wire:
        wire.put(b"Subject: s\r\n\r\n" + b"x" * 300_000 + b"\r\n.\r\n")
        answers = wire.get(2 if protocol == "lmtp" else 1)
        assert all(answer.startswith("552") for answer in answers)
        assert wire.ask("MAIL FROM:<anna@example.org> SIZE=1001").startswith("552")
    assert stored(store) == []


@pytest.mark.parametrize(("extra", "code"), [(0, "250"), (1, "552")])
def test_the_longest_letter_is_exactly_as_long_as_allowed(serve: Serve, extra: int, code: str) -> None:
    with data(serve(max_bytes=1000)) as wire:
        wire.put(b"x" * (998 + extra) + b"\r\n.\r\n")
        assert wire.get()[0].startswith(code)


SMUGGLED = b"MAIL FROM:<evil@x>\r\nRCPT TO:<referee@localhost>\r\nDATA\r\nSubject: evil\r\n\r\nHOLD\r\n"


@pytest.mark.parametrize("end", [b"\r.\r", b"\r\n.\r", b"\r\n\x00.\r\n"])
def test_no_other_end_of_data_is_believed(store: Store, serve: Serve, end: bytes) -> None:
    """Otherwise a second letter could be smuggled inside the first, past the server in front."""
    letter = b"Subject: s\r\n\r\nHOLD" + end + SMUGGLED
    with data(serve()) as wire:
        wire.put(letter + b".\r\n")
        assert wire.get()[0].startswith("250")
        assert wire.ask("NOOP").startswith("250")
    (one,) = stored(store)
    assert one.sender == "anna@example.org"
    assert one.raw == letter.replace(b"\r\n.", b"\r\n")


@pytest.mark.parametrize("end", [b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r\r\n.\n", b"\n"])
def test_a_letter_with_a_bare_line_feed_is_refused_whole(store: Store, serve: Serve, end: bytes) -> None:
    with data(serve()) as wire:
        wire.put(b"Subject: s\r\n\r\nHOLD" + end + SMUGGLED + b".\r\n")
        assert wire.get()[0].startswith("550 5.5.2 bare <LF> received")
        assert wire.ask("NOOP").startswith("250")
    assert stored(store) == []


def test_a_command_that_ends_in_a_bare_line_feed_is_none(store: Store, serve: Serve) -> None:
    with session(serve()) as wire:
        wire.put(b"MAIL FROM:<anna@example.org>\n")
        assert wire.get()[0].startswith("550 5.5.2 bare <LF> received")
        assert wire.ask("RCPT TO:<referee@localhost>").startswith("503")


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_the_end_is_found_however_the_bytes_arrive(store: Store, serve: Serve, size: int) -> None:
    whole = b".Subject: s\r\n\r\n..\r\n.\r\x00\r\n.\r\n"
    with data(serve()) as wire:
        for start in range(0, len(whole), size):
            wire.put(whole[start : start + size])
        assert wire.get()[0].startswith("250")
        assert wire.ask("NOOP").startswith("250")
    assert [letter.raw for letter in stored(store)] == [b"Subject: s\r\n\r\n.\r\n\r\x00\r\n"]


def test_an_empty_letter_is_a_letter(store: Store, serve: Serve) -> None:
    with data(serve()) as wire:
        wire.put(b".\r\n")
        assert wire.get()[0].startswith("250")
    assert [letter.raw for letter in stored(store)] == [b""]


def test_commands_sent_ahead_keep_their_place(store: Store, serve: Serve) -> None:
    again = b"MAIL FROM:<ben@x>\r\nRCPT TO:<referee@localhost>\r\nDATA\r\nSubject: two\r\n\r\nHOLD\r\n.\r\nQUIT\r\n"
    with data(serve()) as wire:
        wire.put(b"Subject: one\r\n\r\nHOLD\r\n.\r\n" + again)
        assert [answer[:3] for answer in wire.get(6)] == ["250", "250", "250", "354", "250", "221"]
    assert [letter.sender for letter in stored(store)] == ["anna@example.org", "ben@x"]


def test_very_long_lines_are_taken(store: Store, serve: Serve) -> None:
    line = b"x" * 200_000 + b"\r\n"
    with data(serve()) as wire:
        wire.put(line + b".\r\n")
        assert wire.get()[0].startswith("250")
    assert [letter.raw for letter in stored(store)] == [line]


def test_a_letter_cut_off_is_no_letter(store: Store, serve: Serve) -> None:
    port = serve()
    with data(port) as wire:
        wire.put(b"Subject: s\r\n\r\nHALF A LET")
    with session(port) as wire:
        assert wire.ask("NOOP").startswith("250")
    assert stored(store) == []


@pytest.mark.parametrize(
    "sender",
    [
        "gr\u00e5@example.org",
        "j\u00f6rg@ex\u00e4mple.org",
        "\u7528\u6237@example.org",
        "\u2615@example.org",
        "a\u0301@example.org",
    ],
)
@pytest.mark.parametrize("option", ["", " SMTPUTF8"])
def test_an_address_that_cannot_be_answered_is_refused_at_the_door(
    store: Store, serve: Serve, sender: str, option: str
) -> None:
    with session(serve()) as wire:
        wire.put(f"MAIL FROM:<{sender}>{option}\r\n".encode())
        assert wire.get()[0].startswith("550 5.6.7")
        assert wire.ask("RCPT TO:<referee@localhost>").startswith("503")
        assert wire.ask("MAIL FROM:<anna@example.org>").startswith("250")
    assert stored(store) == []


def test_what_is_not_done_is_not_announced(serve: Serve) -> None:
    with smtplib.SMTP("127.0.0.1", serve(), timeout=10) as client:
        client.ehlo()
        assert client.has_extn("8bitmime") and not client.has_extn("smtputf8")


@pytest.mark.parametrize("host", ["b\u00fccher.example", "B\u00dcCHER.example", "xn--bcher-kva.example"])
def test_a_domain_outside_ascii_has_one_spelling(store: Store, serve: Serve, host: str) -> None:
    with session(serve()) as wire:
        wire.put(f"MAIL FROM:<x@{host}> SMTPUTF8\r\n".encode())
        assert wire.get()[0].startswith("250")
        wire.ask("RCPT TO:<referee@localhost>")
        wire.ask("DATA")
        assert wire.ask("HOLD\r\n.").startswith("250")
    assert [letter.sender for letter in stored(store)] == ["x@xn--bcher-kva.example"]


def test_bytes_that_are_no_text_do_not_harm(store: Store, serve: Serve) -> None:
    with session(serve()) as wire:
        wire.put(b"MAIL FROM:<\xff\xfe@example.org> SMTPUTF8\r\n")
        assert wire.get()[0].startswith("550 5.6.7")
        assert wire.ask("NOOP").startswith("250")
    assert stored(store) == []


def test_a_port_that_is_taken_is_told(store: Store, clock: FakeClock, serve: Serve) -> None:
    with pytest.raises(OSError):
        Receiver(Spool(store), accepts, clock, Listening(port=serve())).start()


def test_who_is_in_the_middle_of_a_session_when_the_receiver_stops_is_hung_up_on(
    store: Store, clock: FakeClock
) -> None:
    gc.freeze()  # so that what other tests left behind is not looked through ten times
    for greeted in (True, False) * 5:
        spool = Spool(store)
        spool.start()
        receiver = Receiver(spool, accepts, clock, Listening(port=0))
        port = receiver.start()
        with ExitStack() as callers, warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            sockets = [callers.enter_context(socket.create_connection(("127.0.0.1", port), 10)) for _ in range(20)]
            for caller in sockets if greeted else ():
                assert caller.recv(4) == b"220 "
            receiver.stop()
            spool.stop()
            gc.collect()
            assert [str(warning.message) for warning in seen if issubclass(warning.category, ResourceWarning)] == []


def test_a_session_cannot_go_on_for_ever(serve: Serve) -> None:
    with session(serve()) as wire:
        answers = [wire.ask("NOOP")[:3] for _ in range(1_100)]
        assert set(answers) == {"250"}
        assert wire.ask("NOOP").startswith("421")


def test_a_recipient_named_twice_is_one_however_he_is_spelt(store: Store, serve: Serve) -> None:
    with data(serve("lmtp"), "one@localhost", "ONE@LocalHost", "two@localhost", hello="LHLO test") as wire:
        wire.put(b"Subject: s\r\n\r\nHOLD\r\n.\r\n")
        assert [answer[:3] for answer in wire.get(3)] == ["250"] * 3
        assert wire.ask("NOOP").startswith("250")
    assert [letter.recipient for letter in stored(store)] == ["one@localhost", "two@localhost"]


def test_a_letter_goes_to_so_many_recipients_and_no_more(store: Store, serve: Serve) -> None:
    with session(serve(bounds=Bounds(recipients=3))) as wire:
        wire.ask("MAIL FROM:<anna@example.org>")
        answers = [wire.ask(f"RCPT TO:<{name}@localhost>") for name in "abcda"]
        assert [answer[:9] for answer in answers] == ["250 2.1.5"] * 3 + ["452 4.5.3", "250 2.1.5"]
        wire.ask("DATA")
        assert wire.ask("HOLD\r\n.").startswith("250")
    assert [letter.recipient for letter in stored(store)] == [f"{name}@localhost" for name in "abc"]


def test_who_goes_on_making_mistakes_is_cut_off(serve: Serve) -> None:
    with session(serve(bounds=PATIENT)) as wire:
        for _ in range(2):
            wire.ask("MAIL FROM:<anna@example.org>")
            assert {wire.ask("RCPT TO:<nobody@localhost>")[:3] for _ in range(15)} == {"550"}
            wire.ask("RCPT TO:<referee@localhost>")
            wire.ask("DATA")
            assert wire.ask("HOLD\r\n.").startswith("250")  # who brings a letter is forgiven
        wire.ask("MAIL FROM:<anna@example.org>")
        answers = [wire.ask("RCPT TO:<nobody@localhost>")[:3] for _ in range(20)]
        assert answers == ["550"] * 19 + ["421"]
        assert wire.get() == [""]


def test_from_the_tenth_mistake_on_answers_are_slow(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    async def noted(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(smtp_in, "sleep", noted)
    with session(serve()) as wire:
        for _ in range(12):
            wire.ask("MAIL TO:<nobody@localhost>")
    assert pauses == [1.0] * 3


def test_commands_sent_after_the_last_mistake_are_not_carried_out(store: Store, serve: Serve) -> None:
    letter = b"MAIL FROM:<a@x>\r\nRCPT TO:<referee@localhost>\r\nDATA\r\nSubject: s\r\n\r\nHOLD\r\n.\r\n"
    with session(serve(bounds=PATIENT)) as wire:
        wire.put(b"VRFY\r\n" * 25 + letter)
        assert [answer[:3] for answer in wire.get(21)] == ["501"] * 19 + ["421", ""]
    assert stored(store) == []


def test_connections_are_counted_by_client_and_in_all(serve: Serve) -> None:
    port = serve(bounds=Bounds(front=(), connections_a_client=2))
    with session(port), session(port):
        assert turned_away(port).startswith("421 4.7.0")
    until(lambda: not turned_away(port))
    port = serve(bounds=Bounds(connections_a_client=1, connections=2))
    with session(port), session(port):  # a mail server in front brings everybody's letters
        assert turned_away(port).startswith("421 4.3.2")
    until(lambda: not turned_away(port))


def turned_away(port: int) -> str:
    """What a new connection is told at once; "" where it is let in."""
    wire = Wire(port)
    try:
        (line,) = wire.get()
        return "" if line.startswith("220") else line
    finally:
        wire.close()


def test_what_is_refused_is_logged_in_counts(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    port = serve(bounds=msgspec.structs.replace(PATIENT, tally_seconds=0.2, connections=1))
    with session(port) as wire:
        wire.ask("MAIL FROM:<anna@example.org>")
        for _ in range(15):
            wire.ask("RCPT TO:<nobody@localhost>")
        turned_away(port)
    until(lambda: len(caplog.messages) >= 2)
    assert sorted(caplog.messages) == [
        "connections turned away within a minute: 1, from 127.0.0.1",
        "letters to unknown addresses refused within a minute: 15, from 127.0.0.1",
    ]


def test_letters_that_come_at_once_have_bounded_room(serve: Serve) -> None:
    port = serve(bounds=Bounds(large_bytes=1_000_000))
    with data(port) as unfinished:
        unfinished.put(b"x" * 1_100_000)
        until(lambda: brought(port, 600_000) == "452 4.3.1")
        assert brought(port, 200_000) == "250 2.0.0"
        unfinished.put(b"\r\n.\r\n")
        assert unfinished.get()[0].startswith("250")
        assert brought(port, 1_100_000) == "250 2.0.0"


def brought(port: int, size: int) -> str:
    """What a letter of this size is answered."""
    with data(port) as wire:
        wire.put(b"x" * size + b"\r\n.\r\n")
        answer = wire.get()[0]
        assert wire.ask("NOOP").startswith("250")
    return answer[:9]


def test_an_endless_letter_is_cut_off(store: Store, serve: Serve) -> None:
    with data(serve(max_bytes=1000)) as wire, suppress(ConnectionError):
        for _ in range(200):
            wire.put(b"x" * 64 * 1024)
        pytest.fail("the letter was read on for ever")
    assert stored(store) == []


def test_a_session_that_says_nothing_or_never_ends_is_closed(serve: Serve) -> None:
    for bounds in (Bounds(idle_seconds=0.05), Bounds(session_seconds=0.05)):
        wire = Wire(serve(bounds=bounds))
        assert wire.get(3)[1:] == ["421 4.4.2 Time is up", ""]
        wire.close()
    with data(serve(bounds=Bounds(letter_seconds=0.05))) as wire:
        wire.put(b"Subject: a letter that")
        assert wire.get(2) == ["421 4.4.2 Time is up", ""]


def test_an_address_that_breaks_the_parser_is_a_mistake_and_no_fault_of_ours(
    serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    with session(serve(bounds=PATIENT)) as wire:
        for broken in ("<", "<@", "<a@", "<a@b", '<"', "<(", "<a@[", ""):
            assert wire.ask(f"MAIL FROM:{broken}").startswith(("501", "553")), broken
    assert caplog.messages == []


def test_before_the_disk_is_full_letters_are_put_off(store: Store, serve: Serve, tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free
    now = [0.0]
    room = Room(tmp_path, 2 * free, lambda: now[0])
    with session(serve(room=room)) as wire:
        assert wire.ask("MAIL FROM:<anna@example.org>").startswith("452 4.3.1")
        room.reserve = 0
        assert wire.ask("MAIL FROM:<anna@example.org>").startswith("452 4.3.1")
        now[0] = 1.0  # it is looked at once a second
        assert wire.ask("MAIL FROM:<anna@example.org>").startswith("250")
        wire.ask("RCPT TO:<referee@localhost>")
        room.reserve, now[0] = 2 * free, 2.0
        wire.ask("DATA")
        assert wire.ask("HOLD\r\n.").startswith("452 4.3.1")
    assert stored(store) == []


def test_letters_of_one_moment_share_a_commit_and_wake_the_service(store: Store, came: Any) -> None:
    woken: list[int] = []

    def arrived() -> None:
        woken.append(len(stored(store)))

    spool = Spool(store, arrived)
    waiting = [spool.put([came(f"{number}/a"), came(f"{number}/b")]) for number in range(5)]
    spool.start()
    for stored_safely in waiting:
        assert stored_safely.result(timeout=10) is None
    spool.stop()
    assert woken == [10]


def test_one_letter_that_cannot_be_stored_does_not_hold_up_the_others(store: Store, came: Any) -> None:
    spool = Spool(store)
    waiting = [spool.put([came("good")]), spool.put([came("bad", sender=object())]), spool.put([came("fine")])]
    spool.start()
    spool.stop()
    assert [one.exception() is None for one in waiting] == [True, False, True]
    assert [letter.transport for letter in stored(store)] == ["good", "fine"]


def test_the_spool_outlives_a_listener_that_fails(store: Store, came: Any) -> None:
    def arrived() -> None:
        raise ValueError("nobody home")

    spool = Spool(store, arrived)
    spool.start()
    for number in range(2):
        assert spool.put([came(str(number))]).result(timeout=10) is None
    spool.stop()
