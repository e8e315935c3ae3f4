"""The doctor finds what must be mended and says what; the desk hands shunted letters back or lays them aside."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.adapters.clock_and_secrets import FileClock
from referee.adapters.files import Unusable
from referee.adapters.store.store import Store, Turns
from referee.bootstrap.data_folder import enter
from referee.bootstrap.offices import opened, stored, take_up
from referee.config import Config, load, read
from referee.doctor import Finding, examine
from referee.service.base import notes
from referee.service.base.note_values import BackedUp, Loss
from referee.service.base.ports import LetterIn
from referee.service.match.suspension import note_loss
from tests.commands import app
from tests.needed import left_out
from tests.postgresql import Postgresql
from tests.service.conftest import databases
from tests.torn import tear
from tests.world import ADDRESS, BEGINS, World

__all__ = ["databases"]

RUN = CliRunner()


def found(text: str, home: Path) -> dict[str, Finding]:
    return {finding.what: finding for finding in examine(read(text, home))}


def test_a_good_house_is_well(tmp_path: Path) -> None:
    findings = found('[referee]\naddress = "referee@games.example"\n[receive]\nport = 0\n', tmp_path)
    assert [f for f in findings.values() if not f.well] == []
    assert "wal, synchronous 2" in findings["durability"].sentence


def test_a_referee_at_localhost_cannot_be_answered(tmp_path: Path) -> None:
    finding = found("", tmp_path)["address"]
    assert not finding.well and "[referee] address" in finding.sentence


def test_a_disk_with_little_more_than_the_reserve_is_named(tmp_path: Path) -> None:
    finding = found("[limits]\nreserve_mb = 1_000_000_000\n", tmp_path)["disk"]
    assert not finding.well and "[limits] reserve_mb" in finding.sentence


def test_a_clock_from_a_file_is_not_for_play(tmp_path: Path) -> None:
    finding = found('[clock]\nfile = "now"\n', tmp_path)["clock"]
    assert not finding.well and "real play" in finding.sentence


def test_a_relay_that_is_not_there_is_named(tmp_path: Path) -> None:
    finding = found('[send]\nmethod = "smtp"\nhost = "127.0.0.1"\nport = 9\n', tmp_path)["relay"]
    assert not finding.well and "127.0.0.1 on port 9" in finding.sentence


def test_a_mailbox_that_is_not_there_is_named(tmp_path: Path) -> None:
    finding = found('[imap]\nhost = "127.0.0.1"\nport = 9\nuser = "u"\npassword = "p"\n', tmp_path)["mailbox"]
    assert not finding.well and "refused" in finding.sentence


def test_a_folder_that_is_no_maildir_is_named(tmp_path: Path) -> None:
    finding = found('[maildir]\npath = "nowhere"\n', tmp_path)["maildir"]
    assert not finding.well and f"install -d -m 700 {tmp_path}/nowhere/new" in finding.sentence


def test_what_other_accounts_may_read_is_named_with_how_to_close_it(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    for name in ("var", "var/referee.sqlite", "dkim key.pem", "word"):
        path = tmp_path / name
        path.mkdir() if name == "var" else path.write_bytes(b"")
        path.chmod(0o755 if name == "var" else 0o644)
    settings = tmp_path / "config.toml"
    settings.write_text(
        '[imap]\npassword_file = "word"\n[send]\npassword = "x"\n[dkim]\nselector = "s"\nkey_file = "dkim key.pem"\n'
    )
    settings.chmod(0o644)
    finding = next(f for f in examine(load(settings)) if f.what == "rights")
    open_ones = f"{tmp_path}/var {tmp_path}/var/referee.sqlite {settings} {tmp_path}/word '{tmp_path}/dkim key.pem'"
    assert not finding.well and finding.sentence.endswith(f"close them: chmod go= {open_ones}")
    for path in tmp_path.iterdir():
        path.chmod(0o700)
    assert next(f for f in examine(load(settings)) if f.what == "rights").well


def test_a_torn_database_is_named_by_the_doctor(tmp_path: Path) -> None:
    file = tmp_path / "var" / "referee.sqlite"
    Store(f"sqlite:///{file}").close()
    assert found("", tmp_path)["soundness"] == Finding("soundness", True, f"{file} is whole.")
    tear(file, "entry")
    finding = found("", tmp_path)["soundness"]
    assert not finding.well and finding.sentence.startswith(f"{file} is damaged: the table entry (")
    assert "restore your last backup" in finding.sentence
    file.write_bytes(b"nothing of the kind\n" * 300)
    findings = found("", tmp_path)
    assert not findings["soundness"].well and "is no SQLite database" in findings["soundness"].sentence
    assert "is no SQLite database" in findings["database"].sentence


SEALED = """
mount --bind {folder} {folder} && mount -o remount,ro,bind {folder} && cd {folder} && exec {python} -m referee {words}
"""


def sealed(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command in a folder whose file system can only be read, as one is that the system has found faulty."""
    script = SEALED.format(folder=folder, python=sys.executable, words=shlex.join(words))
    command = ["unshare", "--mount", "--map-root-user", "sh", "-c", script]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "COLUMNS": "300"})


