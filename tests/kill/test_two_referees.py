"""Two services as processes of their own, one of which witnesses the other's match; letters go over sockets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from email.message import Message
from email.policy import SMTP
from pathlib import Path

import pytest

from referee.mail import bodies
from tests.kill.running import CONFIG, Running

HOST, WITNESS, GINA, ANNA, BEN = (
    "referee@games.example",
    "referee@club.example",
    "gina@players.example",
    "anna@players.example",
    "ben@players.example",
)


@pytest.fixture
def services(tmp_path: Path) -> Iterator[tuple[Running, Running]]:
    """The host of a match, and another referee."""
    with ExitStack() as ends:
        started: list[Running] = []
        for address in (HOST, WITNESS):
            template = tmp_path / f"template of {address}"
            template.mkdir()
            (template / "config.toml").write_text(CONFIG.replace(HOST, address))
            (template / "clock").write_text("2026-11-21T12:00:00+00:00")
            started.append(Running(tmp_path / address, template))
            ends.callback(started[-1].stop)
        yield started[0], started[1]


class Post:
    """Who reads the mailboxes of a service, and writes to it."""

    def __init__(self, service: Running) -> None:
        self.service = service
        self.count = 0

    def write(self, sender: str, to: str, body: str) -> None:
        self.count += 1
        head = f"From: {sender}\r\nTo: {to}\r\nSubject: hello\r\nMessage-ID: <{self.count}@{sender}>\r\n\r\n"
        self.service.send(sender, to, f"{head}{body}\r\n".encode())

    def waits(self, address: str, words: str) -> Message:
        """The last letter to an address with these words in its text."""

        def found() -> list[Message]:
            return [
                letter
                for letter in self.service.mail(address)
                if words in " ".join(bodies(letter.as_bytes())[0].split())
            ]

        self.service.until(f"a letter to {address} with {words!r}", lambda: bool(found()))
        return found()[-1]

    def enters(self, sender: str, body: str) -> None:
        """Write to the plain address, and say YES."""
        self.write(sender, HOST, body)
        self.write(sender, str(self.waits(sender, "Was this you?")["Reply-To"]).strip("<>"), "YES")

    def reply(self, sender: str, words: str, body: str) -> None:
        self.write(sender, str(self.waits(sender, words)["Reply-To"]).strip("<>"), body)


def test_two_services_witness_by_letter(services: tuple[Running, Running]) -> None:
    host, witness = services
    post = Post(host)
    post.enters(GINA, "CREATE newworld AS nw1")
    post.waits(GINA, "is open and you are its game master")
    for player in (ANNA, BEN):
        post.enters(player, "JOIN nw1")
        post.waits(player, "DONE")
    post.reply(GINA, "is open and you are its game master", f"WITNESS {WITNESS}\r\nSTART")
    asked = post.waits(WITNESS, "Key of the log")
    witness.send(HOST, WITNESS, asked.as_bytes(policy=SMTP))
    answer = Post(witness).waits(str(asked["Reply-To"]).strip("<>"), "Key of the witness")
    host.send(WITNESS, str(answer["To"]).strip("<>"), answer.as_bytes(policy=SMTP))
    post.reply(GINA, "New World begins", "STATUS")
    post.waits(GINA, f"entries by {WITNESS}")
