"""The ways letters take in and out: which recipients are taken at all, how letters leave, and where pages are published."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO

from referee.adapters.files import told
from referee.adapters.incoming import maildir
from referee.adapters.incoming.doorkeeper import Bounds
from referee.adapters.incoming.imap import Account, ImapReader, Reconnecting
from referee.adapters.incoming.mailbag import NoRoom
from referee.adapters.incoming.maildir import Again, Desk, MaildirReader, Put, WayIn
from referee.adapters.incoming.smtp_in import Listening, Verdict
from referee.adapters.outgoing.postman import MaildirSender, Sender
from referee.adapters.outgoing.smtp_out import Relay, RelaySender
from referee.adapters.pages.archive_folder import Site
from referee.adapters.store.store import Store
from referee.bootstrap.data_folder import made
from referee.bootstrap.offices import clock_of, room_of, stored
from referee.config import Config, ConfigError
from referee.kit.game import why_missing
from referee.mail import parse_recipient, token_digest, verp
from referee.service.base import notes
from referee.service.base.office import Office
from referee.service.base.ports import Clock, LetterOut
from referee.service.house.archive import FOLDER, archive_of, turns_beside
from referee.service.house.house_pages import house_pages
from referee.service.house.match_pages import CARD
from referee.service.house.proofs import SIGNED, signed_heads
from referee.service.intake.forgotten_letters import forgotten
from referee.service.match.open_log import listed
from referee.service.match.suspension import Contact, NotedContact
from referee.service.post.tray import mark_of

# ---------------------------------------------------------------- taking
# A letter from a pipe, stored while the service runs or not.


def desk_of(config: Config) -> Desk:
    """The addresses that letters are taken for, and how large they may be."""
    receive = config.receive
    return Desk(config.referee.address, receive.recipient_headers, receive.max_letter_mb * 1024 * 1024)


def take_letter(config: Config, source: BinaryIO, who: maildir.Envelope) -> None:
    """Store one letter while the service runs or not; it is handled at the service's next look. Raises if it cannot."""
    with told(config.database_url):
        made(config)
    if not room_of(config)():
        raise NoRoom(f"fewer than {config.limits.reserve_mb} MB are free under {config.data_folder}")
    with stored(config) as store:
        maildir.take(store, desk_of(config), clock_of(config), source, who)


_log = logging.getLogger(__name__)


def accepts(office: Office, recipient: str) -> Verdict:
    """Whether a letter to this address is taken: our own address or the keeper's, or a reply address with a token we gave out.

    So is one that we gave out after the backup which this database was restored from.
    """
    route = parse_recipient(recipient, office.address)
    if route is None:
        return "unknown"
    if route.token is None:
        return "yes"
    with office.look() as at:
        known = at.step.token(token_digest(route.token)) or forgotten(at, route.match, route.token)
    return "yes" if known else "unknown"


def listening_of(config: Config) -> Listening:
    """Where letters are taken by SMTP or LMTP, and how much of them."""
    receive = config.receive
    bounds = Bounds(
        recipients=receive.max_recipients,
        connections=receive.max_connections,
        connections_a_client=receive.max_connections_a_client,
        front=receive.front,
        large_bytes=receive.memory_mb * 1024 * 1024,
        slow_seconds=receive.slow_seconds,
    )
    max_bytes = receive.max_letter_mb * 1024 * 1024
    return Listening(receive.host, config.port or 0, receive.protocol, max_bytes, config.host, bounds=bounds)


def imap_account(config: Config) -> Account:
    """The mailbox of these settings. Raises ConfigError when its password, or the certificate it names, is not to be had."""
    imap = config.imap
    if imap.ca_file and not (config.home / imap.ca_file).is_file():
        raise ConfigError(
            f"[imap] ca_file {imap.ca_file!r} is no file; name the certificate of the authority in PEM, or leave it empty."
        )
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


