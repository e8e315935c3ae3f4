"""The tables grow by migrations from the first one on; what is stored stays."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect
from sqlalchemy.exc import OperationalError

from referee.adapters.store import migrations
from referee.adapters.store.database import open_engine
from referee.adapters.store.migrations import HEAD, current, upgrade
from referee.adapters.store.store import Store
from referee.adapters.store.tables import metadata
from referee.service.base.ports import LetterIn


def test_the_migrated_schema_is_that_of_the_tables(store: Store) -> None:
    options = {"compare_type": True, "compare_server_default": True, "render_as_batch": True}
    with store.engine.connect() as db:
        assert compare_metadata(MigrationContext.configure(db, opts=options), metadata) == []


def test_constraints_have_names_so_that_later_migrations_can_change_them(store: Store) -> None:
    schema = inspect(store.engine)
    for table in metadata.tables:
        keys = [*schema.get_unique_constraints(table), *schema.get_foreign_keys(table), schema.get_pk_constraint(table)]
        assert all(key["name"] for key in keys), table


def test_foreign_keys_wait_for_the_end_of_the_step(store: Store) -> None:
    with store.engine.connect() as db:
        tables = db.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql LIKE '%REFERENCES%'").scalars().all()
    assert len(tables) == 6
    assert all("DEFERRABLE INITIALLY DEFERRED" in sql for sql in tables)


def test_the_head_is_the_last_script() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_an_existing_database_keeps_its_data(url: str, came: Callable[..., LetterIn]) -> None:
    first = Store(url)
    with first.step() as step:
        step.receive([came("a")])
    first.close()
    again = Store(url)
    with again.look() as look:
        assert [letter.transport for letter in look.letters("new", 9)] == ["a"]
    with again.engine.connect() as db:
        assert current(db) == HEAD
    again.close()


def of_a_version(url: str, revision: str, *rows: str) -> None:
    """Make a database as an earlier version left it, with these rows in it."""
    engine = open_engine(url)
    upgrade(engine, revision)
    with engine.connect() as db:
        for row in rows:
            db.exec_driver_sql(f"INSERT INTO {row}")
    engine.dispose()


def test_letters_that_waited_before_receipts_were_queued_as_what_they_say_go_out_as_they_are(
    url: str, noon: datetime
) -> None:
    out = "VALUES (1, '<1@x>', '', 'report', 'r@x', 'a@x', 0, 0, 'queued', 0, '', NULL, NULL)"
    of_a_version(url, "0002", f"letter_out {out}", "letter_out_raw VALUES (1, x'5475726e', x'')")
    store = Store(url)
    with store.step() as step:
        (claimed,) = step.claim_outgoing(noon, 9, 60)
    assert (claimed.raw, claimed.said) == (b"Turn", None)
    store.close()


def test_letters_that_each_had_their_bytes_share_them(url: str) -> None:
    letter = "letter_in (transport, received_at, sender, recipient, status, verdict, match, attempts, raw) VALUES"
    rows = [f"{letter} ('{key}', 0, 'a@x', 'r@x', 'new', '', '', 0, {raw})" for key, raw in BYTES.items()]
    of_a_version(url, "0003", *rows)
    store = Store(url)
    with store.step() as step:
        assert [letter.raw for letter in step.letters("new", 9)] == [b"one", b"two", b"one"]
        step.finish_letter(3, "done", "", "", "logical")
    with store.engine.connect() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM letter_body").scalar() == 2
    store.close()


BYTES = {"a": "x'6f6e65'", "b": "x'74776f'", "c": "x'6f6e65'"}


def test_a_migration_that_fails_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'x.sqlite'}")
    with engine.connect() as db:
        # In the way of the last of the new tables, so that the first ones have been made by then.
        db.exec_driver_sql("CREATE TABLE note (id INTEGER)")
    with pytest.raises(OperationalError, match="note already exists"):
        upgrade(engine)
    with engine.connect() as db:
        assert inspect(db).get_table_names() == ["note"]
        assert db.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    engine.dispose()
