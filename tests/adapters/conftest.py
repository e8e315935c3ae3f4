"""What the adapters' tests start from: a real database in a file, a clock turned by hand, and sample values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from referee.adapters.store.store import Store
from referee.core.record import Entry, seal
from referee.service.base.ports import LetterIn, LetterOut, MatchRow
from tests.standins import FakeClock
from tests.world import lay_empty

NOON = datetime(2031, 5, 4, 12, 0, 0, 123456, tzinfo=UTC)


@pytest.fixture
def noon() -> datetime:
    return NOON


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOON)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'referee.sqlite'}"


@pytest.fixture
def store(url: str, tmp_path: Path) -> Iterator[Store]:
    lay_empty(tmp_path / "referee.sqlite")
    opened = Store(url)
    yield opened
    opened.close()


@pytest.fixture
def came() -> Callable[..., LetterIn]:
    """A letter that came in, by its transport key."""
    first = LetterIn(0, "", NOON, "anna@example.org", "referee@localhost", b"Subject: orders\r\n\r\nHOLD\r\n")

    def make(transport: str, **changes: object) -> LetterIn:
        return msgspec.structs.replace(first, transport=transport, **changes)

    return make


@pytest.fixture
def goes() -> Callable[..., LetterOut]:
    """A letter to be sent, by its Message-ID."""
    raw = b"Subject: report\r\n\r\nTurn 1\r\n"
    first = LetterOut(0, "", "ALPHA", "report", "referee@localhost", "anna@example.org", raw, NOON, NOON)

    def make(message_id: str, **changes: object) -> LetterOut:
        return msgspec.structs.replace(first, message_id=message_id, **changes)

    return make


@pytest.fixture
def alpha() -> MatchRow:
    return MatchRow("ALPHA", "newworld", "forming", b"\x00secret", {"length": "short"}, {"hours": 24}, NOON)


@pytest.fixture
def entries() -> list[Entry]:
    """The first three entries of ALPHA's log, sealed."""
    chain: list[Entry] = []
    for number in range(3):
        last = chain[-1] if chain else None
        chain.append(seal(b"s", "ALPHA", last, NOON.isoformat(), "event", f'{{"n":{number}}}', "test"))
    return chain
