"""A service that is killed while the relay has its letters in hand: the next one goes on with them at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

from tests.kill.running import Running, match_begun
from tests.served import Served


class Slow:
    """A relay that keeps every letter in hand until it is to be `quick`."""

    def __init__(self) -> None:
        self.quick, self.in_hand = False, 0
        self.taken: Counter[str] = Counter()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.in_hand += 1
        while not self.quick:
            await asyncio.sleep(0.01)
        self.taken[str(message_from_bytes(envelope.content)["Message-ID"])] += 1
        return "250 OK"


@pytest.fixture
def slow() -> Iterator[tuple[Slow, Served]]:
    """A slow relay, listening."""
    relay = Slow()
    served = Served(relay)
    yield relay, served
    relay.quick = True
    served.close()


def test_letters_in_hand_at_a_sudden_death_go_out_at_the_next_start(slow: tuple[Slow, Served], tmp_path: Path) -> None:
    """The clock stands still: no lease of the dead runs out."""
    relay, served = slow
    settings = f'[send]\nmethod = "smtp"\nhost = "127.0.0.1"\nport = {served.port}\nsecurity = "none"\n'
    service = Running(tmp_path / "running", match_begun(tmp_path / "template"), settings)
    try:
        service.until("letters in hand", lambda: relay.in_hand >= 3)
        waiting = service.unsent()
        assert waiting and service.rows("SELECT 1 FROM letter_out WHERE leased_until IS NOT NULL")
        service.kill()
        service.buried()
        served.hang_up()
        relay.quick = True
        service.start()
        service.until("all sent", lambda: not service.unsent())
        sent = {str(row[0]) for row in service.rows("SELECT message_id FROM letter_out")}
        assert len(sent) == waiting and relay.taken == Counter(sent)
    finally:
        service.kill()
        service.stop()
