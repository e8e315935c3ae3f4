"""A backup of a PostgreSQL: as of one moment, by its own programs, into an empty database and no other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from referee.adapters.backup import _for_libpq, _program
from referee.adapters.files import Unusable
from referee.service.base import notes
from tests.backup.commands import anew, backed_up, referee, restored
from tests.kill.running import CONFIG, match_begun
from tests.postgresql import Postgresql
from tests.service.conftest import GINA
from tests.world import World


def settings(url: str) -> str:
    return f'{CONFIG}[database]\nurl = "{url}"\n'


@pytest.fixture
def begun(postgresql: Postgresql, tmp_path: Path) -> Iterator[str]:
    """A match begun in a database, its service's home in the folder "home"."""
    url = postgresql.fresh()
    home = match_begun(tmp_path / "home", url)
    (home / "config.toml").write_text(settings(url))
    yield url


@pytest.mark.real
def test_it_comes_back_proved_in_an_empty_database_and_no_other(
    begun: str, postgresql: Postgresql, tmp_path: Path
) -> None:
    made = backed_up(tmp_path / "home", tmp_path / "made")
    assert {path.name for path in made.iterdir()} == {
        "SHA256SUMS",
        "backup.json",
        "config.toml",
        "database.dump",
    }
    ran = referee("restore", made, "--config", anew(tmp_path / "anew") / "config.toml")
    assert ran.code == 1 and "has a referee's tables, and nothing is written over: name an empty one." in ran.said
    url = postgresql.fresh()
    (anew(tmp_path / "third") / "config.toml").write_text(settings(url))
    ran = restored(made, tmp_path / "third")
    assert "entries, sound" in ran.said and "It may serve." in ran.said
    world = World(tmp_path / "third", first=5000, database=url)
    with world.store.look() as step:
        assert notes.RESTORED_UNTOLD.of().read(step)
    world.new_mail()
    # Letters and people are numbered by the server: who comes later must not get a number that is taken.
    world.write("otto@players.example", "OBSERVE nw1")
    assert world.reply(GINA, 'ANNOUNCE "hello"')
    world.close()


@pytest.mark.real
def test_the_other_kind_of_database_is_refused(begun: str, tmp_path: Path) -> None:
    made = backed_up(tmp_path / "home", tmp_path / "made")
    (anew(tmp_path / "anew") / "config.toml").write_text(CONFIG)
    ran = referee("restore", made, "--config", tmp_path / "anew" / "config.toml")
    assert ran.code == 1
    assert "The backup is one of PostgreSQL, and [database] url names SQLite: name a database of its kind." in ran.said


def test_without_programs_of_its_version_it_says_what_to_install() -> None:
    with pytest.raises(Unusable) as problem:
        _program("pg_dump", 99)
    assert str(problem.value) == (
        "The database is PostgreSQL 99, and there is no pg_dump of version 99 or later here: install the programs of that "
        "version (Debian: postgresql-client-99)."
    )


def test_no_password_stands_in_the_list_of_processes() -> None:
    url = make_url("postgresql+psycopg://u:se%40same@db:5433/referee?sslmode=require&prepare_threshold=none")
    assert _for_libpq(url) == "postgresql://u@db:5433/referee?sslmode=require"
