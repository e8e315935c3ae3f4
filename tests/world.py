"""A whole referee in one process for tests: real store, real templates, real letters; only time is turned by hand."""

from __future__ import annotations

import email
import email.policy
import itertools
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

from referee.adapters.clock import FakeClock
from referee.adapters.render import TemplateRenderer
from referee.adapters.secrets import SeededSecrets
from referee.adapters.store import SqlStore
from referee.games import GAMES
from referee.service.deadlines import scan
from referee.service.inbox import handle_new
from referee.service.office import Limits, Office
from referee.service.ports import LetterIn

__all__ = ["ADDRESS", "Mail", "World"]

ADDRESS = "referee@games.example"
_RENDERER = TemplateRenderer()


class Mail:
    """A letter the referee sent, as a mail program shows it."""

    def __init__(self, kind: str, raw: bytes) -> None:
        self.kind = kind
        self.raw = raw
        self.message: EmailMessage = email.message_from_bytes(raw, policy=email.policy.default)  # type: ignore[assignment]

    @property
    def subject(self) -> str:
        return str(self.message["Subject"])

    @property
    def to(self) -> str:
        return str(self.message["To"].addresses[0].addr_spec)

    @property
    def reply_to(self) -> str:
        return str(self.message["Reply-To"].addresses[0].addr_spec)

    @property
    def text(self) -> str:
        part = self.message.get_body(("plain",))
        assert part is not None
        return str(part.get_content())

    @property
    def html(self) -> str:
        part = self.message.get_body(("html",))
        assert part is not None
        return str(part.get_content())


class World:
    """The referee, its post and its clock."""

    def __init__(self, folder: Path, seed: str = "world", **office: object) -> None:
        self.clock = FakeClock(datetime(2026, 11, 21, 12, 0, tzinfo=UTC))
        self.store = SqlStore(f"sqlite:///{folder / 'referee.sqlite'}")
        self.office = Office(
            store=self.store,
            clock=self.clock,
            secrets=SeededSecrets(seed),
            renderer=_RENDERER,
            games={game.name: game for game in GAMES},
            address=ADDRESS,
            limits=Limits(),
            **office,  # type: ignore[arg-type]
        )
        self._count = itertools.count(1)
        self._read = 0

    def close(self) -> None:
        self.store.close()

    def put(self, raw: bytes, sender: str, recipient: str, transport: str = "") -> None:
        """Lay bytes into the inbox without handling them."""
        with self.store.step() as step:
            transport = transport or f"test:{next(self._count)}"
            step.receive([LetterIn(0, transport, self.clock.now(), sender, recipient, raw)])

    def write(
        self, sender: str, body: str, to: str = ADDRESS, subject: str = "orders", message_id: str = "", **headers: str
    ) -> list[Mail]:
        """Send a plain letter and let the referee handle it; what he sends in answer."""
        message = EmailMessage()
        message["From"] = sender
        message["To"] = to
        message["Subject"] = subject
        message["Date"] = self.clock.now()
        message["Message-ID"] = message_id or f"<{next(self._count)}@{sender.rpartition('@')[2].rstrip('>')}>"
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        message.set_content(body)
        address = email.utils.parseaddr(sender)[1]
        self.put(message.as_bytes(), address, to)
        return self.work()

    def work(self) -> list[Mail]:
        """Handle what came in and what is due; the letters written meanwhile."""
        while handle_new(self.office) or scan(self.office):
            pass
        return self.new_mail()

    def wait(self, **span: float) -> list[Mail]:
        """Let time pass."""
        self.clock.advance(timedelta(**span))
        return self.work()

    def all_mail(self) -> list[Mail]:
        """Every letter written so far, oldest first."""
        with self.store.look() as step:
            matches = ["", *(row.name for row in step.matches())]
            claimed = [letter for match in matches for letter in step.outgoing(match)]
        return [Mail(letter.kind, letter.raw) for letter in sorted(claimed, key=lambda letter: letter.id)]

    def new_mail(self) -> list[Mail]:
        """Letters written since the last look."""
        every = self.all_mail()
        fresh, self._read = every[self._read :], len(every)
        return fresh

    def last(self, address: str, kind: str = "") -> Mail:
        """The last letter to an address."""
        return [m for m in self.all_mail() if m.to == address and (not kind or m.kind == kind)][-1]

    def reply(self, sender: str, body: str, kind: str = "") -> list[Mail]:
        """Reply to the last letter (of a kind) that came to this address."""
        last = self.last(sender, kind)
        return self.write(
            sender, body, last.reply_to, f"Re: {last.subject}", In_Reply_To=str(last.message["Message-ID"])
        )
