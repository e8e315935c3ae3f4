"""A chain of rounds, the relays that are asked for them over HTTP, and the search for those that are wanted."""

from __future__ import annotations

import contextlib
import io
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property
from http.client import HTTPException, HTTPResponse
from typing import Any, Protocol, cast
from urllib.parse import urlsplit

import msgspec

from referee.service.base.office import log_failure
from referee.service.base.ports import Clock

# ---------------------------------------------------------------- a chain of rounds
# The name of a chain, and the time of each of its rounds.


class Chain(msgspec.Struct, frozen=True):
    """Rounds numbered from 1, one every `period` seconds. `hash` is its name in addresses, `genesis` the Unix time of round 1."""

    name: str
    hash: str
    period: int
    genesis: int

    def round_after(self, moment: datetime) -> int:
        """The first round whose time lies after a moment; a round of that very moment may be known already."""
        return max(1, (moment - self._begin) // self._step + 2)

    def time_of(self, round: int) -> datetime:
        """When a round is made, UTC. Raises ValueError for a round that is never made."""
        if round < 1:
            raise ValueError(f"there is no round {round}")
        try:
            return self._begin + self._step * (round - 1)
        except OverflowError as error:
            raise ValueError(f"round {round} lies beyond the calendar") from error

    @property
    def _begin(self) -> datetime:
        return datetime.fromtimestamp(self.genesis, UTC)

    @property
    def _step(self) -> timedelta:
        return timedelta(seconds=self.period)


# ---------------------------------------------------------------- a relay of drand rounds, asked over HTTP
# One request, one connection, bounded in time and in what is read.


class NoAnswer(Exception):
    """The relay gave nothing that can be read as a round. The message says why."""


class NotYet(NoAnswer):
    """The relay says that it does not have the round."""


class Claim(msgspec.Struct, frozen=True):
    """A relay's claim of a round's signature. Nothing of it is verified."""

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
        """The relay's word on a round of this chain. Raises NotYet, NoAnswer.

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
    """The bytes that come in on a connection, up to so many; `left` gives the seconds until it must be there in full.

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


# ---------------------------------------------------------------- the search for rounds
# The rounds that are sought, the time and place to ask, and the rounds found. It knows no thread and waits for nothing.


_log = logging.getLogger(__name__)

KEPT = 64
"""So many found rounds are kept, those found last; one that is gone is sought anew."""

SOUGHT = 1000
"""So many rounds are sought at a time; beyond that the one sought first is given up."""


class Source(Protocol):
    """Where rounds may be asked for."""

    url: str

    def ask(self, chain: str, round: int) -> Claim:
        """Its word on a round. Raises NotYet, NoAnswer."""
        ...

    def hang_up(self) -> None:
        """End the request under way, from another thread, and every later one."""
        ...


class Patience(msgspec.Struct, frozen=True):
    """How often a round is asked for: after `first`, each wait twice the one before up to `longest`, in all `give_up_after`."""

    first: timedelta = timedelta(seconds=1)
    longest: timedelta = timedelta(seconds=30)
    give_up_after: timedelta = timedelta(minutes=10)

    def wait(self, failures: int) -> timedelta:
        """The wait after so many failures (0: the first)."""
        return min(self.first * (1 << min(failures, 30)), self.longest)


class _Sought(msgspec.Struct):
    round: int
    since: datetime
    due_at: datetime
    failures: int = 0


class Search:
    """Seeks rounds of one chain. `signed` verifies a signature; `heard` is called after each round that was found.

    `seek` and `found` may be called from any thread and do not wait; one thread at a time calls `look`.
    """

    def __init__(
        self,
        chain: Chain,
        sources: Sequence[Source],
        clock: Clock,
        signed: Callable[[int, bytes], bool],
        heard: Callable[[], None] = lambda: None,
        patience: Patience | None = None,
    ) -> None:
        self.chain = chain
        self._sources = sources
        self._clock = clock
        self._signed = signed
        self._heard = heard
        self._patience = patience or Patience()
        self._passed_over: set[str] = set()
        self._sought: dict[int, _Sought] = {}
        self._found: dict[int, bytes] = {}
        self._ended = False
        self._changing = threading.Lock()

    def seek(self, round: int) -> None:
        """Let a round be asked for from its time on. Raises ValueError for one that is never made."""
        since = max(self._clock.now(), self.chain.time_of(round))
        with self._changing:
            if round not in self._found:
                self._sought.setdefault(round, _Sought(round, since, since))
            if len(self._sought) > SOUGHT:
                del self._sought[next(iter(self._sought))]

    def found(self, round: int) -> bytes | None:
        """The signature of a round that was found lately, verified."""
        with self._changing:
            return self._found.get(round)

    def end(self) -> None:
        """Ask nobody any more; a request under way fails at once."""
        self._ended = True
        for source in self._sources:
            source.hang_up()

    def look(self) -> float | None:
        """Ask for every round that is due. The seconds until another one is; None where nothing is sought."""
        for sought in self._due():
            self._ask_around(sought)
        with self._changing:
            next_at = min((sought.due_at for sought in self._sought.values()), default=None)
        return None if next_at is None else max(0.0, (next_at - self._clock.now()).total_seconds())

    def _due(self) -> list[_Sought]:
        now = self._clock.now()
        with self._changing:
            return [sought for sought in self._sought.values() if sought.due_at <= now]

    def _ask_around(self, sought: _Sought) -> None:
        """Ask one source after the other; those that were passed over come last."""
        for source in sorted(self._sources, key=lambda source: source.url in self._passed_over):
            if self._ended:
                return
            signature = self._ask(source, sought.round)
            if signature is not None:
                self._keep(sought.round, signature)
                return
        now = self._clock.now()
        sought.due_at = now + self._patience.wait(sought.failures)
        sought.failures += 1
        if now - sought.since >= self._patience.give_up_after:
            _log.warning("round %d of %s is given up: no relay gave it in time", sought.round, self.chain.name)
            with self._changing:
                self._sought.pop(sought.round, None)

    def _ask(self, source: Source, round: int) -> bytes | None:
        """The signature of a round, verified, or None."""
        try:
            claim = source.ask(self.chain.hash, round)
        except NotYet:
            return None
        except NoAnswer as error:
            self._pass_over(source, str(error))
            return None
        if claim.round != round:
            self._pass_over(source, f"asked for round {round} it gave round {claim.round}")
        elif not self._signed(round, claim.signature):
            self._pass_over(source, f"its answer for round {round} is not signed by {self.chain.name}")
        else:
            self._passed_over.discard(source.url)
            return claim.signature
        return None

    def _pass_over(self, source: Source, why: str) -> None:
        """The log hears of it once, until the source has given a right round again."""
        if source.url not in self._passed_over and not self._ended:
            _log.warning("relay %s is asked after all others until it gives a right round: %s", source.url, why)
        self._passed_over.add(source.url)

    def _keep(self, round: int, signature: bytes) -> None:
        with self._changing:
            self._sought.pop(round, None)
            self._found[round] = signature
            if len(self._found) > KEPT:
                del self._found[next(iter(self._found))]
        try:
            self._heard()
        except Exception as error:
            # A caller who waits for the round asks for it some time; other rounds must not wait for what is wrong with a bell.
            log_failure(_log, error, "nobody could be told that a round of %s was found", self.chain.name)
