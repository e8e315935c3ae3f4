"""The whole service between a real mailbox and a real relay: a match begins and a turn is played by e-mail alone."""

from __future__ import annotations

import email
import email.policy
import signal
import smtplib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from email.message import EmailMessage
from email.utils import make_msgid, parseaddr
from pathlib import Path

import pytest

from tests.program import Program
from tests.real.conftest import PostOffice
from tests.real.dovecot import PASSWORD
from tests.real.machine import eventually

REFEREE = "referee@box.example"


class Player:
    """Somebody who reads his mailbox by IMAP and writes by SMTP."""

    def __init__(self, name: str, post_office: PostOffice) -> None:
        self.address = f"{name}@players.example"
        self._user = name
        self._office = post_office
        with post_office.dovecot.client(name) as client:
            client.select_folder("INBOX", readonly=True)
            self._seen: set[int] = set(client.search())

    def write(self, text: str, to: str = REFEREE, answers: EmailMessage | None = None) -> None:
        letter = EmailMessage()
        letter["From"] = self.address
        letter["To"] = to
        letter["Subject"] = f"Re: {answers['Subject']}" if answers else "a letter"
        letter["Message-ID"] = make_msgid(domain="players.example")
        if answers:
            letter["In-Reply-To"] = str(answers["Message-ID"])
        letter.set_content(text)
        with smtplib.SMTP("127.0.0.1", self._office.postfix.port, timeout=60) as postfix:
            postfix.send_message(letter)

    def reply(self, letter: EmailMessage, text: str) -> None:
        self.write(text, parseaddr(str(letter["Reply-To"]))[1], letter)

    def enters(self, line: str) -> EmailMessage:
        """Write a line to the referee, say YES when asked whether it was he; the receipt."""
        self.write(line)
        self.reply(self.gets("was this you?"), "YES")
        return self.gets("DONE")

    def gets(self, words: str) -> EmailMessage:
        """The next letter since he came with these words in its subject or text; it is not found again."""
        return eventually(f"a letter to {self._user} with {words!r}", lambda: self._find(words))

    def _find(self, words: str) -> EmailMessage | None:
        with self._office.dovecot.client(self._user) as client:
            client.select_folder("INBOX", readonly=True)
            fresh = [uid for uid in client.search() if uid not in self._seen]
            for uid, data in sorted(client.fetch(fresh, ["BODY.PEEK[]"]).items()) if fresh else ():
                letter = email.message_from_bytes(data[b"BODY[]"], policy=email.policy.default)
                assert isinstance(letter, EmailMessage)
                if words in f"{letter['Subject']}\n{text_of(letter)}":
                    self._seen.add(uid)
                    return letter
        return None


def text_of(letter: EmailMessage) -> str:
    """What a letter says, with every stretch of white space as one blank."""
    part = letter.get_body(("plain",))
    return " ".join(str(part.get_content()).split()) if part is not None else ""


CONFIG = """\
[referee]
address = "{address}"
data = "."
[receive]
port = 0
[imap]
host = "localhost"
port = {imaps}
ca_file = "{ca}"
user = "referee"
password_variable = "MAILBOX_PASSWORD"
retry_first_seconds = 0.1
[send]
method = "smtp"
host = "127.0.0.1"
port = {smtp}
security = "none"
[clock]
scan_seconds = 0.1
"""


@contextmanager
def serving(folder: Path, post_office: PostOffice) -> Iterator[Program]:
    """`referee serve`, reading one mailbox of Dovecot and sending by way of Postfix."""
    dovecot, postfix = post_office.dovecot, post_office.postfix
    values = {"address": REFEREE, "imaps": dovecot.imaps, "ca": dovecot.ca, "smtp": postfix.port}
    (folder / "config.toml").write_text(CONFIG.format(**values))
    config = str(folder / "config.toml")
    with Program("serve", "--config", config, env={"MAILBOX_PASSWORD": PASSWORD}) as service:
        try:
            assert "takes letters" in service.stdout.readline()
            yield service
        finally:
            service.terminate()


def in_the_log(folder: Path, event: str) -> bool:
    """Whether an event of this kind has happened."""
    with closing(sqlite3.connect(folder / "referee.sqlite")) as db:
        return bool(db.execute("SELECT 1 FROM entry WHERE payload LIKE ?", (f"%{event}%",)).fetchall())


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_match_begins_and_plays_a_turn_by_mail_alone(
    tmp_path: Path, post_office: PostOffice, end: signal.Signals
) -> None:
    """In the middle the service is ended, in good order or not; a letter that comes while it is away counts."""
    match = f"nw{int(end)}"
    gina, anna, ben = (Player(name, post_office) for name in ("gina", "anna", "ben"))
    with serving(tmp_path, post_office) as service:
        opened = gina.enters(f"CREATE newworld AS {match}")
        anna.enters(f"JOIN {match} AS England")
        ben.enters(f"JOIN {match} AS France")
        gina.reply(opened, "START")
        begun = {player: player.gets("the match begins") for player in (anna, ben)}
        service.send_signal(end)
        service.wait(30)
    # Lots decide who is first.
    first, other = (anna, ben) if "You owe orders" in text_of(begun[anna]) else (ben, anna)
    seat = {anna: "England", ben: "France"}[first]
    first.reply(begun[first], "RESEARCH Law, any KEEPING 2 gold\nHIRE 1 worker\nCOLONIZE any\n\n> it said much")
    with serving(tmp_path, post_office) as service:
        receipt = first.gets("COMPLETE: your orders stand")
        assert receipt["In-Reply-To"]
        first.reply(receipt, "ROLL OUT")
        report = other.gets(f"Turn 1: {seat} (round 1)")
        # The event of the turn may have taken the gold that he wished to learn with, or brought cards twice; the report says
        # what the log has.
        told, advanced = text_of(report), in_the_log(tmp_path, "TechnologyAdvanced")
        short = in_the_log(tmp_path, "OrderFellShort%of the cards drawn")
        assert (f"{seat} advances" in told) == advanced
        assert (f"{seat}'s order fell short (of the cards drawn" in told) == short
        assert advanced or short
        first.gets("Your slot is ended")
        service.terminate()
        assert service.wait(30) == 0
    with post_office.dovecot.client("referee") as client:
        client.select_folder("INBOX", readonly=True)
        assert client.search("UNKEYWORD $RefereeSeen") == []
        assert client.search("SEEN") == []
