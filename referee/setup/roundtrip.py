"""Letters that lie in a mailbox already; and a letter to ourselves: out by the relay, back by the way in.

It goes to an address like those that players answer to.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr
from pathlib import Path

from imapclient.exceptions import IMAPClientError

from referee.adapters.clock_and_secrets import SystemClock
from referee.adapters.dkim import signature
from referee.adapters.incoming.imap import Account, Connection, Refused, connect, take_leave
from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.smtp_in import Receiver
from referee.adapters.outgoing.postman import GiveUp, TryLater
from referee.bootstrap.data_folder import running_service
from referee.bootstrap.mail_ways import imap_account, listening_of, relay_sender
from referee.bootstrap.offices import store_of
from referee.config import Config
from referee.doctor import Finding
from referee.mail.address import reply_address
from referee.mail.headers import head_of
from referee.service.base.ports import LetterIn, LetterOut
from referee.setup.interview import Mailbox

CameBack = Callable[[], bool]
"""Looks whether the letter has come by now."""

_PAUSE = 0.5
_TIMEOUT = 20.0


def goes_round(config: Config, seconds: float) -> Finding:
    """Send the letter and wait for it so long; whether it came, and what to look at if not."""
    if running := running_service(config):
        return Finding(
            "letter", False, f"None was sent: referee serve runs (process {running}) and would take it. {_END}"
        )
    letter = _letter(config)
    try:
        with _way_in(config, letter) as came:
            _send(config, letter)
            taken = _within(seconds, came)
    except (TryLater, GiveUp) as refused:
        said = f"The relay did not take a letter to {letter.recipient}: {refused}."
        return Finding("letter", False, f"{said} Mend [send], then run referee setup again.")
    except Refused as refused:
        return Finding("letter", False, f"None was sent: the mailbox does not let us in ({refused}).")
    except (OSError, IMAPClientError) as problem:
        return Finding("letter", False, f"It could not be watched for: {problem}.")
    if taken is None:
        return Finding(
            "letter", False, f"One to {letter.recipient} did not come back within {seconds:g} s. {_hint(config)}"
        )
    return Finding("letter", True, f"One to {letter.recipient} came back after {taken:.1f} s.")


_END = "End it (systemctl stop referee), then run referee setup again."


def _hint(config: Config) -> str:
    """Where a letter that does not come is looked for."""
    if config.imap.host:
        return (
            "Look into the mailbox, its spam folder too: a bounce says why. Players answer to addresses with a + in them, "
            "which some providers do not deliver; then choose another provider, or have them allow it."
        )
    if config.receive.protocol == "lmtp":
        return (
            f"Has Postfix the lines above, and was it reloaded? Its log says where the letter is (journalctl -u "
            f"'postfix*'), postqueue -p what waits for {config.receive.host}:{config.port}."
        )
    return (
        "Does the mail server hand letters for the address, and for the address with a + and anything behind it, to "
        "referee receive? Its log says where the letter is; an exit code 75 there means that it could not be stored."
    )


def _letter(config: Config) -> LetterOut:
    """It says what it is, and carries a word that nobody can guess."""
    own, word, now = config.referee.address, secrets.token_hex(8), datetime.now(UTC)
    text = EmailMessage()
    text["From"] = formataddr((config.referee.name, own))
    text["To"] = (to := reply_address(own, "setup", "".join(chr(ord("a") + int(digit, 16)) for digit in word)))
    text["Subject"] = "The referee tries its mail"
    text["Date"] = format_datetime(now)
    text["Message-ID"] = (name := f"<setup.{word}@{config.host}>")
    text["Auto-Submitted"] = "auto-generated"
    text.set_content("The referee sent this letter to itself, to see whether it comes back.\n")
    raw = signature(config)(text.as_bytes(policy=SMTP))
    return LetterOut(0, name, "", "setup", own, to, raw, now, now)


def _send(config: Config, letter: LetterOut) -> None:
    sender = relay_sender(config, min(config.send.timeout_seconds, _TIMEOUT))
    try:
        sender.send(letter)
    finally:
        sender.close()


def _within(seconds: float, came: CameBack) -> float | None:
    """After how many seconds it came; None when it did not."""
    began, pause = time.monotonic(), threading.Event()
    while not came():
        if time.monotonic() - began >= seconds:
            return None
        pause.wait(_PAUSE)
    return time.monotonic() - began


@contextmanager
def _way_in(config: Config, letter: LetterOut) -> Iterator[CameBack]:
    """Watch the way in that the settings open: the mailbox or Maildir, or our port and what `referee receive` has stored."""
    if config.imap.host:
        with _mailbox(config, letter) as came:
            yield came
        return
    if config.maildir.path:
        yield lambda: _laid(config, letter.message_id.encode())
        return
    with _port(config, letter) as by_port, _stored(config, letter) as by_pipe:
        yield lambda: by_port() or by_pipe()


def _laid(config: Config, name: bytes) -> bool:
    """Whether it lies in the Maildir; it is deleted then, for nobody has to answer it."""
    files = (config.home / config.maildir.path / "new").iterdir()
    found = [path for path in files if name in head_of(path.read_bytes())]
    for path in found:
        path.unlink()
    return bool(found)


def lying(home: Path, box: Mailbox | str) -> int | None:
    """How many letters lie in a mailbox, or in a Maildir of this path; None where that cannot be seen."""
    if isinstance(box, str):
        return sum(len([*(home / box / name).glob("*")]) for name in ("new", "cur"))
    at = box.imap
    account = Account(at.host, at.port, at.security, box.imap_user, box.password, box.token_command)
    try:
        client = connect(account)
    except (OSError, IMAPClientError):
        return None
    try:
        return int(client.select_folder(account.folder, readonly=True)[b"EXISTS"])
    except (OSError, IMAPClientError):
        return None
    finally:
        take_leave(client)


@contextmanager
def _mailbox(config: Config, letter: LetterOut) -> Iterator[CameBack]:
    """Look at what is newer than now; the letter is deleted when it is found, so that nobody has to."""
    client = connect(imap_account(config))
    try:
        first = int(client.select_folder(config.imap.folder)[b"UIDNEXT"])
        yield lambda: _found(client, config, first, letter.message_id)
    finally:
        take_leave(client)


def _found(client: Connection, config: Config, first: int, message_id: str) -> bool:
    client.noop()
    newer = [uid for uid in client.search(["UID", f"{first}:*"]) if uid >= first]  # the last one is named in any case
    heads = client.fetch(newer, ["BODY.PEEK[HEADER]"]) if newer else {}
    found = [uid for uid, head in heads.items() if message_id.encode() in head[b"BODY[HEADER]"]]
    if found:
        client.add_flags(found, [config.imap.keyword.encode("ascii")], silent=True)
        client.delete_messages(found, silent=True)
        if client.has_capability("UIDPLUS"):
            client.expunge(found)
    return bool(found)


class _Tray:
    """Where the receiver puts what it takes."""

    def __init__(self) -> None:
        self.letters: list[LetterIn] = []

    @contextmanager
    def step(self) -> Iterator[_Tray]:
        yield self

    def receive(self, letters: Sequence[LetterIn]) -> None:
        self.letters.extend(letters)


@contextmanager
def _port(config: Config, letter: LetterOut) -> Iterator[CameBack]:
    """Listen where the service will; whatever else is brought is to come again later."""
    tray = _Tray()
    spool = Spool(tray)
    ours = letter.recipient.lower()
    receiver = Receiver(spool, lambda to: "yes" if to.lower() == ours else "later", SystemClock(), listening_of(config))
    receiver.start()
    spool.start()
    try:
        yield lambda: bool(tray.letters)
    finally:
        receiver.stop()
        spool.stop()


@contextmanager
def _stored(config: Config, letter: LetterOut) -> Iterator[CameBack]:
    """Look at what waits in the database; the letter is laid aside when it is found, for nobody has to answer it."""
    store, name = store_of(config), letter.message_id.encode()

    def came() -> bool:
        with store.step() as step:
            found = [row for row in step.letters("new") if name in head_of(row.raw)]
            for row in found:
                step.finish_letter(row.id, "ignored", "the referee wrote it to itself while it was set up")
        return bool(found)

    try:
        yield came
    finally:
        store.close()
