"""A database of an older program: commands leave it alone and say what to do; the service brings it up to date."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from sqlalchemy import text

from referee.adapters.store.database import open_engine
from referee.adapters.store.guard import last_writer
from referee.adapters.store.upgrade import HEAD, current, upgrade
from referee.service.base.note_values import FORMAT, Program
from tests.adapters.test_newer import MINE, say
from tests.program import Program as Referee

OLD = Program("0.2.0", FORMAT - 1)
COMMANDS = (
    ("show", "matches"),
    ("show", "health"),
    ("show", "digest"),
    ("desk", "list"),
    ("archive", "nw1"),
    ("replay", "nw1"),
    ("create", "newworld", "nw1", "--gm", "gina@example.org"),
    ("gm", "nw1", "STATUS"),
)


@pytest.fixture(params=["0006", HEAD])
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A referee's database that an older program wrote, with tables of then or with those of now."""
    (tmp_path / "config.toml").write_text('[referee]\naddress = "referee@games.example"\n[receive]\nport = 0\n')
    (tmp_path / "var").mkdir(mode=0o700)
    file = tmp_path / "var" / "referee.sqlite"
    engine = open_engine(f"sqlite:///{file}")
    upgrade(engine, request.param, OLD)
    signature = msgspec.json.encode(OLD).decode()
    with engine.begin() as db:
        db.execute(text("DELETE FROM note WHERE name = 'written by'"))
        db.execute(text("INSERT INTO note VALUES ('', '', 'written by', :value)"), {"value": signature})
    engine.dispose()
    for path in file.parent.iterdir():
        path.chmod(0o600)
    return file


def content(file: Path) -> tuple[bytes, bytes]:
    """The database, and what was written last; its log may be there or not when nothing is in it."""
    log = Path(f"{file}-wal")
    return file.read_bytes(), log.read_bytes() if log.exists() else b""


def stand(file: Path) -> tuple[str | None, Program | None]:
    """The tables of a database and its last writer."""
    engine = open_engine(f"sqlite:///{file}")
    with engine.connect() as db:
        found = current(db), last_writer(db)
    engine.dispose()
    return found


def to_do(tables: str) -> str:
    told = f" (tables {tables}, not {HEAD})" if tables != HEAD else ""
    return (
        f"The database was written by version 0.2.0 of the referee{told}; this is version {MINE.version}. Make a backup first "
        "(referee backup FOLDER); then referee serve brings it up to date, and there is no way back. Nothing was touched."
    )


@pytest.mark.parametrize("older", ["0006"], indirect=True)
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_brings_it_up_to_date_by_the_way(older: Path, words: tuple[str, ...]) -> None:
    before = content(older)
    assert say(older.parent.parent, *words) == (1, to_do("0006"))
    assert content(older) == before


@pytest.mark.parametrize("older", ["0006"], indirect=True)
def test_a_letter_from_a_pipe_stays_with_the_mail_server(older: Path) -> None:
    before = content(older)
    code, said = say(older.parent.parent, "receive", letter=b"From: anna@example.org\n\nHELP\n")
    assert (code, said) == (75, f"The letter was not stored: {to_do('0006')}")
    assert content(older) == before


def test_the_doctor_says_what_to_do_once_and_changes_nothing(older: Path) -> None:
    before, (tables, by) = content(older), stand(older)
    code, said = say(older.parent.parent, "doctor")
    assert code == 1 and said.count(f"mend database: {to_do(str(tables))}") == 1
    assert said.count("The database was written by") == 1 and by == OLD
    assert content(older) == before


def test_the_backup_before_an_upgrade_changes_nothing(older: Path) -> None:
    before = content(older)
    code, said = say(older.parent.parent, "backup", str(older.parent.parent / "kept"))
    assert (code, content(older)) == (0, before), said


def test_the_service_brings_it_up_to_date(older: Path, tmp_path: Path) -> None:
    with (
        (tmp_path / "errors").open("wb") as errors,
        Referee("serve", "--config", str(tmp_path / "config.toml"), stderr=errors) as served,
    ):
        assert "takes letters on" in served.stdout.readline(), (tmp_path / "errors").read_text()
        served.terminate()
        assert served.wait(60) == 0
    tables, by = stand(older)
    assert tables == HEAD and by is not None and (by.version, by.format) == (MINE.version, FORMAT)
