"""One Dovecot for all tests of a run, a fresh user for each; everything here is marked `real`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.dovecot import Dovecot, run_dovecot

_HERE = Path(__file__).parent
_USERS = [f"box{number}" for number in range(100)]
_free = iter(_USERS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands in this folder."""
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker("real")


@pytest.fixture(scope="session")
def mailserver() -> Iterator[Dovecot]:
    """A running Dovecot, shared: whoever stops it starts it again."""
    with run_dovecot(*_USERS) as dovecot:
        yield dovecot


@pytest.fixture
def user() -> str:
    """Somebody with an empty mailbox that nobody else uses."""
    return next(_free)