def test_a_sound_database_on_a_disk_that_can_only_be_read_is_not_called_damaged_and_can_be_copied_off(
    tmp_path: Path, databases: Path
) -> None:
    if subprocess.run(["unshare", "--mount", "--map-root-user", "true"], capture_output=True).returncode:
        left_out("this machine lets nobody mount anything")
    house, usb = tmp_path / "house", tmp_path / "usb"
    house.mkdir(mode=0o700)
    usb.mkdir()
    (house / "var").mkdir(mode=0o700)
    shutil.copy(databases / "begun.sqlite", house / "var" / "referee.sqlite")
    (house / "config.toml").write_text(f'[referee]\naddress = "{ADDRESS}"\n')
    assert RUN.invoke(app, ["show", "matches", "--config", str(house / "config.toml")]).exit_code == 0
    told = sealed(house, "doctor").stdout
    assert "referee.sqlite is whole" in told and "file system is read-only" in told
    assert "damaged" not in told and "restore your last backup" not in told
    assert "nw1" in sealed(house, "show", "matches").stdout
    assert (listed := sealed(house, "desk", "list")).returncode == 0, listed.stderr
    assert "read-only" in sealed(house, "gm", "nw1", "PAUSE").stderr
    assert (copied := sealed(house, "backup", str(usb / "today"))).returncode == 0, copied.stderr
    assert (usb / "today" / "database.sqlite").exists()


def test_a_house_that_plays_without_any_backup_is_not_well(tmp_path: Path, databases: Path) -> None:
    settings = f'[referee]\naddress = "{ADDRESS}"\n'
    assert found(settings, tmp_path)["backup"].well  # nothing is lost with an empty house
    shutil.copy(databases / "begun.sqlite", tmp_path / "var" / "referee.sqlite")
    finding = found(settings, tmp_path)["backup"]
    assert not finding.well and finding.sentence.startswith("No backup was made yet.")
    with stored(read(settings, tmp_path)) as store, store.step() as step:
        notes.BACKED_UP.of().keep(step, BackedUp(datetime.now(UTC), "/mnt", 1, "here", 2))
    assert found(settings, tmp_path)["backup"].well


def other_machine(folder: Path, text: str) -> Config:
    """The settings of another machine with the same database."""
    home = folder / "other"
    home.mkdir(exist_ok=True)
    return read(f'{text}[database]\nurl = "sqlite:///{folder}/var/referee.sqlite"\n', home)


def started(config: Config) -> None:
    with opened(config) as office:
        take_up(config, office)


def test_a_machine_with_another_key_or_address_does_not_serve_the_house(tmp_path: Path) -> None:
    first = f'[referee]\naddress = "{ADDRESS}"\n'
    (tmp_path / "config.toml").write_text(first)
    mine = load(tmp_path / "config.toml")
    started(mine)
    started(mine)
    second = other_machine(tmp_path, first)
    with pytest.raises(Unusable, match=r"Another key than signing\.key .* copy signing\.key and signing\.changes"):
        started(second)
    assert not next(f for f in examine(second) if f.what == "house").well
    shutil.copy(tmp_path / "var" / "signing.key", second.data_folder)
    started(second)
    assert next(f for f in examine(second) if f.what == "house").well
    moved = other_machine(tmp_path, '[referee]\naddress = "club@elsewhere.example"\n')
    with pytest.raises(Unusable, match=rf"that of {ADDRESS}, and .referee. address is club@elsewhere.example"):
        started(moved)
    # A key that the old one has signed is taken up, and the other machine must have it too.
    assert RUN.invoke(app, ["keys", "rotate", "signing", "--config", str(tmp_path / "config.toml")]).exit_code == 0
    started(mine)
    with pytest.raises(Unusable, match="Another key"):
        started(second)


