"""Who may read what lies on disk, and what is said when folder or database cannot be used."""

from __future__ import annotations

import errno
import os
import pwd
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.adapters.files import Unusable, close_to_others, keep_to_ourselves, why_not
from referee.adapters.incoming.mailbag import Mailbag
from referee.adapters.outgoing.postman import mailbox
from referee.adapters.pages.archive_folder import Site
from referee.adapters.store.store import Store
from referee.bootstrap.service import Service
from referee.cli.program import main
from referee.config import read
from tests.commands import app
from tests.kill.running import Running
from tests.program import Program
from tests.service.conftest import GINA
from tests.torn import tear

LETTER = f"From: {GINA}\r\nMessage-ID: <1@x>\r\n\r\nGAMES\r\n".encode()
REFEREE = "referee@games.example"


def rights(path: Path) -> str:
    return f"{path.lstat().st_mode & 0o777:03o}"


def open_below(folder: Path) -> list[str]:
    """Whatever lies in a folder, itself included, and others may use."""
    return sorted(str(path) for path in (folder, *folder.rglob("*")) if path.lstat().st_mode & 0o077)


@pytest.fixture
def umask() -> Iterator[int]:
    """An umask that lets everybody read and write; what a test leaves behind is undone."""
    before = os.umask(0)
    yield 0
    os.umask(before)


# ---------------------------------------------------------------- who may read


def test_nobody_else_may_look_into_the_folder_of_a_service(service: Running) -> None:
    """The folder was made by the tests, open as it used to be; all that came later the service made."""
    service.send(GINA, REFEREE, LETTER)
    service.until("an answer", lambda: mailbox(service.folder / "var" / "mail", GINA).is_dir())
    service.until("pages", lambda: (service.folder / "var" / "archive" / "nw1" / "index.html").is_file())
    assert {path.name for path in (service.folder / "var").iterdir()} >= {"referee.sqlite-wal", "desk.lock", "archive"}
    assert open_below(service.folder / "var") == []


def test_a_folder_that_was_open_is_closed_at_the_start_and_that_is_said(service: Running) -> None:
    (line,) = [line for line in (service.folder / "stderr").read_text().splitlines() if "open to others" in line]
    assert line.endswith(f"under {service.folder / 'var'} were open to others and are closed")


