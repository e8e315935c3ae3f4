"""One Dovecot for all tests of a run, a fresh user for each; everything here is marked `real`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.real.dovecot import Dovecot, run_dovecot
from tests.real.machine import free_ports
from tests.real.postfix import Postfix, run_postfix

_USERS = [f"box{number}" for number in range(100)]
_PEOPLE = ("referee", "gina", "anna", "ben")
_free = iter(_USERS)


class PostOffice(NamedTuple):
    """A Postfix, the port to which it delivers letters for games.example, and the mailboxes of players.example."""

    postfix: Postfix
    lmtp: int
    dovecot: Dovecot


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands in this folder."""
    for item in items:
        if item.nodeid.startswith("tests/real/"):
            item.add_marker("real")


@pytest.fixture(scope="session")
def mailserver() -> Iterator[Dovecot]:
    """A running Dovecot, shared: whoever stops it starts it again."""
    with run_dovecot(*_USERS, *_PEOPLE) as dovecot:
        yield dovecot


@pytest.fixture
def user() -> str:
    """Somebody with an empty mailbox that nobody else uses."""
    return next(_free)


@pytest.fixture(scope="session")
def post_office(mailserver: Dovecot) -> Iterator[PostOffice]:
    """A running Postfix, shared: letters for players and for box.example go to Dovecot, those for the referee to us."""
    (lmtp,) = free_ports(1)
    with run_postfix(games_example=lmtp, players_example=mailserver.lmtp, box_example=mailserver.lmtp) as postfix:
        yield PostOffice(postfix, lmtp, mailserver)