def test_a_new_address_that_is_meant_is_accepted_by_a_word(tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text('[referee]\naddress = "old@games.example"\n')
    started(load(settings))
    settings.write_text('[referee]\naddress = "new@games.example"\n')
    with pytest.raises(Unusable, match="referee keys accept"):
        started(load(settings))
    told = RUN.invoke(app, ["keys", "accept", "--config", str(settings)]).output
    assert "new@games.example" in told
    started(load(settings))


def test_whether_a_service_runs_is_said(tmp_path: Path) -> None:
    settings = read("[receive]\nport = 0\n", tmp_path)
    assert "does not run" in found("", tmp_path)["service"].sentence
    lock = enter(settings)
    assert lock is not None
    assert found("", tmp_path)["service"].sentence == f"referee serve runs (process {os.getpid()})."
    lock.close()
    assert "does not run" in found("", tmp_path)["service"].sentence


def test_an_archive_that_no_web_server_can_read_is_named(tmp_path: Path) -> None:
    assert "no web server may read it" in found('[archive]\nfolder = "var/www"\n', tmp_path)["archive"].sentence
    assert "archive" not in found('[archive]\nfolder = "www"\n', tmp_path)


@pytest.fixture
def shunted(tmp_path: Path) -> Path:
    """A settings file of a house in which letter 1 waits for a person."""
    (tmp_path / "var").mkdir()
    world = World(tmp_path / "var")
    world.put(b"From: a@b.example\r\n\r\nHELP\r\n", "a@b.example", "referee@games.example")
    with world.store.step() as step:
        step.finish_letter(1, "shunted", "it broke us")
    world.close()
    settings = tmp_path / "config.toml"
    settings.write_text("[receive]\nport = 0\n")
    return settings


def test_the_doctor_tells_of_a_database_that_is_older_than_its_letters(shunted: Path) -> None:
    store = Store(f"sqlite:///{shunted.parent / 'var' / 'referee.sqlite'}")
    with store.step() as step:
        notes.SET_BACK.of("nw1").keep(step, datetime.now(UTC))
    store.close()
    finding = found("", shunted.parent)["restored"]
    assert (
        not finding.well and "a player of nw1 answered a letter that the database knows nothing of" in finding.sentence
    )


@pytest.mark.real
def test_a_server_that_may_lose_what_was_acknowledged_is_named(tmp_path: Path, postgresql: Postgresql) -> None:
    """The tests' own server is such a one."""
    finding = found(f'[database]\nurl = "{postgresql.fresh()}"\n', tmp_path)["durability"]
    assert not finding.well
    for said in ("PostgreSQL 1", "fsync off", "lock_timeout 10s", "Set fsync, full_page_writes to on"):
        assert said in finding.sentence


def test_the_doctor_tells_of_letters_that_wait(shunted: Path) -> None:
    result = RUN.invoke(app, ["doctor", "--json", "--config", str(shunted)])
    letters = next(f for f in json.loads(result.output) if f["what"] == "letters")
    assert result.exit_code == 1 and not letters["well"] and "referee desk list" in letters["sentence"]


def test_a_terminal_is_shown_no_sign_of_control_that_a_stranger_wrote(shunted: Path) -> None:
    store = Store(f"sqlite:///{shunted.parent / 'var' / 'referee.sqlite'}")
    raw = b"Subject: x\r\n\r\n\x1b]0;owned\x07\x9b2J \xe2\x80\xaeHELP\r\n"
    with store.step() as step:
        (number,) = step.receive([LetterIn(0, "t:escape", BEGINS, "x@y.example", "referee@games.example", raw)])
    store.close()
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "referee", "desk", "show", str(number), "--config", str(shunted)]
    assert subprocess.run(command, stdout=theirs, check=False).returncode == 0
    os.close(theirs)
    shown = os.read(ours, 10_000)
    os.close(ours)
    assert b"\\x1b]0;owned\\x07" in shown and b"HELP" in shown
    assert not {b"\x1b]", b"\x07", b"\xe2\x80\xae"} & {shown[i : i + n] for n in (1, 2, 3) for i in range(len(shown))}


def test_a_shunted_letter_is_listed_shown_and_put_back(shunted: Path) -> None:
    config = ["--config", str(shunted)]
    (row,) = json.loads(RUN.invoke(app, ["desk", "list", "--json", *config]).output)
    assert (row["id"], row["verdict"]) == (1, "it broke us")
    assert "HELP" in RUN.invoke(app, ["desk", "show", "1", *config]).output
    assert RUN.invoke(app, ["desk", "retry", "1", *config]).exit_code == 0
    assert RUN.invoke(app, ["desk", "retry", "1", *config]).exit_code == 1
    store = Store(f"sqlite:///{shunted.parent / 'var' / 'referee.sqlite'}")
    with store.look() as step:
        assert [letter.id for letter in step.letters("new", 9)] == [1]
    store.close()


