"""The letter that answers a player may ask him for the next thing as well, and is then found by whoever waits for that."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.demo.client import MailClient, Server
from referee.demo.table import answer_to, asks

_CUT = "# - - - - cut here - - - -"
_SHEET = f"DONE: what you asked for is done.\n\nTurn 4\n======\n\n{_CUT}\nBUILD warehouse IN c7r12\n{_CUT}\n"
_NO_SHEET = "DONE: what you asked for is done.\n"
_SENT = "<sent@players.example>"


@pytest.fixture
def client(tmp_path: Path) -> MailClient:
    (tmp_path / "new").mkdir()
    (tmp_path / "cur").mkdir()
    server = Server("127.0.0.1", 25)
    return MailClient("Chiyo", "chiyo@players.example", tmp_path, server, lambda: datetime.now(UTC))


@pytest.fixture
def comes(tmp_path: Path) -> Callable[[str], None]:
    """Lays a letter into the mailbox of the client."""

    def lay(text: str) -> None:
        letter = EmailMessage()
        letter["In-Reply-To"] = _SENT
        letter.set_content(text)
        (tmp_path / "new" / "1").write_bytes(letter.as_bytes())

    return lay


def test_the_answer_to_a_roll_out_that_brings_the_next_sheet_is_found_again(
    client: MailClient, comes: Callable[[str], None]
) -> None:
    comes(_SHEET)
    answer = answer_to(client, _SENT, "the receipt")
    assert client.find(asks) is answer


def test_an_answer_that_asks_for_nothing_is_read_once(client: MailClient, comes: Callable[[str], None]) -> None:
    comes(_NO_SHEET)
    answer_to(client, _SENT, "the receipt")
    assert client.find(lambda letter: True) is None
