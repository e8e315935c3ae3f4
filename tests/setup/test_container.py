"""docs/hosting/Containerfile names what is there, makes a whole wheel, runs as nobody of importance, and knows who lives."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import typer.main

from referee.config import Config
from tests.bench.mail_server import free_ports
from tests.commands import app
from tests.house.sources import ROOT
from tests.program import Program

TEXT = (ROOT / "docs" / "hosting" / "Containerfile").read_text("utf-8").replace("\\\n", "")
_, MADE, RUN = TEXT.split("\nFROM ")


def said(word: str, text: str = TEXT) -> list[str]:
    """What stands behind each instruction of a name."""
    return re.findall(rf"^{word} +(.*)$", text, re.MULTILINE)


@pytest.mark.slow
def test_what_is_copied_is_all_that_a_wheel_is_made_of(tmp_path: Path) -> None:
    source, made = tmp_path / "source", tmp_path / "made"
    source.mkdir()
    for copied in said("COPY", MADE):
        *names, target = copied.split()
        for name in names:
            assert (ROOT / name).exists(), name
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, source / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, source / target / name)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(made), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = made.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {"referee/_data/config.example.toml", "referee/setup/providers.toml", "referee/cli/program.py"} <= set(names)


def test_it_is_not_root_and_its_commands_are_there() -> None:
    (user,) = said("USER", RUN)
    assert f"--uid {user} " in said("RUN", RUN)[0] and user != "0"
    assert said("VOLUME", RUN) == said("WORKDIR", RUN) == ["/srv/referee"]
    assert json.loads(said("ENTRYPOINT")[0]) == ["referee"]
    (command,) = json.loads(said("CMD", RUN)[0])
    group = typer.main.get_command(app)
    assert command in getattr(group, "commands", {})
    assert said("EXPOSE") == [str(Config().port)]


def test_its_health_check_tells_who_lives_from_who_does_not(tmp_path: Path) -> None:
    (told,) = re.findall(r"^HEALTHCHECK .* CMD (\[.*\])$", TEXT, re.MULTILINE)
    (port,) = free_ports(1)
    check = [sys.executable, "-m", *json.loads(told)]
    assert subprocess.run(check, cwd=tmp_path, capture_output=True, check=False).returncode == 1
    (tmp_path / "config.toml").write_text(f'[receive]\nport = {port}\nprotocol = "lmtp"\n')
    with Program("serve", "--config", str(tmp_path / "config.toml")) as service:
        assert "takes letters" in service.stdout.readline()
        assert subprocess.run(check, cwd=tmp_path, capture_output=True, check=False).returncode == 0
        service.terminate()


@pytest.mark.parametrize("line", re.findall(r"^podman .*$", (ROOT / "docs" / "hosting.md").read_text(), re.MULTILINE))
def test_the_guide_runs_the_image_with_what_it_has(line: str) -> None:
    if line.startswith("podman build"):
        assert "--file docs/hosting/Containerfile" in line
    else:
        assert f"--volume referee:{said('VOLUME')[0]}" in line
