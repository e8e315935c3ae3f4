"""A real Dovecot that is away over a deadline: the orders that lie in it are read before the turn runs, and count."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.adapters.incoming.imap import Account, ImapReader, Reconnecting
from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.maildir import Desk
from referee.service.base.note_values import Loss
from referee.service.intake.deadlines import scan
from referee.service.intake.downtime import beat
from referee.service.intake.inbox import handle_new
from referee.service.match.suspension import NotedContact, losses
from tests.real.dovecot import PASSWORD, Dovecot
from tests.real.machine import eventually
from tests.service.conftest import begin
from tests.world import ADDRESS, World


@pytest.fixture
def account(mailserver: Dovecot, user: str) -> Account:
    return Account("localhost", mailserver.imaps, "tls", user, PASSWORD, ca_file=str(mailserver.ca), server_dates=False)


@contextmanager
def reading(world: World, account: Account) -> Iterator[NotedContact]:
    """The mailbox is read as the service reads it; only the clock is turned by hand."""
    spool = Spool(world.store)
    spool.start()
    contact = NotedContact(world.store, world.clock, "mailbox", account.name)
    contact.expect(world.office.downtime.least)
    again = Reconnecting(0.05, 0.2)
    reader = ImapReader(account, Desk(ADDRESS), world.clock, spool.put, again, chance=lambda: 0.0, contact=contact)
    reader.start()
    try:
        yield contact
    finally:
        reader.stop()
        spool.stop()


def loss(world: World) -> Loss | None:
    with world.store.look() as step:
        return losses(step).get("mailbox")


def desk(world: World) -> None:
    beat(world.office)
    while handle_new(world.office) or scan(world.office):
        pass


def hours_pass(world: World, hours: int) -> None:
    for _ in range(12 * hours):
        world.clock.advance(timedelta(minutes=5))
        desk(world)


def orders(world: World) -> bytes:
    """What the player on turn writes."""
    player = world.on_turn()
    head = f"From: {player}\r\nTo: {world.last(player).reply_to}\r\nMessage-ID: <o@x>\r\nSubject: orders\r\n\r\n"
    return f"{head}RESEARCH Law, any\r\n".encode()


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_mailbox_that_is_away_over_a_deadline_is_waited_for(
    mailserver: Dovecot, account: Account, tmp_path: Path, end: str
) -> None:
    world = begin(World(tmp_path))
    start = datetime(2026, 11, 21, 12, tzinfo=UTC)
    mailserver.save(account.user, orders(world))
    with reading(world, account):
        eventually("the mailbox to be read", lambda: (kept := loss(world)) and kept.until)
        desk(world)
        assert loss(world) is None
        mind = world.alarms("mind")
        assert mind  # a letter with orders came: the turn would run by itself in half an hour
        getattr(mailserver, end)()
        noted = eventually("the loss to be noted", lambda: loss(world))
        assert noted is not None and noted.since == start and noted.why
        hours_pass(world, 25)
        assert world.closed() == [] and world.alarms("mind") == mind
        mailserver.start()
        eventually("the mailbox to be read again", lambda: (kept := loss(world)) and kept.until)
        desk(world)
    assert loss(world) is None
    assert len(world.closed()) == 1
    assert any("My mailbox could not be reached from" in mail.flat for mail in world.all_mail())
    world.close()


def test_orders_that_lay_in_a_mailbox_out_of_reach_are_played(
    mailserver: Dovecot, account: Account, tmp_path: Path
) -> None:
    world = begin(World(tmp_path))
    seat = world.waits_for()
    with reading(world, account):
        eventually("the mailbox to be read", lambda: (kept := loss(world)) and kept.until)
        hours_pass(world, 1)
        mailserver.save(account.user, b"not a letter\r\n")  # it is read, whatever it says: contact was made just now
        eventually("the letter", lambda: world.letters("new"))
        mailserver.kill()
        eventually("the loss to be noted", lambda: loss(world))
        hours_pass(world, 24)
        assert world.closed() == [] and world.waits_for() == seat
        mailserver.start()
        mailserver.save(account.user, orders(world))
        eventually("the orders", lambda: any(row.sender.startswith(world.on_turn()) for row in world.letters("new")))
        eventually("the mailbox to be read again", lambda: (kept := loss(world)) and kept.until)
        desk(world)
        assert world.drawer(seat, "orders") and world.closed() == []
        hours_pass(world, 1)
    assert len(world.closed()) == 1
    world.close()
