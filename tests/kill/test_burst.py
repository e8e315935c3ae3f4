"""Many letters at once: all are taken, each is handled, and none is answered twice, on either database."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.kill.running import Running, match_begun
from tests.service.conftest import PLAYERS

_LETTERS = 200


@pytest.mark.parametrize("on", ["sqlite", pytest.param("postgresql", marks=pytest.mark.real)])
def test_every_letter_of_a_burst_is_handled(on: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    database = request.getfixturevalue("postgresql").fresh() if on == "postgresql" else ""
    service = Running(tmp_path / "running", match_begun(tmp_path / "template", database), database=database)

    def send(number: int) -> None:
        who = PLAYERS[number % len(PLAYERS)]
        head = f"From: {who}\r\nMessage-ID: <burst{number}@players.example>\r\n"
        service.send(who, "referee@games.example", f"{head}\r\nGAMES\r\n".encode())

    try:
        with ThreadPoolExecutor(4) as senders:
            list(senders.map(send, range(_LETTERS)))
        service.until("all handled", lambda: not service.unhandled())
        status = [row[0] for row in service.rows("SELECT status FROM letter_in WHERE logical LIKE '%burst%'")]
        assert len(status) == _LETTERS and set(status) == {
            "done",
            "unanswered",
        }  # each of them is owed few answers an hour
        service.until("all sent", lambda: not service.unsent())
        answered = [letter["In-Reply-To"] for who in PLAYERS for letter in service.mail(who)]
        assert len({said for said in answered if "burst" in str(said)}) == status.count("done")
        assert max(Counter(filter(None, answered)).values()) == 1
        service.stop()
    finally:
        service.kill()
        service.buried()
