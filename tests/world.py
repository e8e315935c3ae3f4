"""A whole referee in one process for tests: real store, real templates, real letters; only time is turned by hand."""

from __future__ import annotations

import email
import email.policy
import itertools
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage, Message
from email.parser import BytesHeaderParser, BytesParser
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec
from sqlalchemy import text

from referee.adapters.pages.render import TemplateRenderer
from referee.adapters.store.store import Store
from referee.core.game import colours_of
from referee.core.record import Answered, Entry
from referee.games import GAMES
from referee.service.base import notes
from referee.service.base.office import At, Limits, Office
from referee.service.base.ports import Alarm, LetterIn, LetterOut, Step
from referee.service.intake.deadlines import scan
from referee.service.intake.inbox import handle_new
from referee.service.match.playing import Playing, codec_of, load
from referee.service.post.tray import written
from tests.standins import FakeClock, SeededSecrets

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

ADDRESS = "referee@games.example"
BEGINS = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
"""When the clock of a World begins."""
_TRUSTED = "mx.games.example"
_COLOURS = {game.title: colours_of(game) for game in GAMES}
DRAWING = TemplateRenderer(colours=_COLOURS)
"""Letters as they are sent, maps and all."""


class _Undrawn(TemplateRenderer):
    """Letters whose maps are blank: to draw them took a ninth of the time of all worlds, and hardly a test looks at one.

    Tests of boards, pages and pictures draw maps; test_map looks at letters with them.
    """

    def picture(self, svg: str) -> bytes:
        return _BLANK

    def halves(self, svg: str, seam: int) -> tuple[bytes, bytes]:
        return _BLANK, _BLANK


_RENDERER = _Undrawn(colours=_COLOURS)
_BLANK = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010100000000376ef924"
    "0000000a49444154789c636800000082008177cd72b60000000049454e44ae426082"
)
"""A picture of one dot."""
_TOKEN_SECRET = text(
    "INSERT INTO note (match, seat, name, value) "
    f"VALUES ('', '', '{notes.TOKEN_SECRET.name}', :secret) ON CONFLICT DO NOTHING"
)
_TOLD_TO_OTHERS = re.compile(r"- \d+ others? (?:is|are) told")
_BEARERS = ("report", "question", "started", "farewell")
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_FRESH = text("SELECT id FROM letter_out WHERE id > :last ORDER BY id")


class _EachHeaderOnce(HeaderRegistry):
    """Headers are values, and asked for again and again: read each time, they would take a third of all time of such tests."""

    def __init__(self) -> None:
        super().__init__()
        self._read = lru_cache(4096)(super().__call__)
        self._kind = lru_cache(super().__getitem__)

    def __call__(self, name: str, value: Any) -> Any:
        return self._read(name, value)

    def __getitem__(self, name: str) -> Any:
        return self._kind(name)


_POLICY = email.policy.default.clone(header_factory=_EachHeaderOnce())


