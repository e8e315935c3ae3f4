"""A real Dovecot that does not let us in: the operator is told, nothing is lost, and mending brings the letters."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from referee.adapters.incoming.imap import Account, Refused, connect
from referee.adapters.outgoing.postman import mailbox
from referee.bootstrap.service import Service
from referee.config import Config, read
from referee.doctor import Finding, examine
from tests.real.dovecot import PASSWORD, Dovecot
from tests.real.machine import eventually
from tests.standins import read_maildir

CONFIG = """\
[referee]
address = "referee@games.example"
data = "."
[receive]
port = 0
[imap]
host = "localhost"
port = {port}
ca_file = "{ca}"
user = "{user}"
password_file = "password"
retry_first_seconds = 0.05
retry_longest_seconds = 0.2
[clock]
scan_seconds = 0.1
[gm]
keeper = "keeper@players.example"
"""
LETTER = b"From: Otto <otto@players.example>\r\nTo: referee@games.example\r\nMessage-ID: <1@x.example>\r\n\r\nGAMES\r\n"


def settings(folder: Path, mailserver: Dovecot, user: str, password: str) -> Config:
    (folder / "password").write_text(password)
    return read(CONFIG.format(port=mailserver.imaps, ca=mailserver.ca, user=user), folder)


def test_the_keeper_is_written_to_and_the_letter_is_taken_once_the_password_is_right(
    mailserver: Dovecot, user: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    mailserver.save(user, LETTER)
    service = Service(settings(tmp_path, mailserver, user, "wrong"))
    service.start()
    box = mailbox(service_mail(tmp_path), "keeper@players.example")
    (told,) = eventually("a letter to the keeper", lambda: read_maildir(box))
    service.stop()
    assert f"{user}@localhost does not let me in".encode() in told.replace(b"\n", b" ")
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert ["AUTHENTICATIONFAILED" in record.getMessage() for record in errors] == [True]

    service = Service(settings(tmp_path, mailserver, user, PASSWORD))
    service.start()
    otto = mailbox(service_mail(tmp_path), "otto@players.example")
    eventually("an answer to Otto", lambda: read_maildir(otto))
    service.stop()
    assert len(read_maildir(box)) == 1


def service_mail(folder: Path) -> Path:
    """Where the service lays its letters."""
    return folder / "mail"


def found(config: Config) -> Finding:
    return next(finding for finding in examine(config) if finding.what == "mailbox")


def test_the_doctor_says_whose_password_is_refused(mailserver: Dovecot, user: str, tmp_path: Path) -> None:
    assert found(settings(tmp_path, mailserver, user, PASSWORD)).well
    finding = found(settings(tmp_path, mailserver, user, "wrong"))
    assert not finding.well
    assert f"does not let {user} in" in finding.sentence and "under [imap]" in finding.sentence


def test_an_expired_access_token_is_a_refusal_too(mailserver: Dovecot, user: str) -> None:
    token = mailserver.token(user)[:-4] + "AAAA"
    command = ("echo", token)
    account = Account("localhost", mailserver.imaps, "tls", user, ca_file=str(mailserver.ca), token_command=command)
    with pytest.raises(Refused):
        connect(account)