def test_every_command_makes_files_for_its_own_user_only(
    tmp_path: Path, umask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.toml").touch()
    monkeypatch.setattr(sys, "argv", ["referee", "show", "matches"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code and (tmp_path / "var" / "referee.sqlite").is_file()
    assert open_below(tmp_path / "var") == []


def test_what_others_own_or_everybody_uses_is_not_closed(tmp_path: Path) -> None:
    (shared := tmp_path / "shared").mkdir()
    shared.chmod(0o1777)
    (tmp_path / "linked").symlink_to("/etc/hostname")
    (program := tmp_path / "program").write_text("#!/bin/sh\n")
    program.chmod(0o755)
    before = rights(Path("/etc/hostname"))
    assert close_to_others(shared, tmp_path, tmp_path / "none") == 1  # the program alone
    assert (rights(shared), rights(program), rights(Path("/etc/hostname"))) == ("777", "700", before)


@pytest.mark.parametrize("public", [False, True])
def test_an_archive_may_be_read_by_others_only_where_it_is_published(tmp_path: Path, umask: int, public: bool) -> None:
    keep_to_ourselves()
    index = Site(tmp_path / "www" / "here", public).publish("nw1", {"sheets/spain.csv": b"1"}, b"2")
    assert rights(index) == rights(index.parent / "sheets" / "spain.csv") == ("644" if public else "600")
    assert rights(index.parent) == rights(tmp_path / "www") == ("755" if public else "700")


@pytest.mark.parametrize(
    ("settings", "public"),
    [("", False), ('[archive]\nfolder = "www"\n', True), ('[archive]\nfolder = "var/www"\n', False)],
)
def test_an_archive_is_published_by_giving_it_a_folder_of_its_own(tmp_path: Path, settings: str, public: bool) -> None:
    assert read(settings, tmp_path).archive_is_public is public


# ---------------------------------------------------------------- one service


def second(service: Running, tmp_path: Path) -> tuple[int, str, str]:
    """What comes of another `referee serve` on the same folder: its exit code, what it says, and what it complains of."""
    config = str(service.folder / "config.toml")
    with (tmp_path / "stderr").open("wb") as errors, Program("serve", "--config", config, stderr=errors) as other:
        said = other.stdout.read()
    return other.wait(), said, (tmp_path / "stderr").read_text()


def test_a_second_service_on_a_folder_is_refused_and_commands_work_beside_the_first(
    service: Running, tmp_path: Path
) -> None:
    code, said, complaint = second(service, tmp_path)
    file = service.folder / "var" / "referee.sqlite"
    assert code == 1 and said == ""
    assert complaint == (
        f"Another referee serve (process {service.process.pid}) works on {file}, and one is enough: end it first, or give "
        "this one a folder of its own with [referee] data.\n"
    )
    config = ["--config", str(service.folder / "config.toml")]
    assert CliRunner().invoke(app, ["show", "matches", *config]).exit_code == 0
    assert CliRunner().invoke(app, ["receive", *config], input=LETTER.decode()).exit_code == 0
    assert f"referee serve runs (process {service.process.pid})" in CliRunner().invoke(app, ["doctor", *config]).output


def test_a_service_that_was_killed_is_followed_by_another_at_once(service: Running) -> None:
    os.kill(service.process.pid, signal.SIGKILL)
    service.buried()
    service.start()
    service.send(GINA, REFEREE, LETTER.replace(b"<1@x>", b"<2@x>"))


# ---------------------------------------------------------------- a sentence


def begun(folder: Path) -> Path:
    """The database of a house that was opened once."""
    Store(f"sqlite:///{folder / 'var' / 'referee.sqlite'}").close()
    Mailbag(folder / "var" / "referee.sqlite-mailbag").close()
    return folder / "var" / "referee.sqlite"


def refused(folder: Path, text: str = "") -> str:
    """Why a service does not start."""
    with pytest.raises(Unusable) as problem:
        Service(read(f"[receive]\nport = 0\n{text}", folder))
    return str(problem.value)


@pytest.mark.parametrize("table", ["entry", "letter_in", "token", "match"])
def test_a_service_does_not_start_on_a_torn_database(tmp_path: Path, table: str) -> None:
    file = begun(tmp_path)
    tear(file, table)
    said = refused(tmp_path)
    assert said.startswith(f"{file} is damaged: the table {table} (") and "docs/backup.md" in said


def test_a_service_does_not_start_on_a_torn_mailbag(tmp_path: Path) -> None:
    tear(Path(f"{begun(tmp_path)}-mailbag"), "letter")
    assert "-mailbag is damaged: the table letter (" in refused(tmp_path)


def test_a_database_of_a_newer_version_is_left_alone_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], umask: int
) -> None:
    file = begun(tmp_path)
    db = sqlite3.connect(file)
    db.execute("UPDATE alembic_version SET version_num = '9999'")
    db.commit()
    db.close()
    before = file.read_bytes()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.toml").touch()
    for command in ("show matches", "desk list", "gm nw1 START"):
        monkeypatch.setattr(sys, "argv", ["referee", *command.split()])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr().err
        assert ended.value.code == 1 and said.count("\n") == 1
        assert said.startswith("The database was written by a newer referee (tables 9999, not ")
        assert "restore the backup made before the upgrade" in said
    assert "newer referee" in refused(tmp_path)
    assert file.read_bytes() == before


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    (file := tmp_path / "var" / "referee.sqlite").write_bytes(b"not a database at all\n" * 400)
    assert refused(tmp_path).startswith(f"The database {file} cannot be used: it is no SQLite database.")
    assert file.read_bytes() == b"not a database at all\n" * 400


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert (
        refused(tmp_path, '[referee]\ndata = "file/var"\n')
        == f"{tmp_path / 'file/var'} cannot be used: something on the way to it is no folder. Name another place in the settings."
    )


def test_an_address_that_is_none_of_a_database_is_named(tmp_path: Path) -> None:
    assert "[database] url" in refused(tmp_path, '[database]\nurl = "nonsense"\n')
    unknown = "[database] url wants the Python package pg8000, which is not installed"
    assert refused(tmp_path, '[database]\nurl = "postgresql+pg8000://a@b/c"\n').startswith(unknown)
    assert "[database] url names no file" in refused(tmp_path, '[database]\nurl = "sqlite://"\n')


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            OSError(errno.EROFS, "x", "var/a"),
            "var/a cannot be used: the file system can only be read. "
            "Name a place that can be written (ReadWritePaths of a systemd unit).",
        ),
        (OSError(errno.ENOSPC, "x", "var/a"), "var/a cannot be used: the disk is full. Make room and try again."),
    ],
)
def test_what_the_system_refuses_is_said_in_a_sentence(error: OSError, said: str) -> None:
    assert why_not(error, "sqlite:///var/referee.sqlite") == said


def test_a_letter_piped_in_by_another_user_is_put_off_with_the_name_of_the_right_one(tmp_path: Path) -> None:
    file = begun(tmp_path)
    close_to_others(file.parent)
    root = os.geteuid() == 0
    if not root:  # only root can become somebody else
        file.parent.chmod(0)
    tmp_path.chmod(0o755)  # its parents need not let anybody in: he starts in it
    (tmp_path / "config.toml").write_text("")
    body = (
        "import os, sys; from referee.cli.program import main, whole; whole(); sys.argv[1] and os.setuid(int(sys.argv[1])); "
        "sys.argv[1:] = ['receive', '--config', 'config.toml']; main()"
    )
    command = [sys.executable, "-c", body, str(pwd.getpwnam("nobody").pw_uid) if root else ""]
    ran = subprocess.run(command, cwd=tmp_path, input=LETTER, capture_output=True, timeout=60, check=False)
    assert ran.returncode == 75
    why = "It belongs to root and this is nobody: run this as root." if root else "Let this user read and write it"
    assert why in ran.stderr.decode()
