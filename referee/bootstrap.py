"""The only place where real things meet: settings, database, mail, templates, clock, games."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO

from sqlalchemy.engine import make_url

from referee.adapters import pipe
from referee.adapters.arrival import Desk, Put, WayIn
from referee.adapters.child import Child
from referee.adapters.clock import FileClock, SystemClock
from referee.adapters.drawings import DrawingFolder
from referee.adapters.imap import ImapReader, Reconnecting
from referee.adapters.imap_account import Account
from referee.adapters.mailbag import Mailbag
from referee.adapters.maildir import MaildirSender
from referee.adapters.maildir_in import MaildirReader
from referee.adapters.postman import Patience, Postman
from referee.adapters.render import TemplateRenderer
from referee.adapters.secrets import SystemSecrets
from referee.adapters.sender import Sender
from referee.adapters.site import Site
from referee.adapters.smtp_in import Listening, Receiver, Verdict
from referee.adapters.smtp_out import Relay, RelaySender
from referee.adapters.spool import Spool
from referee.adapters.store import SqlStore
from referee.adapters.wakeup import Wakeup
from referee.adapters.worker import Worker
from referee.config import Config, ConfigError
from referee.core.game import AnyGame
from referee.games import GAMES
from referee.games.empire.game import EmpireGame
from referee.mail import bounce_mark, parse_recipient, token_digest, verp
from referee.mail.signing import Signer, signed
from referee.service.archive import archive_of
from referee.service.contact import Contact, NotedContact, leave_alone
from referee.service.office import Downtime, Limits, Office
from referee.service.ports import Clock, LetterOut
from referee.service.settings import ClockSettings
from referee.service.trouble import report_closed_mailbox
from referee.service.undelivered import report_undelivered

__all__ = ["Service", "imap_account", "mailbag", "opened", "publish", "relay_sender", "take_letter"]


def _clock(config: Config) -> Clock:
    return FileClock(config.clock_file) if config.clock_file else SystemClock()


def _desk(config: Config) -> Desk:
    receive = config.receive
    return Desk(config.referee.address, receive.recipient_headers, receive.max_letter_mb * 1024 * 1024)


def imap_account(config: Config) -> Account:
    """The mailbox of these settings. Raises ConfigError when its password is not to be had."""
    imap = config.imap
    return Account(
        host=imap.host,
        port=imap.port,
        security=imap.security,
        user=imap.user,
        password=config.imap_password(),
        token_command=imap.token_command,
        ca_file=str(config.home / imap.ca_file) if imap.ca_file else "",
        folder=imap.folder,
        keyword=imap.keyword,
        move_to=imap.move_to,
        idle_seconds=imap.idle_minutes * 60,
        timeout_seconds=imap.timeout_seconds,
        server_dates=config.clock_file is None,
    )


def _ways_in(
    config: Config, clock: Clock, put: Put, refused: Callable[[str], None], contact: Contact
) -> tuple[WayIn, ...]:
    """The ways in that the settings open beside SMTP; `refused` hears when the mailbox does not let us in."""
    ways: list[WayIn] = []
    if config.imap.host:
        again = Reconnecting(config.imap.retry_first_seconds, config.imap.retry_longest_seconds)
        ways.append(
            ImapReader(imap_account(config), _desk(config), clock, put, again, refused=refused, contact=contact)
        )
    if config.maildir.path:
        box, rest, own_time = config.home / config.maildir.path, config.clock.scan_seconds, config.clock_file is None
        ways.append(MaildirReader(box, _desk(config), clock, put, rest, own_time))
    return tuple(ways)


def take_letter(config: Config, source: BinaryIO, who: pipe.Envelope) -> None:
    """Store one letter while the service runs or not; it is handled at the service's next look. Raises if it cannot."""
    config.data_folder.mkdir(parents=True, exist_ok=True)
    store = SqlStore(config.database_url)
    try:
        pipe.take(store, _desk(config), _clock(config), source, who)
    finally:
        store.close()


def _sender(config: Config) -> Sender:
    send = config.send
    if send.method == "maildir":
        return MaildirSender(config.mail_folder)
    return relay_sender(config, send.timeout_seconds)


def relay_sender(config: Config, timeout: float) -> RelaySender:
    """The way to the relay of these settings. Raises ConfigError when its password is not to be had."""
    send = config.send
    relay = Relay(
        send.host,
        send.port,
        send.security,
        send.user,
        config.relay_password(),
        timeout,
        token_command=send.token_command,
    )
    return RelaySender(relay, _bounces_to if send.verp else lambda letter: letter.sender)


