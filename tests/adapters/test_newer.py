"""A database that a newer program has written: an older one says so in one sentence, and not a byte of it is changed."""

from __future__ import annotations

import hashlib
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Engine, inspect, text

from referee.adapters.files import Unusable
from referee.adapters.incoming.mailbag import Mailbag
from referee.adapters.store.database import open_engine
from referee.adapters.store.guard import Outdated, Place, last_writer
from referee.adapters.store.store import Store
from referee.adapters.store.upgrade import HEAD
from referee.games import rules_in_force
from referee.service.base.note_values import FORMAT, Program, newer, this_program
from referee.service.base.ports import LetterIn
from tests.adapters.conftest import NOON
from tests.postgresql import Postgresql
from tests.program import Program as Referee

MINE = this_program(rules_in_force())
LATER_FORM = Program("9.9.9", FORMAT + 1, MINE.rules)
LATER_RULES = Program("9.9.9", FORMAT, {"empire": 99})
ANOTHER_VERSION = Program("9.9.9", FORMAT, MINE.rules)

TABLES = "UPDATE alembic_version SET version_num = '9999'"
SIGNED = "UPDATE note SET value = '{}' WHERE name = 'written by'"

SAID = {
    "tables": f"(tables 9999, not {HEAD})",
    "form": f"(format {FORMAT + 1}, not {FORMAT})",
    "rules": "(revision 99 of the rules of empire, not ",
}
CHANGED = {
    "tables": (SIGNED.format(msgspec.json.encode(ANOTHER_VERSION).decode()), TABLES),
    "form": (SIGNED.format(msgspec.json.encode(LATER_FORM).decode()),),
    "rules": (SIGNED.format(msgspec.json.encode(LATER_RULES).decode()),),
}
COMMANDS = (
    ("serve",),
    ("create", "newworld", "nw1", "--gm", "gina@example.org"),
    ("join", "nw1", "anna@example.org"),
    ("gm", "nw1", "STATUS"),
    ("show", "matches"),
    ("desk", "list"),
    ("archive", "nw1"),
    ("replay", "nw1"),
)
_DIE_WRITING = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
for statement in sys.argv[2:]:
    db.execute(statement)
os._exit(0)
"""


def came(transport: str) -> LetterIn:
    return LetterIn(0, transport, NOON, "anna@example.org", "referee@localhost", b"Subject: orders\r\n\r\nHOLD\r\n")


def write(store: Store, transport: str = "a") -> None:
    with store.step() as step:
        step.receive([came(transport)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A referee's folder whose database an ordinary program has written."""
    (tmp_path / "config.toml").write_text('[referee]\naddress = "referee@games.example"\n[receive]\nport = 0\n')
    store = Store(f"sqlite:///{tmp_path / 'var' / 'referee.sqlite'}", program=MINE)
    write(store)
    store.close()
    return tmp_path


def taken_over(folder: Path, how: str) -> Path:
    """A newer program has written the database, and was killed: what it wrote lies in the write-ahead log."""
    file = folder / "var" / "referee.sqlite"
    subprocess.run([sys.executable, "-c", _DIE_WRITING, str(file), *CHANGED[how]], check=True)
    assert Path(f"{file}-wal").stat().st_size
    return file


def digests(file: Path) -> list[str]:
    """Of the database and of what was written last; the index beside them (-shm) is no data, and anybody's who looks."""
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in (file, Path(f"{file}-wal"))]


def say(folder: Path, *words: str, letter: bytes = b"") -> tuple[int, str]:
    """The exit code of a command, and all that it said."""
    with tempfile.TemporaryFile() as stdin:
        stdin.write(letter)
        stdin.seek(0)
        with Referee(*words, "--config", str(folder / "config.toml"), stdin=stdin, stderr=subprocess.STDOUT) as ran:
            said = ran.stdout.read()
            return ran.wait(60), " ".join(said.split())


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_says_so_and_touches_nothing(folder: Path, words: tuple[str, ...]) -> None:
    file = taken_over(folder, "form")
    before = digests(file)
    code, said = say(folder, *words)
    assert (code, digests(file)) == (1, before)
    assert said.endswith(
        f"The database was written by version 9.9.9 of the referee (format {FORMAT + 1}, not {FORMAT}); this is version "
        f"{MINE.version}, which cannot read all of it and has touched nothing. Install version 9.9.9 or a later one. The "
        "only way back is to restore the backup made before the upgrade."
    )


@pytest.mark.parametrize("how", SAID)
def test_a_letter_from_a_pipe_stays_with_the_mail_server(folder: Path, how: str) -> None:
    file = taken_over(folder, how)
    before = digests(file)
    code, said = say(folder, "receive", letter=b"From: anna@example.org\n\nHELP\n")
    assert (code, digests(file)) == (75, before)
    assert "The letter was not stored: The database was written by version 9.9.9" in said and SAID[how] in said


@pytest.mark.parametrize("how", SAID)
def test_the_doctor_says_which_version_to_install(folder: Path, how: str) -> None:
    file = taken_over(folder, how)
    before = digests(file)
    code, said = say(folder, "doctor")
    assert (code, digests(file)) == (1, before)
    assert "mend database: The database was written by version 9.9.9 of the referee" in said and SAID[how] in said


def test_an_archive_of_a_newer_form_is_not_called_unsound(tmp_path: Path) -> None:
    written = {
        "match.json": b'{"by":{"version":"9.9.9","format":99},"new":"shape"}',
        "log.jsonl": b"?",
        "reports.jsonl": b"?",
    }
    for name, data in written.items():
        (tmp_path / name).write_bytes(data)
    with Referee("verify", str(tmp_path), stderr=subprocess.STDOUT) as ran:
        said = " ".join(ran.stdout.read().split())
        assert ran.wait(60) == 1
    assert said == (
        f"The archive was written by version 9.9.9 of the referee (format 99, not {FORMAT}); this is version {MINE.version}, "
        "which cannot read all of it and has touched nothing. Install version 9.9.9 or a later one."
    )
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == written


