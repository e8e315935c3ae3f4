"""However much is done, what waits is found by indexes that hold nothing else, also while a snapshot keeps dead rows alive."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest
from psycopg import sql
from sqlalchemy import Connection, Executable, text

from referee.adapters.store.sql import statements
from referee.adapters.store.sql.statements import prepared
from referee.adapters.store.store import Store
from referee.service.base.ports import Step
from tests.postgresql import Postgresql

_DONE = 100_000
_NUMBERS = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {_DONE})"
_LETTERS_IN = (
    "INSERT INTO letter_in (transport, received_at, sender, recipient, status, verdict, match, attempts, spare) "
    f"{_NUMBERS} SELECT 't' || i, i, 'a@x', 'r@x', CASE WHEN i % 1000 = 0 THEN 'new' ELSE 'done' END, '', '', 0, false FROM n"
)
_LETTERS_OUT = (
    "INSERT INTO letter_out (message_id, match, kind, sender, recipient, created_at, due_at, status, attempts, error) "
    f"{_NUMBERS} SELECT 'm' || i, '', '', '', 'r' || i, i, i, CASE WHEN i % 1000 = 0 THEN 'queued' ELSE 'sent' END, 0, '' FROM n"
)
_RAW = "INSERT INTO letter_out_raw (letter, raw, source) SELECT id, :none, :none FROM letter_out"
_ALARMS = (
    f"INSERT INTO alarm (match, kind, key, due_at, seat, payload) {_NUMBERS} SELECT 'm' || i, '', '', i, '', '' FROM n"
)


def filled(url: str) -> Store:
    """A store with many letters of which few wait, and its statistics."""
    store = Store(url)
    with store.engine.begin() as db:
        for statement in (_LETTERS_IN, _LETTERS_OUT, _RAW, _ALARMS, "ANALYZE"):
            db.execute(text(statement), {"none": b""} if ":none" in statement else {})
    return store


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.real)])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    url = f"sqlite:///{tmp_path_factory.mktemp('plans') / 'referee.sqlite'}"
    if request.param == "postgresql":
        server: Postgresql = request.getfixturevalue("postgresql")
        url = server.fresh()
    opened = filled(url)
    yield opened
    opened.close()


def plan(db: Connection, dialect: str, statement: Executable, given: statements.Given) -> str:
    """How the database goes about a statement; PostgreSQL as it does when it no longer looks at the parameters."""
    what = prepared(dialect, statement, given)
    arguments = what.arguments(given)
    if dialect == "sqlite":
        return " ".join(row[3] for row in db.exec_driver_sql(f"EXPLAIN QUERY PLAN {what.sql}", tuple(arguments)))
    numbers = itertools.count(1)
    values = f"({', '.join(sql.Literal(value).as_string() for value in arguments)})" if arguments else ""
    db.exec_driver_sql(f"PREPARE hot AS {re.sub('%s', lambda _: f'${next(numbers)}', what.sql)}".replace("%", "%%"))
    db.exec_driver_sql("SET plan_cache_mode = force_generic_plan")
    found = " ".join(row[0] for row in db.exec_driver_sql(f"EXPLAIN EXECUTE hot {values}".replace("%", "%%")))
    db.exec_driver_sql("DEALLOCATE hot")
    return found


def plans(store: Store, monkeypatch: pytest.MonkeyPatch, act: Callable[[Step], object]) -> list[str]:
    """The plans of all statements by which something is done."""
    ran: list[tuple[Executable, statements.Given]] = []
    dialect = store.engine.dialect.name
    driver: Any = statements.OnSqlite if dialect == "sqlite" else statements.OnPostgresql
    rows, run_each = driver.rows, driver.run_each

    def reading(self: Any, statement: Executable, given: statements.Given) -> statements.Rows:
        ran.append((statement, given))
        found: statements.Rows = rows(self, statement, given)
        return found

    def writing(self: Any, statement: Executable, each: Any) -> None:
        ran.extend((statement, given) for given in each)
        run_each(self, statement, each)

    with store.step() as step, monkeypatch.context() as patched:
        patched.setattr(driver, "rows", reading)
        patched.setattr(driver, "run_each", writing)
        act(step)
    with store.engine.connect() as db:
        return [plan(db, dialect, statement, given) for statement, given in ran]


_NOON = datetime.fromisoformat("2026-11-21T12:00:00+00:00")


@pytest.mark.parametrize(
    ("act", "index"),
    [
        (lambda step: step.waiting(50), "ix_letter_in_waiting"),
        (lambda step: step.letters("shunted"), "ix_letter_in_waiting"),
        (lambda step: step.letters("held"), "ix_letter_in_waiting"),
        (lambda step: step.pending(50), "ix_letter_in_waiting"),
        (lambda step: step.claim_outgoing(_NOON, 20, 60), "ix_letter_out_queued"),
        (lambda step: step.hasten(_NOON), "ix_letter_out_queued"),
        (lambda step: step.due_alarms(_NOON, 10), "ix_alarm_due_at"),
        (lambda step: step.next_alarm(), "ix_alarm_due_at"),
    ],
    ids=["new", "shunted", "held", "pending", "claim", "hasten", "due", "next"],
)
def test_what_waits_is_found_by_its_index(
    store: Store, monkeypatch: pytest.MonkeyPatch, act: Callable[[Step], object], index: str
) -> None:
    found = plans(store, monkeypatch, act)
    assert any(index in each for each in found), found


_TURNED_OVER = 20
_QUICK = 0.1
"""Seconds; without the dead rows it takes some three thousandths."""


@pytest.mark.real
def test_claims_stay_quick_while_a_backup_keeps_dead_rows_alive(postgresql: Postgresql) -> None:
    store = filled(postgresql.fresh())
    with store.engine.connect().execution_options(isolation_level="REPEATABLE READ") as backup:
        backup.exec_driver_sql("SELECT count(*) FROM alarm")
        with store.engine.begin() as db:
            db.execute(text("UPDATE letter_out SET status = 'queued'"))
            db.execute(text("UPDATE letter_out SET status = 'sent' WHERE id < 99900"))
            db.execute(text("DELETE FROM alarm WHERE due_at < 99900"))
        took = []
        for _ in range(_TURNED_OVER):
            begun = time.perf_counter()
            with store.step() as step:
                assert len(step.claim_outgoing(_NOON, 5, 60)) == 5
                assert len(step.due_alarms(_NOON, 5)) == 5
            took.append(time.perf_counter() - begun)
        assert sorted(took)[_TURNED_OVER // 2] < _QUICK, took
    store.close()


@pytest.mark.real
def test_hot_tables_are_looked_after_early(postgresql: Postgresql) -> None:
    store = Store(postgresql.fresh())
    with store.engine.connect() as db:
        rows = db.execute(text("SELECT relname, reloptions FROM pg_class WHERE reloptions IS NOT NULL")).all()
    said: dict[str, list[str]] = {row[0]: row[1] for row in rows}
    store.close()
    hot = {"alarm", "answer", "letter_in", "letter_out", "match", "member", "note", "token"}
    assert said.keys() >= hot and all("autovacuum_vacuum_scale_factor=0.01" in said[table] for table in hot)
