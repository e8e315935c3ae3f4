"""A relay of drand rounds, asked over HTTP: one request, one connection, bounded in time and in what is read."""

from __future__ import annotations

import contextlib
import io
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from http.client import HTTPException, HTTPResponse
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec


class NoAnswer(Exception):
    """The relay gave nothing that can be read as a round. The message says why."""


class NotYet(NoAnswer):
    """The relay says that it does not have the round."""


class Claim(msgspec.Struct, frozen=True):
    """What a relay says that a round's signature is. Nothing of it is verified."""

    round: int
    signature: bytes


class Bounds(msgspec.Struct, frozen=True):
    """How much a relay may ask of us: so many seconds for a whole request, and so many bytes of its answer with its head."""

    seconds: float = 5.0
    most: int = 8192


class _Said(msgspec.Struct):
    """A round as a relay writes it; its "randomness" is not looked at, since it follows from the signature."""

    round: int
    signature: str


_NOT_YET = (404, 425)


class Relay:
    """One relay by its address. It asks for one round at a time, in the caller's thread; `hang_up` may come from any other."""

    def __init__(
        self, url: str, bounds: Bounds | None = None, seconds_now: Callable[[], float] = time.monotonic
    ) -> None:
        self.url = url
        self._bounds = bounds or Bounds()
        self._seconds_now = seconds_now
        self._line: socket.socket | None = None
        self._ended = False
        self._holding = threading.Lock()

    def ask(self, chain: str, round: int) -> Claim:
        """What the relay says of a round of this chain. Raises NotYet, NoAnswer.

        No redirection is followed: an address that has moved is for the keeper to set.
        """
        until = self._seconds_now() + self._bounds.seconds
        try:
            with self._connected(until) as line:
                line.settimeout(self._left(until))
                line.sendall(self._request(chain, round))
                status, body = self._answer(line, until)
        except TimeoutError as error:
            raise NoAnswer(f"no whole answer in {self._bounds.seconds:g} seconds") from error
        except (OSError, HTTPException, ValueError) as error:
            raise NoAnswer(str(error) or type(error).__name__) from error
        if status in _NOT_YET:
            raise NotYet(f"it has no round {round} (status {status})")
        if status != 200:
            raise NoAnswer(f"it answers with status {status}")
        return _claim(body)

    def hang_up(self) -> None:
        """End the request under way, which then fails at once, and every later one."""
        with self._holding:
            self._ended = True
            if self._line is not None:
                with contextlib.suppress(OSError):
                    # The plain one: that of TLS takes the connection apart under the thread that reads from it.
                    socket.socket.shutdown(self._line, socket.SHUT_RDWR)

    def _left(self, until: float) -> float:
        """The seconds left; a socket takes 0 for not to wait at all, which is another kind of socket."""
        left = until - self._seconds_now()
        if left <= 0:
            raise TimeoutError
        return left

    @contextlib.contextmanager
    def _connected(self, until: float) -> Iterator[socket.socket]:
        plain = self._dial(until)
        try:
            yield self._secured(plain, until)
        finally:
            self._let_go()

    def _dial(self, until: float) -> socket.socket:
        """A connection to the first of the relay's addresses that answers; each has its share of the time that is left."""
        found = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
        problem: OSError = OSError("its name has no address")
        for tried, (family, kind, protocol, _, address) in enumerate(found):
            line = self._hold(socket.socket(family, kind, protocol))
            try:
                line.settimeout(self._left(until) / (len(found) - tried))
                line.connect(address)
                return line
            except OSError as error:
                self._let_go()
                problem = error
        raise problem

    def _secured(self, line: socket.socket, until: float) -> socket.socket:
        if self._parts.scheme != "https":
            return line
        line.settimeout(self._left(until))
        secured = self._trust.wrap_socket(line, server_hostname=self._host, do_handshake_on_connect=False)
        self._hold(secured)
        secured.do_handshake()
        return secured

    def _hold(self, line: socket.socket) -> socket.socket:
        """Keep the connection where `hang_up` finds it."""
        with self._holding:
            if not self._ended:
                self._line = line
                return line
        line.close()
        raise ConnectionAbortedError("we hung up")

    def _let_go(self) -> None:
        with self._holding:
            line, self._line = self._line, None
        if line is not None:
            line.close()

    def _request(self, chain: str, round: int) -> bytes:
        path = f"{self._parts.path.rstrip('/')}/{chain}/public/{round}"
        lines = (
            f"GET {path} HTTP/1.1",
            f"Host: {self._parts.netloc}",
            "User-Agent: referee",
            "Accept: application/json",
            "Accept-Encoding: identity",
            "Connection: close",
        )
        return "".join(f"{line}\r\n" for line in (*lines, "")).encode("ascii")

    def _answer(self, line: socket.socket, until: float) -> tuple[int, bytes]:
        incoming = _Incoming(line, self._bounds.most, lambda: self._left(until))
        # It asks a socket for nothing but a file to read from.
        response = HTTPResponse(cast(socket.socket, incoming), method="GET")
        try:
            response.begin()
            return response.status, response.read(self._bounds.most)
        finally:
            response.close()

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        return ssl.create_default_context()

    @cached_property
    def _parts(self) -> Any:
        return urlsplit(self.url)

    @property
    def _host(self) -> str:
        return str(self._parts.hostname)

    @property
    def _port(self) -> int:
        return int(self._parts.port or (443 if self._parts.scheme == "https" else 80))


class _Incoming(io.RawIOBase):
    """What comes in on a connection, up to so many bytes; `left` gives the seconds until it must be there in full.

    A socket's own timeout begins anew with each byte, so that a relay could hold us with one now and then.
    """

    def __init__(self, line: socket.socket, most: int, left: Callable[[], float]) -> None:
        self._source = line
        self._room = most
        self._seconds_left = left

    def makefile(self, mode: str) -> io.BufferedReader:
        """As a socket's: the buffered file that an HTTPResponse reads."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, into: Any) -> int:
        """Wait for more and put it there; how many bytes it was."""
        if not self._room:
            raise OSError("its answer is too long")
        self._source.settimeout(self._seconds_left())
        count = self._source.recv_into(memoryview(into)[: self._room])
        self._room -= count
        return count


def _claim(body: bytes) -> Claim:
    try:
        said = msgspec.json.decode(body, type=_Said)
        return Claim(said.round, bytes.fromhex(said.signature))
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise NoAnswer("its answer is no round in JSON") from error