class Mail:
    """A letter the referee sent, as a mail program shows it; read no further than it is asked for, and once."""

    def __init__(self, kind: str, raw: bytes | Callable[[], bytes], recipient: str) -> None:
        """`raw` may be what writes the letter out: to do so for all that nobody looks at takes a fifth of the time."""
        self.kind = kind
        self._raw = raw
        self.to = recipient

    @cached_property
    def raw(self) -> bytes:
        return self._raw if isinstance(self._raw, bytes) else self._raw()

    @cached_property
    def message(self) -> EmailMessage:
        return BytesParser(_class=EmailMessage, policy=_POLICY).parsebytes(self.raw)

    @cached_property
    def _head(self) -> EmailMessage:
        """Without the bodies, whose maps and tables take most of the time; enough to see whose letter it is."""
        head = _END_OF_HEAD.split(self.raw, 1)[0]
        return BytesHeaderParser(_class=EmailMessage, policy=_POLICY).parsebytes(head + b"\n\n")

    @cached_property
    def subject(self) -> str:
        return str(self._head["Subject"])

    @cached_property
    def reply_to(self) -> str:
        return str(self._head["Reply-To"].addresses[0].addr_spec)

    @cached_property
    def message_id(self) -> str:
        return str(self._head["Message-ID"])

    @cached_property
    def answers(self) -> str:
        """The Message-ID of the letter that it answers; "" for one that nobody asked for."""
        return str(self._head["In-Reply-To"] or "")

    def is_a(self, kind: str) -> bool:
        """Whether it is of this kind; one that answers may be a receipt or a notice besides, for they go together."""
        if kind == "notice" and self.answers and self.kind in ("receipt", *_BEARERS):
            return bool(_TOLD_TO_OTHERS.search(self.flat))
        return self.kind == kind or (kind == "receipt" and self.kind in _BEARERS and bool(self.answers))

    @cached_property
    def text(self) -> str:
        part = self.message.get_body(("plain",))
        assert part is not None
        return str(part.get_content())

    @cached_property
    def flat(self) -> str:
        """The text with every stretch of white space as one blank, without bars, for looking up sentences."""
        return " ".join(" ".join(line.removeprefix("  |") for line in self.text.splitlines()).split())

    @cached_property
    def html(self) -> str:
        """ "" in a letter of text alone."""
        part = self.message.get_body(("html",))
        return str(part.get_content()) if part is not None else ""


def _written_out(headers: Mapping[str, str], body: str) -> bytes:
    """A plain letter as the library writes it. One that needs no folding and no encoding, as most, is put together here: the
    library took a sixth of all the time of a letter and its answer.
    """
    head = [f"{name}: {value}" for name, value in headers.items()]
    lines = body.split("\n")
    if all(map(_stands_as_it_is, (*head, *lines))) and all(headers.values()) and "=?" not in "".join(head):
        rest = "" if body.endswith("\n") else "\n"
        return "\n".join((*head, *_OF_PLAIN_TEXT, "", body + rest)).encode()
    message = EmailMessage(_POLICY)
    for name, value in headers.items():
        message[name] = value
    message.set_content(body)
    return message.as_bytes()


_OF_PLAIN_TEXT = ('Content-Type: text/plain; charset="utf-8"', "Content-Transfer-Encoding: 7bit", "MIME-Version: 1.0")


def _stands_as_it_is(line: str) -> bool:
    return len(line) < 78 and line.isascii() and (not line or line.isprintable())


def _bytes_of(office: Office, letter: LetterOut) -> bytes:
    return written(office, letter).raw


def asks_for_yes(mail: Mail) -> bool:
    """Whether a letter waits for its reader's YES: one that was kept, or one by which something would be lost."""
    return mail.kind == "confirmation" or ("LOOK AGAIN" in mail.subject and "waits for your YES" in mail.flat)


def data_of(part: Message) -> bytes:
    """What is in one part of a letter, out of its transfer encoding."""
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    return data


STORE = os.environ.get("STORE", "")
"""Set to "ahead" all worlds reckon as the desks do that share a SQLite database: STORE=ahead pytest tests/service."""


