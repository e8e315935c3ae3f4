"""The systemd unit, judged by systemd itself and by running the service with no more rights than it leaves."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.config import read
from referee.setup.instructions import unit
from tests.bench.mail_server import lacking
from tests.commands import app
from tests.house.sources import ROOT
from tests.needed import left_out

WORST = 2.0
"""Exposure by `systemd-analyze security`, from 0 (none) to 10."""

PROGRAM = ("/bin/true",)


def analyzed(*words: str) -> subprocess.CompletedProcess[str]:
    """What systemd-analyze says."""
    left_out("" if shutil.which("systemd-analyze") else "not installed: systemd-analyze")
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)


def laid_down(folder: Path, settings: str) -> Path:
    """The unit of these settings, in a file."""
    file = folder / "referee.service"
    file.write_text(unit(read(settings, folder), PROGRAM, "mail"))
    return file


SETTINGS = {
    "as shipped": "",
    "all elsewhere": '[archive]\nfolder = "/srv/www/a b"\n[maildir]\npath = "box"\n[send]\nmaildir = "/var/tmp/mail"\n'
    + '[backup]\nfolder = "/mnt/backup"\n',
    "port 25": "[receive]\nport = 25\n",
}


@pytest.mark.parametrize("settings", SETTINGS)
def test_systemd_finds_nothing_wrong(settings: str, tmp_path: Path) -> None:
    done = analyzed("verify", str(laid_down(tmp_path, SETTINGS[settings])))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("settings", SETTINGS)
def test_systemd_finds_little_exposed(settings: str, tmp_path: Path) -> None:
    done = analyzed("security", "--offline=true", str(laid_down(tmp_path, SETTINGS[settings])))
    found = re.search(r"Overall exposure level for referee\.service: ([\d.]+)", done.stdout)
    assert found is not None, done.stdout + done.stderr
    print(f"\n{settings}: exposure {found[1]}")
    assert float(found[1]) <= WORST


@pytest.mark.slow
@pytest.mark.real
def test_with_no_more_rights_than_it_leaves_a_whole_match_is_played(tmp_path: Path) -> None:
    """Letters, turns, pictures, archives, and the end of the service: what is refused to it, it does not need."""
    left_out(lacking("systemd-analyze", "unshare", "setpriv"))
    file = laid_down(tmp_path, "")
    (tmp_path / "var").mkdir()
    demo = [sys.executable, "-m", "referee", "demo", "war27", "--keep", str(tmp_path / "var")]
    command = ["unshare", "--mount", sys.executable, "-m", "tests.setup.confining", str(file), *demo]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "The demo failed" not in done.stdout and (tmp_path / "var" / "archive").is_dir()


def test_it_may_write_where_the_settings_say(tmp_path: Path) -> None:
    text = laid_down(tmp_path, SETTINGS["all elsewhere"]).read_text()
    (writes,) = re.findall(r"^ReadWritePaths=(.*)$", text, re.MULTILINE)
    assert writes == f'{tmp_path}/var -/var/tmp/mail "-/srv/www/a b" -{tmp_path}/box -/mnt/backup'


@pytest.mark.parametrize(("parent", "said"), [("srv", "yes"), ("home", "read-only")])
def test_who_lives_in_a_home_can_read_it(parent: str, said: str) -> None:
    assert f"ProtectHome={said}\n" in unit(read("", Path("/") / parent / "referee"), PROGRAM, "me")


def test_names_with_blanks_dollars_and_percents_stay_what_they_are() -> None:
    text = unit(read('[referee]\ndata = "va r"\n', Path("/srv/5% $off")), ("/usr/bin/a b",), "me")
    assert 'ExecStart="/usr/bin/a b" serve --config "/srv/5%% $$off/config.toml"\n' in text
    assert 'ReadWritePaths="/srv/5%% $off/va r"\n' in text


def test_the_command_prints_it_for_the_folder_and_says_what_is_missing(tmp_path: Path) -> None:
    missing = CliRunner().invoke(app, ["setup", str(tmp_path), "--unit"])
    assert missing.exit_code == 1 and f"run first: referee setup {tmp_path}" in missing.output
    (tmp_path / "config.toml").write_text('[referee]\naddress = "referee@games.example"\n')
    text = CliRunner().invoke(app, ["setup", str(tmp_path), "--unit"]).output
    assert f" serve --config {tmp_path / 'config.toml'}\n" in text and "referee@games.example" in text
    assert "User=root" not in text
