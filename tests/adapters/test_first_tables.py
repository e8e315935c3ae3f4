"""A database with the first tables there ever were, and matches of all four games in it, goes on with today's program.

`first-tables.json.xz` was written by the program as it was before logs named the rules of their phases, and put into the
tables of revision 0001: what later tables have is left out, receipts are written out, letters in have their bytes beside them.
"""

from __future__ import annotations

import base64
import json
import lzma
import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, inspect, text

from referee.adapters.store.database import open_engine
from referee.adapters.store.migrations import HEAD, current, upgrade
from referee.service.intake.counter import replay_at_the_counter
from referee.service.intake.downtime import look_after_all
from referee.service.post.frames import form_for
from tests.postgresql import Postgresql
from tests.world import Mail, World

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