@cache
def _empty() -> bytes:
    """A database that was opened once: to make its tables takes ten times as long as to copy them."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "referee.sqlite")
        Store(f"sqlite:///{file}").close()
        return file.read_bytes()


def lay_empty(file: Path) -> None:
    """Lay an empty database there, if there is none."""
    if not file.exists():
        file.write_bytes(_empty())


class World:
    """The referee, its post and its clock."""

    def __init__(self, folder: Path, seed: str = "world", first: int = 1, database: str = "", **office: Any) -> None:
        """`first` numbers the first letter: higher for a folder in which another World has written letters.

        `database` is the address of another database than the one in the folder.
        """
        self.clock = FakeClock(BEGINS)
        if not database:
            lay_empty(folder / "referee.sqlite")
        self.store = Store(database or f"sqlite:///{folder / 'referee.sqlite'}", ahead=STORE == "ahead")
        self.office = Office(
            store=self.store,
            clock=self.clock,
            uptime=self.clock.uptime,
            secrets=SeededSecrets(seed),
            renderer=_RENDERER,
            games={game.name: game for game in GAMES},
            address=ADDRESS,
            limits=Limits(),
            **office,
        )
        with self.store.engine.begin() as db:  # drawn aside, so that no match's dice depend on who is answered first
            db.execute(
                _TOKEN_SECRET, {"secret": msgspec.json.encode(SeededSecrets(f"tokens of {seed}").secret()).decode()}
            )
        self._count = itertools.count(first)
        self.came: list[tuple[str, bytes]] = []
        self._read = 0
        self._mail: list[Mail] = []
        self._last = 0

    def close(self) -> None:
        self.store.close()

    def put(self, raw: bytes, sender: str, recipient: str, transport: str = "") -> None:
        """Lay bytes into the inbox without handling them."""
        self.came.append((sender, raw))
        with self.store.step() as step:
            transport = transport or f"test:{next(self._count)}"
            step.receive([LetterIn(0, transport, self.clock.now(), sender, recipient, raw)])

    def write(
        self,
        sender: str,
        body: str,
        to: str = ADDRESS,
        subject: str = "orders",
        message_id: str = "",
        says: str = "YES",
        **headers: str,
    ) -> list[Mail]:
        """Send a plain letter and let the referee handle it; what he sends in answer.

        Where an address that proved nothing is asked whether it wrote, it `says` so, and the question is told of no
        further; "" for no answer.
        """
        told = {"From": sender, "To": to, "Subject": subject}
        told["Date"] = headers.pop("Date", "") or email.utils.format_datetime(self.clock.now())
        told["Message-ID"] = message_id or f"<{next(self._count)}@{sender.rpartition('@')[2].rstrip('>')}>"
        told |= {name.replace("_", "-"): value for name, value in headers.items()}
        self.put(_written_out(told, body), email.utils.parseaddr(sender)[1], to)
        mails = self.work()
        asked = next((mail for mail in mails if mail.kind == "entry"), None) if says else None
        if asked is None:
            return mails
        return [mail for mail in mails if mail is not asked] + self.write(asked.to, says, asked.reply_to)

    def vouched(self, sender: str, body: str, subject: str = "orders", **headers: str) -> list[Mail]:
        """As `write`, by somebody for whose address a mail server vouches that is trusted from now on."""
        self.office = replace(self.office, trusted=(_TRUSTED,))
        headers["Authentication_Results"] = f"{_TRUSTED}; dmarc=pass header.from={sender.rpartition('@')[2]}"
        return self.write(sender, body, subject=subject, **headers)

    def work(self) -> list[Mail]:
        """Handle what came in and what is due; the letters written meanwhile."""
        while handle_new(self.office) or scan(self.office):
            pass
        return self.new_mail()

    def wait(self, **span: float) -> list[Mail]:
        """Let time pass."""
        self.clock.advance(timedelta(**span))
        return self.work()

    # ------------------------------------------------------------ what a test looks at

    def player(self, seat: str, match: str = "nw1") -> str:
        """The address of who plays a seat now."""
        with self.store.look() as step:
            (member,) = [m for m in step.members(match) if m.seat == seat and m.status == "playing"]
            found = step.player(member.player)
        assert found is not None
        return found.addresses[0]

    def seat(self, address: str, match: str = "nw1") -> str:
        """The seat an address plays."""
        with self.store.look() as step:
            found = step.player_at(address)
            assert found is not None
            return next(m.seat for m in step.members(match) if m.player == found.id and m.status == "playing")

    def playing(self, match: str = "nw1") -> Playing:
        """The match as its log leaves it."""
        with self.store.look() as step:
            row = step.match(match)
            assert row is not None
            return load(At(self.office, step), row)

    def told(self, tell: Callable[Concatenate[Step, Playing, P], T], match: str, *args: P.args, **how: P.kwargs) -> T:
        """What is told of a match as its log leaves it."""
        with self.store.look() as step:
            return tell(step, self.playing(match), *args, **how)

    def waits_for(self, match: str = "nw1") -> str:
        """The only seat that owes something."""
        (question,) = self.playing(match).outcome.open
        return question.seat

    def on_turn(self, match: str = "nw1") -> str:
        """The address of the only player who owes something."""
        return self.player(self.waits_for(match), match)

    def entries(self, match: str = "nw1") -> list[Entry]:
        """The log."""
        with self.store.look() as step:
            return step.entries(match)

    def log(self, kind: type[R], match: str = "nw1") -> list[R]:
        """All records of a kind in the log, dead or alive."""
        codec = codec_of(self.playing(match).game)
        records = [codec.load(entry.payload) for entry in self.entries(match)]
        return [record for record in records if isinstance(record, kind)]

    def closed(self, match: str = "nw1") -> list[Answered]:
        """The answers that closed whole order sheets, oldest first."""
        return [answer for answer in self.log(Answered, match) if answer.key.endswith("/orders")]

    def alarms(self, kind: str, match: str = "nw1") -> list[Alarm]:
        """The alarms of a kind that are set."""
        with self.store.look() as step:
            return [alarm for alarm in step.alarms(match) if alarm.kind == kind]

    def status(self, match: str = "nw1") -> str:
        """The status of a match."""
        return self.playing(match).row.status

    def corrupt(self, match: str) -> None:
        """Spoil a match's log on the disk, and its head, so that no copy in memory hides it."""
        with self.store.engine.begin() as db:
            db.execute(text("UPDATE entry SET payload = '{}' WHERE match = :match AND seq = 1"), {"match": match})
            head = "(SELECT max(seq) FROM entry WHERE match = :match)"
            db.execute(text(f"UPDATE entry SET hash = 'x' WHERE match = :match AND seq = {head}"), {"match": match})

    def letters(self, status: str) -> list[LetterIn]:
        """Letters that came in, by status."""
        with self.store.look() as step:
            return step.letters(status)

    def drawer(self, seat: str, drawer: str, match: str = "nw1") -> list[str]:
        """The lines a seat has in a drawer; "orders" finds the draft of the open question."""
        drawers = self.playing(match).outcome.drawers
        return [
            item.text
            for (owner, name), sheet in drawers.items()
            if owner == seat and (name == drawer or name.partition(":")[0] == drawer)
            for item in sheet
        ]

    def all_mail(self) -> list[Mail]:
        """Every letter written so far, oldest first."""
        with self.store.engine.begin() as db:
            fresh = db.execute(_FRESH, {"last": self._last}).scalars().all()
        with self.store.look() as step:
            for number in fresh:
                letter = step.posted(number)
                assert letter is not None  # nothing is ever taken out of the outbox
                self._mail.append(Mail(letter.kind, partial(_bytes_of, self.office, letter), letter.recipient))
                self._last = number
        return list(self._mail)

    def new_mail(self) -> list[Mail]:
        """Letters written since the last look."""
        every = self.all_mail()
        fresh, self._read = every[self._read :], len(every)
        return fresh

    def last(self, address: str, kind: str = "") -> Mail:
        """The last letter to an address."""
        return [m for m in self.all_mail() if m.to == address and (not kind or m.is_a(kind))][-1]

    def reply(self, sender: str, body: str, kind: str = "", confirms: bool = True) -> list[Mail]:
        """Reply to the last letter (of a kind) that came to this address, and say YES where that is asked for."""
        last, says = self.last(sender, kind), "YES" if confirms else ""
        mails = self.write(sender, body, last.reply_to, f"Re: {last.subject}", says=says, In_Reply_To=last.message_id)
        asked = [mail for mail in mails if confirms and mail.to == sender and asks_for_yes(mail)]
        for question in asked:
            mails = [mail for mail in mails if mail is not question] + self.write(sender, "YES", question.reply_to)
        return mails
