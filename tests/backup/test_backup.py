"""A backup made while the service runs is whole, has everything that was acknowledged, and comes back proved; or says why not."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from referee.adapters.backup import beside
from referee.service.base.note_values import FORMAT
from tests.backup.commands import anew, backed_up, referee, restored
from tests.kill.running import CONFIG, Running
from tests.lifetimes.kept import opened, unpacked
from tests.service.conftest import GINA
from tests.steady import STEADY
from tests.world import ADDRESS

HOME_FILES = {
    "config.toml": CONFIG
    + '[imap]\npassword_file = "secret/imap"\n[dkim]\nselector = "post"\nkey_file = "dkim.pem"\n[empire]\nboards = "drawn"\n',
    "secret/imap": "sesame\n",
    "drawn/mine.txt": "a board\n",
}


@pytest.fixture(scope="module")
def backup(service: Running, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of the running service, to be copied before it is damaged."""
    return backed_up(service.folder, tmp_path_factory.mktemp("backups") / "nightly")


def letter_in(database: Path, mark: bytes) -> bool:
    """Whether a letter lies in a database or a mailbag."""
    with closing(sqlite3.connect(database)) as db, db:
        rows = db.execute(
            f"SELECT raw FROM {'letter' if database.name == 'mailbag.sqlite' else 'letter_body'}"
        ).fetchall()
    db.close()
    return any(mark in raw for (raw,) in rows)


def test_what_was_acknowledged_is_in_a_backup_of_the_running_service(service: Running, tmp_path: Path) -> None:
    service.send(GINA, ADDRESS, f"From: {GINA}\r\nMessage-ID: <1@x>\r\n\r\nGAMES\r\n".encode())
    made = backed_up(service.folder, tmp_path / "made")
    assert any(letter_in(made / name, b"<1@x>") for name in ("database.sqlite", "mailbag.sqlite"))
    assert subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=made).returncode == 0


def test_a_backup_is_for_its_own_user_only_and_has_what_cannot_be_made_anew(backup: Path) -> None:
    assert [path for path in (backup, *backup.rglob("*")) if path.stat().st_mode & 0o077] == []
    files = {path.relative_to(backup).as_posix() for path in backup.rglob("*") if path.is_file()}
    assert files == {
        "SHA256SUMS",
        "backup.json",
        "config.toml",
        "data/signing.key",
        "database.sqlite",
        "mailbag.sqlite",
    }


def test_it_says_how_far_each_match_had_come(backup: Path, service: Running) -> None:
    said = json.loads((backup / "backup.json").read_bytes())
    (match,) = said["matches"]
    ((entries,),) = service.rows("SELECT count(*) FROM entry")
    ((head,),) = service.rows("SELECT hash FROM entry ORDER BY seq DESC LIMIT 1")
    assert (match["name"], match["turn"], match["entries"], match["head"]) == ("nw1", 1, entries, head)
    assert said["address"] == ADDRESS and said["program"]["format"] == FORMAT


