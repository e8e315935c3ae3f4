"""Four mail programs send the same orders by way of Postfix, and the desk takes each the same way."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.adapters.clock_and_secrets import SystemClock
from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.smtp_in import Listening, Receiver
from tests.real.conftest import PostOffice
from tests.real.machine import eventually, needs
from tests.service.conftest import begin
from tests.world import World

LINES = ["RESEARCH Law, any KEEPING 2 gold", "HIRE all workers KEEPING 2 food", "COLONIZE any"]
ORDERS = "\n".join((*LINES, "", "-- ", "Yours, a player", ""))
SUBJECT = "Orders: première partie"

Send = Callable[[int, str, str, Path], None]


def run(given: bytes, *command: str, home: Path) -> None:
    environment = {"HOME": str(home), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, input=given, capture_output=True, env=environment, cwd=home, timeout=30, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def by_swaks(port: int, sender: str, to: str, home: Path) -> None:
    (home / "orders.txt").write_text(ORDERS)
    server = f"127.0.0.1:{port}"
    letter = ("--h-Subject", SUBJECT, "--body", "@orders.txt")
    run(b"", "swaks", "--server", server, "--from", sender, "--to", to, *letter, "--silent", "2", home=home)


def by_mutt(port: int, sender: str, to: str, home: Path) -> None:
    settings = [
        f'set smtp_url="smtp://127.0.0.1:{port}"',
        f'set from="{sender}"',
        "set copy=no",
        "set ssl_starttls=no",
        "set ssl_force_tls=no",
    ]
    said = [word for setting in settings for word in ("-e", setting)]
    run(ORDERS.encode(), "mutt", "-n", "-F", "/dev/null", *said, "-s", SUBJECT, to, home=home)


def by_msmtp(port: int, sender: str, to: str, home: Path) -> None:
    letter = f"From: {sender}\nTo: {to}\nSubject: orders\n\n{ORDERS}".encode()
    run(letter, "msmtp", "--host=127.0.0.1", f"--port={port}", f"--from={sender}", to, home=home)


def by_s_nail(port: int, sender: str, to: str, home: Path) -> None:
    variables = ("v15-compat=yes", f"mta=smtp://127.0.0.1:{port}", "smtp-auth=none", f"from={sender}")
    said = [word for variable in variables for word in ("-S", variable)]
    run(ORDERS.encode(), "s-nail", "-:/", *said, "-s", SUBJECT, to, home=home)


CLIENTS: dict[str, Send] = {"swaks": by_swaks, "mutt": by_mutt, "msmtp": by_msmtp, "s-nail": by_s_nail}


@pytest.fixture
def world(post_office: PostOffice, tmp_path: Path) -> Iterator[World]:
    """A match begun, and our receiver where Postfix delivers."""
    begun = begin(World(tmp_path))
    spool = Spool(begun.store)
    spool.start()
    receiver = Receiver(spool, lambda _: "yes", SystemClock(), Listening(port=post_office.lmtp, protocol="lmtp"))
    receiver.start()
    yield begun
    receiver.stop()
    spool.stop()
    begun.close()


@pytest.mark.parametrize("client", CLIENTS)
def test_orders_are_taken_whoever_sends_them(
    client: str, world: World, post_office: PostOffice, tmp_path: Path
) -> None:
    needs(client)
    player, seat = world.on_turn(), world.waits_for()
    to = world.last(player).reply_to
    CLIENTS[client](post_office.postfix.port, player, to, tmp_path)
    eventually("the letter", lambda: world.letters("new"))
    (row,) = world.letters("new")
    assert (row.sender, row.recipient) == (player, to)
    (receipt,) = world.work()
    assert receipt.to == player
    assert "] COMPLETE" in receipt.subject
    assert world.drawer(seat, "orders") == LINES