# ---------------------------------------------------------------- who signs


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.real)])
def kept(request: pytest.FixtureRequest, url: str) -> str:
    """The address of an empty database of either kind."""
    if request.param == "sqlite":
        return url
    server: Postgresql = request.getfixturevalue("postgresql")
    return server.fresh()


@pytest.fixture
def engine(kept: str) -> Iterator[Engine]:
    """Whoever looks at it from outside."""
    opened = open_engine(kept)
    yield opened
    opened.dispose()


def signer(engine: Engine) -> Program | None:
    with engine.connect() as db:
        return last_writer(db)


def written(url: str, program: Program) -> None:
    store = Store(url, program=program)
    write(store)
    store.close()


def test_who_writes_signs_and_who_only_looks_does_not(kept: str, engine: Engine) -> None:
    written(kept, MINE)
    looks = Store(kept, program=ANOTHER_VERSION)
    with looks.look() as step:
        assert len(step.letters("new", 9)) == 1
    assert signer(engine) == MINE
    write(looks, "b")
    assert signer(engine) == ANOTHER_VERSION
    looks.close()


def test_an_older_version_goes_on_where_it_knows_form_and_rules(kept: str, engine: Engine) -> None:
    written(kept, ANOTHER_VERSION)
    written(kept, MINE)
    assert signer(engine) == MINE


def test_who_knows_nothing_of_a_game_leaves_its_revision_as_it_was(kept: str, engine: Engine) -> None:
    written(kept, LATER_RULES)
    written(kept, Program("10.0"))
    assert signer(engine) == Program("10.0", FORMAT, {"empire": 99})


@pytest.mark.parametrize("later", [LATER_FORM, LATER_RULES], ids=["form", "rules"])
def test_a_newer_database_is_not_opened(kept: str, engine: Engine, later: Program) -> None:
    written(kept, later)
    with pytest.raises(Unusable, match=r"written by version 9\.9\.9 .* Install version 9\.9\.9"):
        Store(kept, program=MINE)
    assert signer(engine) == later


def test_a_newer_database_without_our_notes_is_not_opened(kept: str, engine: Engine) -> None:
    written(kept, MINE)
    with engine.begin() as db:
        db.execute(text("DROP TABLE note"))
        db.execute(text(TABLES))
    with pytest.raises(Unusable, match=r"written by a newer referee .tables 9999, not .*Install the newer one"):
        Store(kept, program=MINE)
    assert not inspect(engine).has_table("note")


def test_a_store_that_is_open_writes_no_more_once_a_newer_program_did(kept: str, engine: Engine) -> None:
    old = Store(kept, program=MINE)
    write(old)
    written(kept, LATER_FORM)
    with pytest.raises(Outdated, match=r"version 9\.9\.9"):
        write(old, "lost")
    with old.look() as step:
        assert [letter.transport for letter in step.letters("new", 9)] == ["a"]
    assert signer(engine) == LATER_FORM
    old.close()


def test_letters_that_come_to_an_older_service_wait_for_the_newer(url: str, tmp_path: Path) -> None:
    old, bag = Store(url, program=MINE), Mailbag(tmp_path / "bag")
    written(url, LATER_FORM)
    with bag.step() as into:
        into.receive([came("b")])
    with pytest.raises(Outdated):
        bag.empty_into(old)
    new = Store(url, program=LATER_FORM)
    assert bag.empty_into(new) == 1
    with new.look() as step:
        assert [letter.transport for letter in step.letters("new", 9)] == ["a", "b"]
    for each in (bag, old, new):
        each.close()


def test_a_signature_that_was_undone_with_its_step_is_given_again(kept: str, engine: Engine) -> None:
    written(kept, ANOTHER_VERSION)
    store = Store(kept, program=MINE)
    with pytest.raises(KeyError), store.step():
        raise KeyError
    assert signer(engine) == ANOTHER_VERSION
    write(store, "b")
    assert signer(engine) == MINE
    store.close()


@pytest.mark.real
def test_a_desk_of_an_older_program_leaves_its_place_to_the_newer(postgresql: Postgresql) -> None:
    url = postgresql.fresh()
    written(url, MINE)
    old, new = Place(url, 3600, MINE), Place(url, 3600, LATER_FORM)
    try:
        old.keep()
        new.keep()
        assert (old.is_mine, new.is_mine) == (True, False)
        written(url, LATER_FORM)
        with pytest.raises(Outdated):
            old.keep()
        new.keep()
        assert (old.is_mine, new.is_mine) == (False, True)
        new.close()
        with pytest.raises(Outdated):
            old.keep()
        assert not old.is_mine
    finally:
        old.close()
        new.close()


def test_a_file_that_is_only_looked_at_is_not_tidied_up(folder: Path) -> None:
    """What the tests above rest on: an ordinary look moves what was written last into the database."""
    file = taken_over(folder, "form")
    before = digests(file)
    sqlite3.connect(file).execute("SELECT * FROM note").connection.close()
    assert not Path(f"{file}-wal").exists()
    assert before[0] != hashlib.sha256(file.read_bytes()).hexdigest()


def test_what_is_not_newer_has_no_sentence() -> None:
    assert (
        newer("It", Program("0.0.1", FORMAT, {"empire": 1, "chess": 7}), Program("0.0.2", FORMAT, {"empire": 2})) == ""
    )