def test_a_match_that_other_rules_began_comes_back_in_the_words_of_replay(
    tmp_path: Path, sealed_dice: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(STEADY, "")
    home = tmp_path / "home"
    (home / "var").mkdir(parents=True)
    (home / "config.toml").write_text(CONFIG)
    kept = unpacked("0.2.0", "quick", home / "var", ["newworld-43"])
    opened(kept.at, home / "var", "later").close()
    ran = restored(backed_up(anew(home), tmp_path / "made"), anew(tmp_path / "anew"))
    again = referee("replay", "newworld-43", "--config", tmp_path / "anew" / "config.toml")
    assert again.code == 3 and "Sound as far as checked" in again.said
    assert "entries, sound as far as checked" in ran.said and "It may serve." in ran.said


def test_it_comes_back_proved_and_says_what_is_missing(backup: Path, tmp_path: Path) -> None:
    ran = restored(backup, anew(tmp_path / "anew"))
    assert "nw1: " in ran.said and "entries, sound" in ran.said and "It may serve." in ran.said
    began = json.loads((backup / "backup.json").read_bytes())["began"]
    assert f"Nothing that came after {began[:19].replace('T', ' ')} UTC is in it" in ran.said
    assert "came by SMTP, LMTP or a pipe" in ran.said and "mailbox of" not in ran.said
    assert referee("replay", "nw1", "--config", tmp_path / "anew" / "config.toml").code == 0
    data = tmp_path / "anew" / "var"
    assert [path for path in (data, *data.rglob("*")) if path.stat().st_mode & 0o077] == []
    assert (data / "signing.key").read_bytes() == (backup / "data" / "signing.key").read_bytes()


def test_settings_and_the_files_they_name_go_where_they_were_unless_others_are_there(
    service: Running, tmp_path: Path
) -> None:
    home, key = tmp_path / "home", tmp_path / "home" / "dkim.pem"
    anew(home)
    for name, text in HOME_FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    subprocess.run(["openssl", "genrsa", "-traditional", "-out", str(key), "2048"], check=True, capture_output=True)
    shutil.copytree(backed_up(service.folder, tmp_path / "b") / "data", home / "var")
    shutil.copy(tmp_path / "b" / "database.sqlite", home / "var" / "referee.sqlite")
    made = backed_up(home, tmp_path / "made")
    restored(made, anew(tmp_path / "anew"))
    for name in (*HOME_FILES, "dkim.pem"):
        assert (tmp_path / "anew" / name).read_bytes() == (home / name).read_bytes()
    (anew(tmp_path / "third") / "secret").mkdir()
    (tmp_path / "third" / "secret" / "imap").write_text("another\n")
    ran = restored(made, tmp_path / "third")
    assert "secret/imap is another one than in the backup, and was left as it is." in ran.said
    assert (tmp_path / "third" / "secret" / "imap").read_text() == "another\n"


def test_a_backup_can_be_looked_at_in_a_folder_of_its_own(backup: Path, service: Running, tmp_path: Path) -> None:
    ran = referee("restore", backup, "--to", tmp_path / "look", "--config", service.folder / "config.toml")
    assert ran.code == 0 and f"data = '{tmp_path / 'look'}'" in ran.said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["look"]


def _flip(path: Path) -> None:
    """Change a byte in the middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _put_into_a_folder(backup: Path) -> None:
    """Have the backup one floor lower than it was."""
    backup.rename(backup.with_name("moved"))
    backup.mkdir()
    backup.with_name("moved").rename(backup / "nightly")


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a byte of the database": (
        lambda b: _flip(b / "database.sqlite"),
        "database.sqlite is not what it was when the backup was made",
    ),
    "a byte of the facts": (
        lambda b: _flip(b / "backup.json"),
        "backup.json is not what it was when the backup was made",
    ),
    "a byte of the sums": (lambda b: _flip(b / "SHA256SUMS"), "This backup is damaged"),
    "a shorter file": (lambda b: (b / "mailbag.sqlite").write_bytes(b"x"), "mailbag.sqlite has 1 bytes, and had"),
    "a missing file": (lambda b: (b / "data" / "signing.key").unlink(), "data/signing.key is missing"),
    "no sums": (
        lambda b: (b / "SHA256SUMS").unlink(),
        "is no backup. A backup is a folder that has the file SHA256SUMS.",
    ),
    "no facts": (lambda b: (b / "backup.json").unlink(), "backup.json is missing"),
    "a folder of backups": (_put_into_a_folder, "holds backups and is none: name one, such as"),
    "nothing": (shutil.rmtree, "There is no folder"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_each_kind_of_damage_is_told_in_a_sentence_and_nothing_is_written(
    backup: Path, tmp_path: Path, damage: str
) -> None:
    harm, said = DAMAGES[damage]
    shutil.copytree(backup, tmp_path / "b")
    harm(tmp_path / "b")
    anew(tmp_path / "anew")
    ran = referee("restore", tmp_path / "b", "--config", tmp_path / "anew" / "config.toml")
    assert ran.code == 1 and said in ran.said and "Traceback" not in ran.said, ran.said
    assert [path.name for path in (tmp_path / "anew").iterdir()] == ["clock"]


def rewritten(backup: Path, to: Path, **facts: object) -> Path:
    """The backup with other facts, as if they had been so when it was made."""
    shutil.copytree(backup, to)
    said = json.loads((to / "backup.json").read_bytes())
    (to / "backup.json").write_text(json.dumps({**said, **facts}))
    names = [*said["files"], "backup.json"]
    (to / "SHA256SUMS").write_bytes(
        subprocess.run(["sha256sum", *names], cwd=to, capture_output=True, check=True).stdout
    )
    return to


def test_what_a_newer_program_made_names_the_version_to_install(backup: Path, tmp_path: Path) -> None:
    newer = rewritten(backup, tmp_path / "b", program={"version": "9.9.9", "format": FORMAT + 1, "rules": {}})
    ran = referee("restore", newer, "--config", tmp_path / "config.toml")
    assert ran.code == 1 and "Install version 9.9.9 or a later one." in ran.said
    ran = referee("restore", rewritten(backup, tmp_path / "c", form=2), "--config", tmp_path / "config.toml")
    assert ran.code == 1 and "is a backup of form 2, which a newer referee made" in ran.said


def test_a_log_that_was_changed_before_the_backup_is_named(backup: Path, tmp_path: Path) -> None:
    shutil.copytree(backup, tmp_path / "b")
    with closing(sqlite3.connect(tmp_path / "b" / "database.sqlite")) as db, db:
        db.execute("UPDATE entry SET payload = '{}' WHERE seq = 1")
    db.close()
    sizes = {
        name: (tmp_path / "b" / name).stat().st_size
        for name in json.loads((backup / "backup.json").read_bytes())["files"]
    }
    changed = rewritten(tmp_path / "b", tmp_path / "c", files=sizes)
    ran = referee("restore", changed, "--config", anew(tmp_path / "home") / "config.toml")
    assert ran.code == 1 and "not sound: entry 1: its" in ran.said, ran.said
    assert "I do not say that this may serve" in ran.said and "It may serve" not in ran.said
    assert "may have it whole" in " ".join(ran.said.split())


def test_a_folder_with_anything_in_it_is_not_restored_into(backup: Path, service: Running, tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "mine").write_text("x")
    ran = referee("restore", backup, "--config", tmp_path / "config.toml")
    assert ran.code == 1 and f"{tmp_path / 'var'} is not empty (mine), and nothing is written over" in ran.said
    assert [path.name for path in tmp_path.rglob("*")] == ["var", "mine"]
    ran = referee("restore", backup, "--config", service.folder / "config.toml")
    assert ran.code == 1 and f"A service (process {service.process.pid}) works on" in ran.said


def test_a_restore_that_was_cut_short_serves_nothing_and_is_begun_anew(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "var" / ".restore.part" / "x").mkdir(parents=True)
    (tmp_path / "var" / "referee.sqlite").write_text("half")
    (tmp_path / "config.toml").write_text(CONFIG)
    ran = referee("serve", "--config", tmp_path / "config.toml")
    assert ran.code == 1 and "was cut short: run referee restore once more." in ran.said
    restored(backup, anew(tmp_path))


def test_all_of_a_backup_is_on_the_disk_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync, synced = os.fsync, list[Path]()

    def watched(number: int) -> None:
        synced.append(Path(f"/proc/self/fd/{number}").readlink())
        fsync(number)

    monkeypatch.setattr(os, "fsync", watched)
    with beside(tmp_path / "backup") as part:
        (part / "keys").mkdir()
        (part / "keys" / "dkim.pem").write_text("secret")
    assert set(synced[-4:]) == {part / "keys", part / "keys" / "dkim.pem", part, tmp_path}
    assert synced[-2:] == [part, tmp_path]


def test_a_backup_never_writes_over_another_and_leaves_nothing_half_done(
    backup: Path, service: Running, tmp_path: Path
) -> None:
    ran = referee("backup", backup, "--config", service.folder / "config.toml")
    assert ran.code == 1 and f"{backup} is there already, and nothing is written over" in ran.said
    (tmp_path / "config.toml").write_text('[referee]\ndata = "none"\n')
    ran = referee("backup", tmp_path / "b", "--config", tmp_path / "config.toml")
    assert ran.code == 1 and "There is no data folder" in ran.said
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]