class AfterRestore(Again):
    """A restore's note for one of the ways in, until that has read everything again."""

    def __init__(self, store: Store, kind: str) -> None:
        self._store, self._note = store, notes.READ_AGAIN.of(kind)
        with store.look() as step:
            self._since = self._note.read(step)

    def since(self) -> datetime | None:
        """As the restore has noted it."""
        return self._since

    def done(self) -> None:
        """Forget it."""
        if self._since is not None:
            with self._store.step() as step:
                self._note.forget(step)
            self._since = None


def ways_in(
    config: Config, clock: Clock, put: Put, refused: Callable[[str], None], contact: Contact, store: Store
) -> tuple[WayIn, ...]:
    """The ways in that the settings open beside SMTP; `refused` hears when the mailbox does not let us in."""
    ways: list[WayIn] = []
    if config.imap.host:
        pauses = Reconnecting(config.imap.retry_first_seconds, config.imap.retry_longest_seconds)
        ways.append(
            ImapReader(
                imap_account(config),
                desk_of(config),
                clock,
                put,
                pauses,
                refused=refused,
                contact=contact,
                again=AfterRestore(store, "mailbox"),
            )
        )
    if config.maildir.path:
        box, rest, own_time = config.home / config.maildir.path, config.clock.scan_seconds, config.clock_file is None
        lost = AfterRestore(store, "maildir")
        ways.append(MaildirReader(box, desk_of(config), clock, put, rest, own_time, again=lost))
    return tuple(ways)


def senders(config: Config, store: Store) -> list[Sender]:
    """Where letters go out: a Maildir for each address, or some connections to the relay."""
    send = config.send
    if send.method == "maildir":
        return [MaildirSender(config.mail_folder)]
    return [relay_sender(config, send.timeout_seconds, store) for _ in range(send.connections)]


def relay_sender(config: Config, timeout: float, store: Store | None = None) -> RelaySender:
    """The way to the relay, for letters of a `store`. Raises ConfigError when its password is not to be had."""
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
    return RelaySender(relay, partial(_bounces_to, store) if send.verp else lambda letter: letter.sender)


def _bounces_to(store: Store | None, letter: LetterOut) -> str:
    """The envelope sender of a letter: an address of its own, none for what must never bounce."""
    if not letter.sender:
        return ""
    secret = b""
    if store is not None:
        with store.look() as step:
            secret = notes.TOKEN_SECRET.of().read(step) or b""
    return verp(letter.sender, letter.id, mark_of(letter), secret)


def contacts(config: Config, store: Store, clock: Clock) -> dict[str, NotedContact]:
    """The mail servers whose absence counts as downtime; none where the time is read from a file."""
    servers = {}
    if config.imap.host:
        servers["mailbox"] = f"the mailbox {config.imap.user}@{config.imap.host}"
    if config.send.method == "smtp":
        servers["relay"] = f"the relay {config.send.host}:{config.send.port}"
    measured = config.clock_file is None
    return {kind: NotedContact(store, clock, kind, name) for kind, name in servers.items() if measured}


# ---------------------------------------------------------------- the site
# The folder of a match and the pages of the house, written anew.


def publish(office: Office, site: Site, match: str) -> Path | None:
    """Write the archive folder of a match; its index page, or None for a match that has not begun, or whose game is missing."""
    with office.look() as at:
        row = at.step.match(match)
        if row is None or at.step.last_entry(match) is None or why_missing(office.games[row.game]):
            return None
        have = site.pages_of(match, office.renderer.dress())
        folder = archive_of(at, row, have, site.grown(match), housed=True)
        turns = turns_beside(at, row, site.beginnings(match, FOLDER))
    signs = partial(listed, office, match, folder.grown.entries) if office.signer else None
    return site.publish(match, folder.files | turns.files, folder.front, folder.more, folder.grown, turns.over, signs)


def publish_home(office: Office, site: Site, changed: Collection[str]) -> None:
    """Write the pages of the house anew, and of its players those of the matches that `changed`."""
    with office.look() as at:
        pages = house_pages(at, site.kept(CARD), changed, site.there())
    site.publish_home(pages)


def publish_heads(office: Office, site: Site) -> None:
    """Lay the heads that this house signed as a witness beside its pages, where it serves as one."""
    with office.look() as at:
        heads = signed_heads(at)
    if heads:
        site.publish_home({SIGNED: heads})
