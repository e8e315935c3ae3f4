"""The bell between machines on a real PostgreSQL: it rings as a step commits, and never for one that does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

import pytest
from sqlalchemy import text

from referee.adapters.store.holding import ServerBell
from referee.adapters.store.store import Store
from referee.service.base.ports import LetterIn, MatchRow, Report
from tests.postgresql import Postgresql
from tests.real.machine import eventually

pytestmark = pytest.mark.real


class Machine:
    """Another machine of the same database: what it heard, and how often it began to listen."""

    def __init__(self, url: str) -> None:
        self.heard: list[str] = []
        self.times = 0
        self.bell = ServerBell(url, self.heard.append, self._back)

    def _back(self) -> None:
        self.times += 1


@pytest.fixture
def url(postgresql: Postgresql) -> str:
    return postgresql.fresh()


@pytest.fixture
def machine(store: Store, url: str) -> Iterator[Machine]:
    made = Machine(url)
    made.bell.start()
    eventually("somebody to listen", lambda: made.times > 0)
    yield made
    made.bell.stop()


def test_who_stores_letters_or_has_run_a_match_on_is_heard_when_it_is_committed(
    store: Store, machine: Machine, came: Callable[..., LetterIn], alpha: MatchRow, noon: datetime
) -> None:
    with pytest.raises(ValueError, match="undone"), store.step() as step:
        step.receive([came("lost")])
        raise ValueError("undone")
    with store.step() as step:
        step.save_match(alpha)
        step.keep_report(Report("ALPHA", 1, 0, "", "Turn 1", noon, 0, "", b"{}", b"[]"))
        step.keep_report(Report("ALPHA", 1, 0, "France", "Turn 1", noon, 0, "", b"{}", b"[]"))
    eventually("the match", lambda: machine.heard == ["ALPHA"])
    with store.step() as step:
        step.receive([came("a")])
    eventually("the letter", lambda: machine.heard == ["ALPHA", ""])
    machine.bell.ring("BETA")
    eventually("the other match", lambda: machine.heard[2:] == ["BETA"])


def test_who_lost_the_line_listens_again_and_knows_that_rings_may_have_been_missed(
    store: Store, machine: Machine
) -> None:
    with store.engine.begin() as db:
        db.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'referee bell%'")
        )
    eventually("it to listen again", lambda: machine.times == 2)
    machine.bell.ring("ALPHA")
    eventually("the match", lambda: machine.heard == ["ALPHA"])
