"""From nothing to the first letter: `referee setup`, `referee serve`, and a player is answered; by Postfix and by Dovecot."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dkim
import msgspec
import pytest
from typer.testing import CliRunner, Result

from referee.adapters.incoming.maildir import Envelope
from referee.bootstrap.mail_ways import take_letter
from referee.config import load
from referee.setup.interview import Mailbox
from referee.setup.questions import Server
from referee.setup.roundtrip import lying
from tests.commands import app
from tests.program import Program
from tests.real.conftest import PostOffice
from tests.real.dovecot import PASSWORD, Dovecot
from tests.real.machine import free_ports
from tests.real.test_whole_service import Player
from tests.served import Served

pytestmark = pytest.mark.usefixtures("out_of_reach")

RUN = CliRunner()

POSTFIX = """\
address = "referee@games.example"
way = "lmtp"
machine = "mail.games.example"
keeper = "keeper@players.example"
zone = "Europe/Berlin"
[config.receive]
port = {lmtp}
[config.send]
port = {smtp}
"""

MAILBOX = """\
address = "{user}@box.example"
way = "imap"
imap = "localhost:{imaps}"
smtp = "127.0.0.1:{smtp}"
user = "{user}"
password = "{password}"
keeper = "keeper@players.example"
zone = "UTC"
[config.imap]
security = "tls"
ca_file = "{ca}"
[config.send]
security = "none"
user = ""
[config.receive]
port = {port}
"""


def set_up(folder: Path, answers: str, *words: str) -> Result:
    """`referee setup` with these answers."""
    file = folder / "answers.toml"
    file.write_text(answers)
    return RUN.invoke(app, ["setup", str(folder / "referee"), "--answers", str(file), *words])


def in_mailbox(dovecot: Dovecot, user: str, password: str, smtp: int) -> str:
    """The answers of who has a mailbox at Dovecot."""
    (port,) = free_ports(1)
    return MAILBOX.format(user=user, imaps=dovecot.imaps, smtp=smtp, password=password, ca=dovecot.ca, port=port)


@contextmanager
def serving(folder: Path) -> Iterator[None]:
    """`referee serve` in the folder that was set up."""
    with Program("serve", "--config", str(folder / "referee" / "config.toml")) as service:
        try:
            assert "takes letters" in service.stdout.readline()
            yield
        finally:
            service.terminate()


def first_letter(folder: Path, post_office: PostOffice, to: str) -> bytes:
    """What a player gets who writes HELP to a referee that serves for the first time; no letter is sent past that one."""
    anna = Player("anna", post_office)
    with serving(folder):
        anna.write("HELP", to)
        answer = anna.gets("HELP").as_bytes()
        again = RUN.invoke(app, ["setup", str(folder / "referee")])
    assert again.exit_code == 1 and "None was sent: referee serve runs" in again.output and "End it" in again.output
    return answer


def all_green(folder: Path) -> bool:
    """Whether the doctor finds nothing to mend."""
    return RUN.invoke(app, ["doctor", "--config", str(folder / "referee" / "config.toml")]).exit_code == 0


def test_a_postfix_of_ones_own(tmp_path: Path, post_office: PostOffice) -> None:
    began = time.monotonic()
    done = set_up(tmp_path, POSTFIX.format(lmtp=post_office.lmtp, smtp=post_office.postfix.port))
    assert done.exit_code == 0, done.output
    assert re.search(r"well  letter: One to referee\+setup\.[a-z]+@games\.example came back after", done.output)
    letter = first_letter(tmp_path, post_office, "referee@games.example")
    print(f"\nPostfix: a player was answered {time.monotonic() - began:.1f} s after setup began")
    assert all_green(tmp_path)
    # What is to be published verifies what was sent.
    record = re.search(r"post\._domainkey\.games\.example\. TXT (.*)", done.output.replace("\n\n", "\n"))
    assert record is not None
    published = "".join(re.findall(r'"([^"]*)"', record[1])).encode()
    names: list[bytes] = []

    def look_up(name: bytes, timeout: int = 5) -> bytes:
        names.append(name)
        return published

    assert dkim.verify(letter.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), dnsfunc=look_up)
    assert names == [b"post._domainkey.games.example."]


def test_a_mailbox_at_a_provider(
    tmp_path: Path, post_office: PostOffice, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, dovecot = time.monotonic(), post_office.dovecot
    done = set_up(tmp_path, in_mailbox(dovecot, user, PASSWORD, post_office.postfix.port))
    assert done.exit_code == 0, done.output
    assert f"One to {user}+setup." in done.output and "DNS" not in done.output
    with dovecot.client(user) as client:
        assert client.select_folder("INBOX", readonly=True)[b"EXISTS"] == 0  # nobody has to tidy up
        client.append("INBOX", b"Subject: Hello\r\n\r\nHello\r\n")
    monkeypatch.setenv("SSL_CERT_FILE", str(dovecot.ca))
    box = Mailbox(imap=Server("localhost", dovecot.imaps, "tls"), smtp=Server("", 0, "none"), imap_user=user, user=user)
    assert lying(tmp_path, msgspec.structs.replace(box, password=PASSWORD)) == 1
    assert lying(tmp_path, box) is None
    with dovecot.client(user) as client:
        client.select_folder("INBOX")
        client.delete_messages([1])
        client.expunge()
    assert first_letter(tmp_path, post_office, f"{user}@box.example")
    print(f"\nDovecot: a player was answered {time.monotonic() - began:.1f} s after setup began")
    assert all_green(tmp_path)


def test_a_wrong_password_is_said_and_no_letter_sent(tmp_path: Path, post_office: PostOffice, user: str) -> None:
    answers = in_mailbox(post_office.dovecot, user, "not it", post_office.postfix.port)
    done = set_up(tmp_path, answers)
    assert done.exit_code == 1
    assert f"mend  mailbox: localhost does not let {user} in" in done.output and "letter:" not in done.output
    # Mended by hand, the same command tries again.
    (tmp_path / "referee" / "mail.password").write_text(PASSWORD)
    again = RUN.invoke(app, ["setup", str(tmp_path / "referee")])
    assert again.exit_code == 0, again.output
    assert "stays as it is" in again.output and "came back after" in again.output


def test_a_letter_that_goes_elsewhere_is_not_waited_for_for_ever(tmp_path: Path, post_office: PostOffice) -> None:
    """The domain's letters go to Dovecot: Postfix was not told of us."""
    (port,) = free_ports(1)
    answers = POSTFIX.format(lmtp=port, smtp=post_office.postfix.port).replace("games.example", "players.example")
    done = set_up(tmp_path, answers.replace("referee@", "anna@"), "--wait", "0.1")
    assert done.exit_code == 1
    assert "did not come back within 0.1 s. Has Postfix the lines above" in done.output


def test_a_pipe(tmp_path: Path) -> None:
    """A mail server that hands each letter to the program."""
    file = tmp_path / "referee" / "config.toml"

    class Piping:
        async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
            who = Envelope(envelope.mail_from, envelope.rcpt_tos[0])
            take_letter(load(file), io.BytesIO(envelope.original_content), who)
            return "250 taken"

    relay = Served(Piping())
    answers = POSTFIX.format(lmtp=free_ports(1)[0], smtp=relay.port).replace('"lmtp"', '"pipe"')
    done = set_up(tmp_path, answers.replace('machine = "mail.games.example"\n', ""))
    assert done.exit_code == 0, done.output
    assert f"receive --config {file} || exit 75" in done.output and " MX " not in done.output
    assert all_green(tmp_path)
    relay.close()
    shown = RUN.invoke(app, ["show", "letters", "--status", "ignored", "--json", "--config", str(file)])
    assert "while it was set up" in shown.output
