"""A relay is asked within bounds: of time, of bytes, of where it may send us."""

from __future__ import annotations

import contextlib
import itertools
import re
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from referee.adapters.beacon.rounds import Bounds, NoAnswer, NotYet, Relay
from tests.beacon.stand_in import Manner, StandIn, standing_in


@pytest.fixture(scope="module")
def served() -> Iterator[StandIn]:
    with standing_in() as beacon:
        yield beacon


@pytest.fixture
def beacon(served: StandIn) -> StandIn:
    """The stand-in, well behaved again."""
    served.manner, served.last, served.absent = Manner.HONEST, None, 404
    served.asked.clear()
    return served


def why_not(relay: Relay, chain: str, round: int = 7) -> str:
    """What the relay is refused for."""
    with pytest.raises(NoAnswer) as refused:
        relay.ask(chain, round)
    assert not isinstance(refused.value, NotYet)
    return str(refused.value)


@pytest.mark.parametrize("more", ["", "/"])
def test_what_it_says_is_handed_on(beacon: StandIn, more: str) -> None:
    claim = Relay(beacon.url + more).ask(beacon.chain, 7)
    assert (claim.round, claim.signature) == (7, beacon.signature(7))
    assert beacon.asked == [f"/{beacon.chain}/public/7"]


def test_it_may_stand_in_a_folder_of_a_web_server(beacon: StandIn) -> None:
    claim = Relay(f"{beacon.url}/moved").ask(beacon.chain, 7)
    assert claim.signature == beacon.signature(7)


@pytest.mark.parametrize("status", [404, 425])
def test_a_round_that_is_not_there_is_told_as_that(beacon: StandIn, status: int) -> None:
    beacon.last, beacon.absent = 6, status
    with pytest.raises(NotYet, match=f"status {status}"):
        Relay(beacon.url).ask(beacon.chain, 7)
    beacon.last = 7
    assert Relay(beacon.url).ask(beacon.chain, 7).round == 7


@pytest.mark.parametrize(
    ("manner", "why"),
    [
        (Manner.GARBAGE, "no round in JSON"),
        (Manner.HUGE, "too long"),
        (Manner.BROKEN, "status 500"),
        (Manner.REDIRECT, "status 302"),
    ],
)
def test_what_is_no_round_is_refused(beacon: StandIn, manner: Manner, why: str) -> None:
    beacon.manner = manner
    assert why in why_not(Relay(beacon.url), beacon.chain)
    assert len(beacon.asked) == 1, "no redirection is followed"


def test_who_never_answers_is_left(beacon: StandIn) -> None:
    beacon.manner = Manner.HANG
    assert "0.1 seconds" in why_not(Relay(beacon.url, Bounds(seconds=0.1)), beacon.chain)


def test_the_time_is_that_of_the_whole_request_however_often_a_byte_comes(beacon: StandIn) -> None:
    beacon.manner = Manner.TRICKLE
    ticks = itertools.count()
    relay = Relay(beacon.url, Bounds(seconds=30), lambda: float(next(ticks)))
    assert "30 seconds" in why_not(relay, beacon.chain)
    assert next(ticks) < 40


def test_who_is_not_there_is_told_as_such() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    assert re.search("refused", why_not(Relay(f"http://127.0.0.1:{port}"), "52db"))


def said_by(raw: bytes) -> str:
    """What a relay is refused for that sends these bytes and ends."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve() -> None:
            line, _ = door.accept()
            # Whoever has read enough hangs up.
            with line, contextlib.suppress(OSError):
                line.recv(4096)
                line.sendall(raw)
                line.shutdown(socket.SHUT_WR)
                line.recv(4096)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            return why_not(Relay(f"http://127.0.0.1:{door.getsockname()[1]}"), "52db")
        finally:
            thread.join(5)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"SSH-2.0-server\r\n",
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\n{}",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 500,
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 300 + b"\r\n{}",
        b"HTTP/1.1 200 OK\r\nA: " + b"b" * 9000,
        b"HTTP/1.1 200 OK\r\n\r\n" + b"[" * 8000,
        b"HTTP/1.1 200 OK\r\n\r\n" + b'{"round": 7}',
        b"HTTP/1.1 200 OK\r\n\r\n" + b'{"round": "7", "signature": ""}',
        b"HTTP/1.1 200 OK\r\n\r\n" + b'{"round": 7.5, "signature": ""}',
        b"HTTP/1.1 200 OK\r\n\r\n" + b'{"round": 7, "signature": "0x00"}',
        b"HTTP/1.1 200 OK\r\n\r\n" + b'{"round": 7, "signature": "\xc3\xa9"}',
    ],
    ids=lambda raw: raw[-24:].decode("latin-1"),
)
def test_an_answer_out_of_form_is_an_answer_refused(raw: bytes) -> None:
    assert said_by(raw)


def test_whoever_hangs_is_hung_up_on_from_another_thread() -> None:
    with standing_in() as beacon:
        beacon.manner = Manner.HANG
        relay, told = Relay(beacon.url, Bounds(seconds=60)), list[str]()
        thread = threading.Thread(target=lambda: told.append(why_not(relay, beacon.chain)))
        thread.start()
        beacon.wait_until_asked()
        relay.hang_up()
        thread.join(10)
        assert told and not thread.is_alive()
        assert why_not(relay, beacon.chain) == "we hung up"
        assert len(beacon.asked) == 1


@pytest.fixture
def authority(tmp_path: Path) -> trustme.CA:
    return trustme.CA()


def secured(authority: trustme.CA, name: str = "127.0.0.1") -> ssl.SSLContext:
    """What a server shows that this authority speaks for."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    return context


def test_a_relay_may_be_asked_by_tls(authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    with standing_in(tls=secured(authority)) as beacon:
        assert Relay(beacon.url).ask(beacon.chain, 7).signature == beacon.signature(7)
    with standing_in(tls=secured(authority, "drand.example")) as beacon:
        assert "certificate" in why_not(Relay(beacon.url), beacon.chain).lower()


def test_a_certificate_that_nobody_speaks_for_is_refused(authority: trustme.CA) -> None:
    with standing_in(tls=secured(authority)) as beacon:
        assert "certificate" in why_not(Relay(beacon.url), beacon.chain).lower()
        assert beacon.asked == []


def test_who_never_ends_his_greeting_is_left() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        relay = Relay(f"https://127.0.0.1:{silent.getsockname()[1]}", Bounds(seconds=0.1))
        assert "0.1 seconds" in why_not(relay, "52db")
