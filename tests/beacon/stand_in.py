"""A beacon that stands in for drand's: an HTTP server on this machine with a key of its own, which may be told to misbehave.

As a process: `python -m tests.beacon.stand_in PORT` prints its public key, the hash of its chain and its address, a line each,
and serves until it is ended. `POST /manner/NAME` and `POST /last/ROUND` (or `/last/any`) tell it what to do.
"""

from __future__ import annotations

import contextlib
import json
import ssl
import sys
import threading
from collections.abc import Iterator
from enum import StrEnum
from functools import cache, cached_property
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket
from typing import Any

from py_ecc.bls.g2_primitives import G1_to_pubkey, G2_to_signature
from py_ecc.optimized_bls12_381 import G2, multiply

from referee.adapters.beacon.key import message_point
from referee.config import Chance

OURS, OTHER = 20310504, 20310505
"""Two secrets that everybody may know."""


class Manner(StrEnum):
    """How the stand-in answers who asks for a round."""

    HONEST = "honest"
    WRONG_SIGNATURE = "wrong signature"
    OTHER_ROUND = "other round"
    OTHER_CHAIN = "other chain"
    GARBAGE = "garbage"
    HUGE = "huge"
    REDIRECT = "redirect"
    BROKEN = "broken"
    HANG = "hang"
    TRICKLE = "trickle"


LIES = (Manner.WRONG_SIGNATURE, Manner.OTHER_ROUND, Manner.OTHER_CHAIN)
"""What is said in good form and is not true."""


@cache
def public_key(secret: int) -> bytes:
    """The key by which everybody verifies what this secret signs."""
    return bytes(G2_to_signature(multiply(G2, secret)))


@cache
def signature(secret: int, round: int) -> bytes:
    """What this secret signs for a round."""
    return bytes(G1_to_pubkey(multiply(message_point(round), secret)))


def answer(round: int, signed: bytes, **more: str) -> bytes:
    """A round as a relay writes it."""
    said = {"round": round, "randomness": sha256(signed).hexdigest(), "signature": signed.hex(), **more}
    return json.dumps(said).encode()


class StandIn:
    """Serves from its making until `close`. Every round is there, unless there is a `last` one: later ones are not, until told.

    `manner` may be changed at any time; `asked` has the paths that were asked for.
    """

    def __init__(
        self, port: int = 0, *, period: int = 3, genesis: int = 1692803367, tls: ssl.SSLContext | None = None
    ) -> None:
        self.manner = Manner.HONEST
        self.last: int | None = None
        self.absent = 404
        self.asked: list[str] = []
        self.period = period
        self.genesis = genesis
        self.closing = threading.Event()
        self._asking = threading.Semaphore(0)
        self._server = _Server(("127.0.0.1", port), _bound(self))
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), name="stand-in", daemon=True)
        self._thread.start()

    @cached_property
    def public_key(self) -> str:
        """Its key, in hexadecimal digits."""
        return public_key(OURS).hex()

    @cached_property
    def chain(self) -> str:
        """The hash of its chain."""
        return sha256(public_key(OURS)).hexdigest()

    def chance(self, **changes: Any) -> Chance:
        """The settings that take this beacon."""
        ours: dict[str, Any] = {
            "beacon": "drand",
            "relays": (self.url,),
            "chain": self.chain,
            "public_key": self.public_key,
            "period_seconds": self.period,
            "genesis": self.genesis,
        }
        return Chance(**ours | changes)

    def toml(self) -> str:
        """The section of a settings file that takes this beacon."""
        lines = (
            'beacon = "drand"',
            f'relays = ["{self.url}"]',
            f'chain = "{self.chain}"',
            f'public_key = "{self.public_key}"',
            f"period_seconds = {self.period}",
            f"genesis = {self.genesis}",
        )
        return "".join(f"{line}\n" for line in ("[chance]", *lines))

    def signature(self, round: int) -> bytes:
        """What it signs for a round, whether it serves it or not."""
        return signature(OURS, round)

    def wait_until_asked(self, within: float = 10.0) -> None:
        """Come back with the next request that comes in, or that came in and was not waited for."""
        if not self._asking.acquire(timeout=within):
            raise TimeoutError("the stand-in was not asked")

    def note(self, path: str) -> None:
        """It was asked for this."""
        self.asked.append(path)
        self._asking.release()

    def close(self) -> None:
        """Let go of whoever hangs and serve no more."""
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


@contextlib.contextmanager
def standing_in(**changes: Any) -> Iterator[StandIn]:
    """A stand-in for as long as the block runs."""
    beacon = StandIn(**changes)
    try:
        yield beacon
    finally:
        beacon.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:
        """Whoever asks may hang up whenever he likes, or not trust our certificate."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def _bound(beacon: StandIn) -> type[BaseHTTPRequestHandler]:
    return type("_BoundHandler", (_Handler,), {"beacon": beacon})


class _Handler(BaseHTTPRequestHandler):
    beacon: StandIn

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """A round, or what the manner makes of it."""
        self.beacon.note(self.path)
        match self.path.strip("/").split("/"):
            case [self.beacon.chain, "public", number]:
                self._round(int(number))
            case ["moved", self.beacon.chain, "public", number]:
                self._say(200, answer(int(number), self.beacon.signature(int(number))))
            case _:
                self._say(404, b"")

    def do_POST(self) -> None:
        """Told how to go on."""
        match self.path.strip("/").split("/"):
            case ["manner", name]:
                self.beacon.manner = Manner(name.replace("%20", " "))
            case ["last", number]:
                self.beacon.last = None if number == "any" else int(number)
            case _:
                self._say(404, b"")
                return
        self._say(200, b"")

    def _round(self, round: int) -> None:
        last, honest = self.beacon.last, self.beacon.signature
        if last is not None and round > last:
            self._say(self.beacon.absent, b"")
            return
        match self.beacon.manner:
            case Manner.HONEST:
                self._say(200, answer(round, honest(round)))
            case Manner.WRONG_SIGNATURE:
                self._say(200, answer(round, honest(round + 1)))
            case Manner.OTHER_ROUND:
                self._say(200, answer(round + 1, honest(round + 1)))
            case Manner.OTHER_CHAIN:
                self._say(200, answer(round, signature(OTHER, round)))
            case Manner.GARBAGE:
                self._say(200, b"<html>\xff\x00 Log in to this network</html>")
            case Manner.HUGE:
                self._say(200, answer(round, honest(round), previous_signature="00" * 500_000))
            case Manner.REDIRECT:
                self._say(302, b"", Location=f"{self.beacon.url}/moved{self.path}")
            case Manner.BROKEN:
                self._say(500, b"")
            case Manner.HANG:
                self.beacon.closing.wait()
            case Manner.TRICKLE:
                self._trickle(answer(round, honest(round)))

    def _say(self, status: int, body: bytes, **head: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **head}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _trickle(self, body: bytes) -> None:
        """A byte now and then, so that no wait for one of them is long."""
        self.send_response(200)
        self.end_headers()
        for byte in body:
            if self.beacon.closing.wait(0.002):
                return
            self.wfile.write(bytes((byte,)))


def main() -> None:
    """Serve until this process is ended."""
    with standing_in(port=int(sys.argv[1])) as beacon:
        print(beacon.public_key, beacon.chain, beacon.url, sep="\n", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            beacon.closing.wait()


if __name__ == "__main__":
    main()