@pytest.fixture
def waiting(tmp_path: Path) -> Path:
    """A settings file of a house in which letter 1 is new and has waited since some other day."""
    (tmp_path / "var").mkdir()
    world = World(tmp_path / "var")
    world.put(b"From: a@b.example\r\n\r\nHELP\r\n", "a@b.example", "referee@games.example")
    world.close()
    FileClock(tmp_path / "clock").set(world.clock.now() + timedelta(days=1))
    settings = tmp_path / "config.toml"
    settings.write_text('[receive]\nport = 0\n[clock]\nfile = "clock"\n')
    return settings


def test_a_new_letter_that_waits_is_listed_and_can_be_laid_aside(waiting: Path) -> None:
    config = ["--config", str(waiting)]
    (row,) = json.loads(RUN.invoke(app, ["desk", "list", "--json", *config]).output)
    assert (row["id"], row["waits"], row["status"], row["attempts"], row["size"]) == (1, "1 day", "new", 0, 27)
    inbox = next(f for f in examine(load(waiting)) if f.what == "inbox")
    assert not inbox.well and inbox.sentence.startswith("1 letters have waited for the desk for more than five minutes")
    assert RUN.invoke(app, ["desk", "discard", "1", *config]).exit_code == 0
    assert json.loads(RUN.invoke(app, ["desk", "list", "--json", *config]).output) == []
    assert RUN.invoke(app, ["desk", "discard", "1", *config]).exit_code == 1


def test_letters_are_listed_while_somebody_writes_for_long(waiting: Path) -> None:
    """As a desk that hangs in the midst of a transaction does."""
    with Turns(waiting.parent / "var" / "referee.sqlite-turn").mine():
        (row,) = json.loads(RUN.invoke(app, ["desk", "list", "--json", "--config", str(waiting)]).output)
        assert row["id"] == 1
        assert "HELP" in RUN.invoke(app, ["desk", "show", "1", "--config", str(waiting)]).output


def test_the_doctor_tells_of_a_letter_long_in_hand(waiting: Path) -> None:
    since = time.monotonic_ns() - 45_000_000_000
    load(waiting).hand_files[0].write_text(f"1 {os.getpid()} {since}")
    desk = next(f for f in examine(load(waiting)) if f.what == "desk")
    assert not desk.well and desk.sentence.startswith("Letter 1 has been in hand for 45 seconds.")
    (row,) = json.loads(RUN.invoke(app, ["desk", "list", "--json", "--config", str(waiting)]).output)
    assert row["status"] == "in hand"


def test_of_a_letter_laid_aside_nothing_stays_but_that_it_came(shunted: Path) -> None:
    config = ["--config", str(shunted)]
    assert RUN.invoke(app, ["desk", "discard", "1", *config]).exit_code == 0
    assert json.loads(RUN.invoke(app, ["desk", "list", "--json", *config]).output) == []
    assert "laid aside by the keeper" in RUN.invoke(app, ["desk", "show", "1", *config]).output
    with closing(sqlite3.connect(shunted.parent / "var" / "referee.sqlite")) as db:
        assert db.execute("SELECT sum(length(raw)) FROM letter_body").fetchone() in [(0,), (None,)]
        assert db.execute("SELECT id, status FROM letter_in").fetchall() == [(1, "discarded")]


@pytest.mark.parametrize(("hours", "well"), [(0.1, True), (30.0, False)])
def test_what_the_service_does_not_reach_is_named_with_since_when(tmp_path: Path, hours: float, well: bool) -> None:
    since = datetime.now(UTC) - timedelta(hours=hours)
    (tmp_path / "var").mkdir()
    store = Store(f"sqlite:///{tmp_path / 'var' / 'referee.sqlite'}")
    with store.step() as step:
        note_loss(step, "mailbox", Loss("the mailbox a@b", since, since, "no route"))
    store.close()
    finding = found("", tmp_path)["contact"]
    assert finding.well == well
    assert f"has not reached the mailbox a@b since {since:%Y-%m-%d %H:%M} UTC" in finding.sentence
    assert finding.sentence.endswith("deadlines wait for it. no route")
