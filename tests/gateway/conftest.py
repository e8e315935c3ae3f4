"""A whole referee behind a real receiver: letters go in over a socket, answers are what he wrote."""

from __future__ import annotations

import smtplib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.smtp_in import Listening, Receiver, Verdict
from tests.service.conftest import databases, match
from tests.world import Mail, World

__all__ = ["Gateway", "databases", "gateway", "match"]


class Gateway:
    """A world with the match nw1 begun, and the ways to write to it."""

    def __init__(self, world: World, ends: ExitStack) -> None:
        self.world = world
        self._ends = ends
        self.player, self.seat = world.on_turn(), world.waits_for()
        self.desk = world.last(self.player).reply_to

    def listen(self, protocol: Any = "smtp", into: Any = None, accepts: Callable[[str], Verdict] | None = None) -> int:
        """Open a receiver; its port. `into` is a store to put letters into, the world's own by default."""
        spool = Spool(into or self.world.store)
        spool.start()
        self._ends.callback(spool.stop)
        judge = accepts or (lambda _: "yes")
        receiver = Receiver(spool, judge, self.world.clock, Listening(port=0, protocol=protocol))
        port = receiver.start()
        self._ends.callback(receiver.stop)
        return port

    def letter(self, *headers: str, body: str = "RESEARCH any", sender: str = "") -> bytes:
        """A letter to the desk, with these headers besides From and To."""
        lines = [f"From: {sender or self.player}", f"To: {self.desk}", *headers, "", body, ""]
        return "\r\n".join(lines).encode()

    def send(self, raw: bytes, port: int | None = None, envelope: str | None = None) -> list[Mail]:
        """Hand a letter over by SMTP and let it be handled; what the referee writes."""
        with smtplib.SMTP("127.0.0.1", self.listen() if port is None else port) as client:
            client.sendmail(self.player if envelope is None else envelope, [self.desk], raw)
        return self.world.work()

    @property
    def sheet(self) -> list[str]:
        """The orders on file of the seat on turn."""
        return self.world.drawer(self.seat, "orders")


@pytest.fixture
def gateway(match: World) -> Iterator[Gateway]:
    """A referee who can be written to, with a match begun."""
    with ExitStack() as ends:
        yield Gateway(match, ends)
