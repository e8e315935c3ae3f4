"""The tables grow by migrations from the first one on, with matches of all four games in them; what is stored stays."""

from __future__ import annotations

import base64
import json
import lzma
import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import OperationalError

from referee.adapters.store import migrations
from referee.adapters.store.database import open_engine
from referee.adapters.store.store import Store
from referee.adapters.store.tables import metadata
from referee.adapters.store.upgrade import HEAD, current, upgrade
from referee.service.base.ports import LetterIn
from referee.service.intake.counter import replay_at_the_counter
from referee.service.intake.downtime import look_after_all
from referee.service.post.frames import form_for
from tests.postgresql import Postgresql
from tests.world import Mail, World


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


# ---------------------------------------------------------------- from the first tables there ever were


KEPT = json.loads(lzma.decompress(Path(__file__).with_name("first-tables.json.xz").read_bytes()))
TABLES: Mapping[str, Any] = KEPT["tables"]
REPLY_TO: Mapping[str, str] = KEPT["reply_to"]
MATCHES = ("nw1", "ww1", "wb1", "em1")
ON_CALL = ("em1",)
"""Who is late there may still play until another rolls him out."""


def value_of(kept: Any) -> Any:
    """A value of a row; bytes say how they are to be had."""
    match kept:
        case {"zlib": str(plain)}:
            return zlib.compress(plain.encode())
        case {"text": str(plain)}:
            return plain.encode()
        case {"base64": str(coded)}:
            return base64.b64decode(coded)
    return kept


def fill(db: Connection) -> None:
    """Write every row that is kept."""
    for table, kept in TABLES.items():
        columns: list[str] = kept["columns"]
        marks = ", ".join(f":{column}" for column in columns)
        names = ", ".join(f'"{column}"' for column in columns)
        truths = {column["name"] for column in inspect(db).get_columns(table) if column["type"].python_type is bool}
        rows = [dict(zip(columns, map(value_of, row), strict=True)) for row in kept["rows"]]
        if rows:
            right = [{name: bool(v) if name in truths else v for name, v in row.items()} for row in rows]
            db.execute(text(f'INSERT INTO "{table}" ({names}) VALUES ({marks})'), right)
        if db.dialect.name == "postgresql" and "id" in columns:
            highest = f'(SELECT max(id) FROM "{table}")'
            db.execute(text(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {highest})"))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.real)])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """A referee whose database was of revision 0001 a moment ago."""
    url = f"sqlite:///{tmp_path / 'referee.sqlite'}"
    if request.param == "postgresql":
        server: Postgresql = request.getfixturevalue("postgresql")
        url = server.fresh()
    engine = open_engine(url)
    upgrade(engine, "0001")
    with engine.begin() as db:
        assert current(db) == "0001"
        fill(db)
    engine.dispose()
    world = World(tmp_path, "first tables", first=1_000, database=url)
    world.clock.set(datetime.fromisoformat(KEPT["now"]))
    yield world
    world.close()


def rows(world: World, table: str) -> int:
    with world.store.engine.connect() as db:
        return int(db.execute(text(f'SELECT count(*) FROM "{table}"')).scalar_one())


def writes(world: World, address: str, body: str) -> list[Mail]:
    """Somebody replies to the last letter that the program of then sent him; what comes to him."""
    return [mail for mail in world.write(address, body, REPLY_TO[address]) if mail.to == address]


def on_turn(world: World, match: str) -> tuple[str, str]:
    """A seat that owes something, and its player's address."""
    seat = world.playing(match).outcome.open[0].seat
    return seat, world.player(seat, match)


def test_no_row_is_lost(world: World) -> None:
    with world.store.engine.connect() as db:
        assert current(db) == HEAD
    kept = {table: len(found["rows"]) for table, found in TABLES.items()}
    assert {table: rows(world, table) for table in kept} == kept | {"note": kept["note"] + 1}  # the signature
    assert all(kept[table] for table in ("letter_in", "letter_out_raw", "report", "token", "alarm", "note", "entry"))


def test_every_letter_and_report_is_what_it_was(world: World) -> None:
    first = TABLES["letter_in"]
    raw, id = first["columns"].index("raw"), first["columns"].index("id")
    with world.store.look() as step:
        for row in first["rows"]:
            letter = step.letter(row[id])
            assert letter is not None and letter.raw == value_of(row[raw])
        reports = TABLES["report"]
        page = {
            tuple(row[:4]): zlib.decompress(value_of(row[reports["columns"].index("page")])) for row in reports["rows"]
        }
        found = {(r.match, r.turn, r.reader, r.epoch): r.page for match in MATCHES for r in step.reports(match)}
        assert reports["columns"][:4] == ["match", "turn", "reader", "epoch"] and found == page


def test_letters_that_waited_go_out_and_one_that_came_is_answered(world: World) -> None:
    with world.store.step() as step:
        waiting = step.claim_outgoing(world.clock.now(), 100, 60)
    assert waiting and all(letter.raw and letter.said is None for letter in waiting)
    world.new_mail()
    answers = [mail for mail in world.work() if mail.answers == "<unread@nw1.example>"]
    assert [mail.to for mail in answers] == ["gina@nw1.example"] and "this is match nw1" in answers[0].flat


@pytest.mark.parametrize("match", MATCHES)
def test_a_match_is_played_on_by_letter_and_by_the_clock(world: World, match: str) -> None:
    look_after_all(world.office)
    world.new_mail()
    before, turn = len(world.entries(match)), world.playing(match).row.turn
    seat, address = on_turn(world, match)
    with world.store.look() as step:
        form = form_for(step, world.playing(match), seat)
    assert form is not None
    sheet = [line for line in form.lines if not line.startswith("#")]
    assert writes(world, address, "\n".join([*sheet, "ROLL OUT"] if "ROLL OUT" not in sheet else sheet))
    assert world.playing(match).row.turn > turn
    turn, (_, late) = world.playing(match).row.turn, on_turn(world, match)
    mails = [mail for _ in range(6) for mail in world.wait(hours=12) if mail.to == late]
    assert mails and (world.playing(match).row.turn > turn or match in ON_CALL)
    assert world.status(match) == "running" and len(world.entries(match)) > before
    assert [letter.id for status in ("new", "held", "shunted") for letter in world.letters(status)] == []
    found = replay_at_the_counter(world.office, match)
    assert found is not None and found.trouble == ""


def test_what_was_written_then_can_be_asked_for(world: World) -> None:
    diary = writes(world, "anna@nw1.example", "SEND diary")
    assert "My own thoughts." in diary[-1].flat
    (report,) = writes(world, "anna@nw1.example", "SEND report TURN 1")
    assert "Turn 1: " in report.flat