def _bounces_to(letter: LetterOut) -> str:
    """The envelope sender of a letter: an address of its own, none for what must never bounce."""
    return letter.sender and verp(letter.sender, letter.id, bounce_mark(letter.raw))


def _signature(config: Config) -> Callable[[bytes], bytes]:
    """How letters are signed; the key is tried at once, so that a wrong one is told at the start."""
    key, dkim = config.dkim_key(), config.dkim
    if not key:
        return lambda raw: raw
    signer = Signer(dkim.selector, dkim.domain or config.host, key)
    try:
        signed(b"From: a@b.example\r\n\r\n", signer)
    except ValueError as error:
        raise ConfigError(f"[dkim] key_file {dkim.key_file!r}: {error}.") from error
    return lambda raw: signed(raw, signer)


def mailbag(config: Config) -> Mailbag | None:
    """Where letters lie until the desk takes them: beside a database that has one writer, None for others."""
    url = make_url(config.database_url)
    return Mailbag(Path(f"{url.database}-mailbag")) if url.get_backend_name() == "sqlite" else None


def _contacts(config: Config, store: SqlStore, clock: Clock) -> dict[str, NotedContact]:
    """The mail servers whose absence counts as downtime; none where the time is read from a file."""
    servers = {}
    if config.imap.host:
        servers["mailbox"] = f"the mailbox {config.imap.user}@{config.imap.host}"
    if config.send.method == "smtp":
        servers["relay"] = f"the relay {config.send.host}:{config.send.port}"
    measured = config.clock_file is None
    return {kind: NotedContact(store, clock, kind, name) for kind, name in servers.items() if measured}


@contextmanager
def opened(config: Config, ran: Callable[[str], None] = lambda _: None) -> Iterator[Office]:
    """The office of these settings, its database open and up to date. `ran` is told of matches that changed."""
    config.data_folder.mkdir(parents=True, exist_ok=True)
    store = SqlStore(config.database_url)
    try:
        yield _office(config, store, ran)
    finally:
        store.close()


def _office(config: Config, store: SqlStore, ran: Callable[[str], None]) -> Office:
    clock = config.clock
    hours = clock.deadline_hours
    settings = ClockSettings(hours, hours / 2, clock.reminder_hours, clock.mind_minutes, late=clock.late)
    limits = Limits(
        orders=config.limits.max_orders,
        refusals_a_day=config.limits.refusals_a_day,
        attempts=config.limits.max_attempts,
    )
    return Office(
        store=store,
        clock=_clock(config),
        secrets=SystemSecrets(),
        renderer=TemplateRenderer(),
        games={game.name: game for game in _games(config)},
        address=config.referee.address,
        name=config.referee.name,
        creators=frozenset(address.lower() for address in config.gm.addresses),
        clock_defaults=settings,
        limits=limits,
        downtime=Downtime(timedelta(minutes=clock.downtime_minutes), timedelta(hours=clock.wait_longest_hours)),
        trusted=config.receive.trusted_authserv,
        keeper=config.gm.keeper,
        allow=config.gm.allow,
        deny=config.gm.deny,
        sign=_signature(config),
        ran=ran,
    )


def _games(config: Config) -> tuple[AnyGame, ...]:
    """Every game, Empire with the boards drawn here."""
    here = EmpireGame(DrawingFolder(config.boards_folder))
    return tuple(here if game.name == here.name else game for game in GAMES)


def publish(office: Office, site: Site, match: str) -> Path | None:
    """Write the archive folder of a match; its index page, or None for a match that has not begun."""
    with office.store.look() as step:
        row = step.match(match)
        if row is None or step.last_entry(match) is None:
            return None
        folder = site.root / match
        have = {path.name for path in folder.glob("turn-*.html")} if folder.is_dir() else set()
        files, index = archive_of(office, step, row, have)
    return site.publish(match, files, index)


@dataclass(frozen=True)
class _Parts:
    """Everything that runs while the service is up, in the order in which it starts."""

    spool: Spool
    ways: tuple[WayIn, ...]
    receiver: Receiver
    desk: Child
    post: Worker
    archive: Worker
    wakeup: Wakeup


