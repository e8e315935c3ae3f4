"""Letters that hang or kill the desk all the same: found out, laid aside unopened, and the others go on; the real service."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.commands import app
from tests.kill.running import Running
from tests.service.conftest import ANNA, GINA

SETTINGS = """
[limits]
letter_seconds = 1.5
[gm]
keeper = "keeper@club.example"
"""
KEEPER = "keeper@club.example"
REFEREE = "referee@games.example"


@pytest.fixture(scope="module", autouse=True)
def odd_charsets() -> Iterator[None]:
    """The service knows charsets that hang and kill."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent / "odd_charsets"))
        yield


def put(service: Running, sender: str, to: str, charset: str, number: int, body: str = "GAMES") -> None:
    head = f"From: {sender}\r\nMessage-ID: <{number}@x>\r\nContent-Type: text/plain; charset={charset}\r\n\r\n"
    service.send(sender, to, f"{head}{body}\r\n".encode())


def cli(service: Running, *words: str) -> Any:
    result = CliRunner().invoke(app, [*words, "--json", "--config", str(service.folder / "config.toml")])
    assert result.exit_code == 0, (result.output, result.exception)
    return json.loads(result.output)


def status(service: Running, number: int) -> tuple[object, ...]:
    """Status, verdict and attempts of the letter with this Message-ID; () before it came."""
    bytes_of_it = f"CAST(letter_body.raw AS TEXT) LIKE '%<{number}@x>%'"
    asked = "SELECT status, verdict, attempts FROM letter_in JOIN letter_body ON letter_in.body = letter_body.digest"
    found = service.rows(f"{asked} WHERE {bytes_of_it}")
    return found[0] if found else ()


def in_hand(service: Running) -> list[Any]:
    """What `referee desk list` says of the letter the desk has in hand; [] while it has none."""
    return [row for row in cli(service, "desk", "list") if row["status"] == "in hand"]


def done(service: Running, number: int) -> bool:
    return status(service, number)[:1] == ("done",)


def reply_address(service: Running, reader: str) -> str:
    return str(service.mail(reader)[-1]["Reply-To"]).strip("<>")


def test_a_letter_that_hangs_in_one_call_is_shunted_and_no_other_suffers(service: Running) -> None:
    """It is counted by computing time alone, not opened again, and its writer and the keeper hear."""
    service.until("what was written sent", lambda: not service.unsent())
    to = reply_address(service, ANNA)
    put(service, ANNA, to, "x-hangs", 1)
    put(service, GINA, REFEREE, "utf-8", 2)

    service.until("the other letter handled", lambda: done(service, 2))
    assert status(service, 1) == ("shunted", "it computed too long", 1)
    said = (service.folder / "stderr").read_text()
    assert "is shunted: it computed too long. It was here:" in said and "in hang" in said
    service.until("word to Anna", lambda: "could not be read" in str(service.mail(ANNA)[-1]["Subject"]))
    service.until("word to the keeper", lambda: bool(service.mail(KEEPER)))
    (waiting,) = cli(service, "desk", "list")
    assert (waiting["sender"], waiting["attempts"]) == (ANNA, 1) and waiting["size"] > 50
    assert cli(service, "desk", "discard", str(waiting["id"]))["status"] == "discarded"
    assert cli(service, "desk", "list") == []


def test_a_letter_that_kills_the_desk_is_shunted_at_the_third_start(service: Running) -> None:
    put(service, GINA, REFEREE, "x-dies", 3)
    put(service, GINA, REFEREE, "utf-8", 4)
    each_attempt_is_counted(service, 3)
    service.until("the other letter handled", lambda: done(service, 4))
    assert status(service, 3) == ("shunted", "the desk ended over it", 3)
    assert service.process.poll() is None
    assert (service.folder / "stderr").read_text().count("ended with code -9; it is started again") == 3


def each_attempt_is_counted(service: Running, number: int) -> None:
    for attempt in range(1, 4):
        service.until(f"attempt {attempt} counted", lambda n=attempt: status(service, number)[2:] >= (n,))  # type: ignore[misc]


@pytest.mark.slow
def test_a_service_killed_while_a_letter_hangs_counts_that(service: Running) -> None:
    """What a keeper does who knows no better: the letter is found out all the same."""
    put(service, GINA, REFEREE, "x-waits", 5)
    for attempt in range(1, 4):
        service.until("the letter in hand", lambda: bool(in_hand(service)))
        service.kill()
        service.revive()
        service.until("the attempt counted", lambda n=attempt: status(service, 5)[2:] == (n,))  # type: ignore[misc]
    assert status(service, 5) == ("shunted", "the desk ended over it", 3)


@pytest.mark.slow
def test_a_desk_that_waits_inside_a_letter_is_ended_by_the_service(service: Running) -> None:
    """It does not compute, so that only the clock on the wall tells: ten times as long, three times."""
    put(service, GINA, REFEREE, "x-waits", 6)
    each_attempt_is_counted(service, 6)
    assert status(service, 6)[0] == "shunted"
    assert "the desk is ended: it has had letter" in (service.folder / "stderr").read_text()
