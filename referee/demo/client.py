"""A mail client: sends by SMTP, reads its own Maildir, replies as mail programs do. It knows nothing of the referee."""

from __future__ import annotations

import email
import email.policy
import re
import smtplib
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import formataddr, make_msgid, parseaddr
from functools import cached_property
from pathlib import Path

PATIENCE = 180.0
"""How many seconds of real time a client waits for a letter before it gives up."""

_PAUSE = 0.01


class NoLetter(Exception):
    """A letter that should have come did not. The message says which, for whom, and what came instead."""


class Letter:
    """A letter as a mail program shows it."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        parsed = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(parsed, EmailMessage)  # what this policy makes
        self.message = parsed

    def header(self, name: str) -> str:
        """A header on one line, "" when there is none."""
        return re.sub(r"\s+", " ", str(self.message[name] or ""))

    @cached_property
    def subject(self) -> str:
        return self.header("Subject")

    @cached_property
    def heading(self) -> str:
        """The title over its text, which a receipt may precede; "" without one."""
        found = re.search(r"^(\S.*)\n=+$", self.text.replace("\r\n", "\n"), re.MULTILINE)
        return found[1] if found else ""

    @property
    def id(self) -> str:
        """Its Message-ID."""
        return self.header("Message-ID")

    @cached_property
    def answers(self) -> str:
        """The Message-ID of the letter it answers."""
        return self.header("In-Reply-To")

    @property
    def reply_to(self) -> str:
        """Where a reply goes."""
        return parseaddr(self.header("Reply-To") or self.header("From"))[1]

    @cached_property
    def text(self) -> str:
        return self._part("plain")

    @property
    def html(self) -> str:
        return self._part("html")

    @property
    def pictures(self) -> dict[str, bytes]:
        """The pictures that come with the HTML, by the name it calls them."""
        images = [part for part in self.message.walk() if part.get_content_type() == "image/png" and part["Content-ID"]]
        return {str(part["Content-ID"]).strip("<> "): bytes(part.get_content()) for part in images}

    @property
    def files(self) -> dict[str, bytes]:
        """The files that come with it, by their names."""
        named = [part for part in self.message.walk() if part.get_filename()]
        return {str(part.get_filename()): bytes(part.get_payload(decode=True) or b"") for part in named}

    @cached_property
    def flat(self) -> str:
        """The text with all white space as single spaces and no bars, so that a sentence is found wherever its lines break."""
        return re.sub(r"\s+", " ", re.sub(r"^  \|", "", self.text, flags=re.MULTILINE))

    def _part(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        return str(part.get_content()) if part is not None else ""


Wanted = Callable[[Letter], bool]


@dataclass(frozen=True)
class Server:
    """Where letters are handed in."""

    host: str
    port: int


class MailClient:
    """One person at his mail program. `now` dates his letters."""

    def __init__(self, name: str, address: str, box: Path, server: Server, now: Callable[[], datetime]) -> None:
        self.name = name
        self.address = address
        self.letters: list[Letter] = []
        self._unread: list[Letter] = []
        self._box = box
        self.server = server
        self._now = now

    def fetch(self) -> list[Letter]:
        """Take what is new in the mailbox, oldest first, and mark it as seen on disk."""
        fresh = []
        for file in sorted((self._box / "new").glob("*")):
            seen = file.rename(self._box / "cur" / f"{file.name}:2,S")
            fresh.append(Letter(seen.read_bytes()))
        self.letters += fresh
        self._unread += fresh
        return fresh

    def find(self, wanted: Wanted) -> Letter | None:
        """The oldest unread letter of a kind, which is read by this; None when there is none yet."""
        self.fetch()
        found = next((letter for letter in self._unread if wanted(letter)), None)
        if found is not None:
            self._unread.remove(found)
        return found

    def expect(self, what: str, wanted: Wanted, patience: float = PATIENCE) -> Letter:
        """Wait for a letter of a kind. Raises NoLetter, naming `what` did not come."""
        until = time.monotonic() + patience
        while (found := self.find(wanted)) is None:
            if time.monotonic() > until:
                raise NoLetter(self._in_vain(what))
            time.sleep(_PAUSE)
        return found

    def answer_to(self, message_id: str, what: str, patience: float = PATIENCE) -> Letter:
        """Wait for the letter that answers one of ours. Raises NoLetter."""
        return self.expect(what, lambda letter: letter.answers == message_id, patience)

    def mark_unread(self, letter: Letter) -> None:
        """Let a letter be found again."""
        self._unread.insert(0, letter)

    def read_all(self) -> None:
        """Leave nothing unread."""
        self.fetch()
        self._unread.clear()

    def send(self, to: str, subject: str, body: str, answers: Letter | None = None) -> str:
        """Hand a letter to the server; its Message-ID. Raises smtplib.SMTPException when it is not taken."""
        message = self.write(to, subject, body, answers)
        with smtplib.SMTP(self.server.host, self.server.port, timeout=PATIENCE) as server:
            server.send_message(message, self.address, [to])
        return str(message["Message-ID"])

    def write(self, to: str, subject: str, body: str, answers: Letter | None = None) -> EmailMessage:
        """The letter `send` would send."""
        message = EmailMessage()
        message["From"] = formataddr((self.name, self.address))
        message["To"] = to
        message["Subject"] = subject
        message["Date"] = self._now()
        message["Message-ID"] = make_msgid(domain=self.address.rpartition("@")[2])
        if answers is not None:
            message["In-Reply-To"] = answers.id
            message["References"] = f"{answers.header('References')} {answers.id}".strip()
        message.set_content(body)
        return message

    def reply(self, letter: Letter, body: str, quoting: bool = False) -> str:
        """Reply to a letter, quoting it below as phones do if told to; the reply's Message-ID."""
        subject = letter.subject if letter.subject.lower().startswith("re:") else f"Re: {letter.subject}"
        text = body if not quoting else f"{body}\n\n{_quoted(letter)}"
        return self.send(letter.reply_to, subject, text, letter)

    def _in_vain(self, what: str) -> str:
        latest = "; ".join(f"“{letter.subject}”" for letter in self.letters[-3:]) or "nothing at all"
        return f"{self.name} waited in vain for {what}. The latest letters in that mailbox: {latest}."


def _quoted(letter: Letter) -> str:
    sender = parseaddr(letter.header("From"))
    head = f"On {letter.header('Date')}, {sender[0]} <{sender[1]}> wrote:"
    return "\n".join((head, "", *(f"> {line}".rstrip() for line in letter.text.splitlines())))