class Service:
    """The running service: receiver, postman and archive in threads of this process, the desk in one of its own.

    `branches`: the desk's process is forked from this one, which must have nothing open and run no threads then.
    """

    def __init__(self, config: Config, branches: bool = False) -> None:
        self._desk_process = Child("referee.desk_process", config, self._heard)
        if branches:
            self._desk_process.branch_off()
        config.data_folder.mkdir(parents=True, exist_ok=True)
        self._config = config
        self._store = SqlStore(config.database_url)
        self._bag = mailbag(config)
        self._changed: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._unpublished: dict[str, None] = {}
        self.office = _office(config, self._store, self._changed.put)
        self._site = Site(config.archive_folder)
        self._contacts = _contacts(config, self._store, self.office.clock)
        self._parts = self._assemble()

    def _assemble(self) -> _Parts:
        config, office, rest = self._config, self.office, self._config.clock.scan_seconds
        patience = Patience(
            timedelta(minutes=config.send.retry_first_minutes),
            timedelta(hours=config.send.retry_longest_hours),
            timedelta(days=config.send.give_up_days),
        )
        postman = Postman(
            self._store,
            _sender(config),
            office.clock,
            office.secrets,
            patience,
            self._gave_up,
            contact=self._contacts.get("relay"),
        )
        post = Worker("postman", postman.deliver, rest)
        archive = Worker("archivist", self._archive_one, rest)
        desk = self._desk_process
        spool = Spool(self._bag or self._store, desk.wake)
        listening = Listening(
            config.receive.host,
            config.receive.port,
            config.receive.protocol,
            config.receive.max_letter_mb * 1024 * 1024,
            config.host,
        )
        receiver = Receiver(spool, self.accepts, office.clock, listening)
        mailbox = self._contacts.get("mailbox", Contact())
        ways = _ways_in(config, office.clock, spool.put, self._not_let_in, mailbox)
        return _Parts(spool, ways, receiver, desk, post, archive, Wakeup(desk.wake, rest))

    def start(self) -> int:
        """Begin; returns the port letters are taken on. Raises OSError when it is taken."""
        parts = self._parts
        self._await_contact()
        parts.desk.start()
        parts.spool.start()
        for worker in (parts.post, parts.archive):
            worker.start()
        for way in parts.ways:
            way.start()
        port = parts.receiver.start()
        parts.wakeup.start()
        return port

    def stop(self) -> None:
        """End what is under way and let go of everything."""
        parts = self._parts
        parts.wakeup.stop()
        parts.receiver.stop()
        for way in parts.ways:
            way.stop()
        parts.spool.stop()
        parts.desk.stop()
        for worker in (parts.post, parts.archive):
            worker.stop()
        if self._bag is not None:
            self._bag.close()
        self._store.close()

    def _await_contact(self) -> None:
        """No deadline runs before the letters in the mailbox are read; what the settings name no more is forgotten."""
        leave_alone(self._store, self.office.clock.now(), self._contacts.keys())
        if "mailbox" in self._contacts:
            self._contacts["mailbox"].expect(self.office.downtime.least)

    def _not_let_in(self, reason: str) -> None:
        report_closed_mailbox(self.office, imap_account(self._config).name, reason)

    def _gave_up(self, letter: LetterOut, reason: str) -> None:
        report_undelivered(self.office, letter, reason)

    def accepts(self, recipient: str) -> Verdict:
        """Whether a letter to this address is taken: our own address, or a reply address with a token we gave out."""
        route = parse_recipient(recipient, self.office.address)
        if route is None:
            return "unknown"
        if route.token is None:
            return "yes"
        with self._store.look() as step:
            return "yes" if step.token(token_digest(route.token)) else "unknown"

    def _heard(self, line: str) -> None:
        """What the desk says: which match changed, and when there may be letters to send."""
        word, _, match = line.partition(" ")
        if word == "ran":
            self._changed.put(match)
            self._parts.archive.wake()
        elif word == "open":
            for name in self._matches():  # only now: thousands of pages would keep the desk from opening
                self._changed.put(name)
            self._parts.archive.wake()
        else:
            self._parts.post.wake()

    def _matches(self) -> list[str]:
        with self._store.look() as step:
            return [row.name for row in step.matches() if row.status != "forming"]

    def _archive_one(self) -> int:
        """Write the pages of one match that changed, so that a service that ends need not wait for all of them."""
        while not self._changed.empty():
            self._unpublished[self._changed.get_nowait()] = None
        if not self._unpublished:
            return 0
        name = next(iter(self._unpublished))
        del self._unpublished[name]
        publish(self.office, self._site, name)
        return 1
