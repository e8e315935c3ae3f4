"""The program as a host uses it: a command, its exit code, and what it says on one line."""

from __future__ import annotations

import os
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from referee.adapters.clock_and_secrets import FileClock
from tests.program import Program
from tests.steady import STEADY
from tests.world import BEGINS


class Ran(NamedTuple):
    """What came of a command."""

    code: int
    said: str


def referee(*words: object, cwd: Path | None = None) -> Ran:
    """Run a command to its end, with the dice of the tests."""
    around = {STEADY: "1", **os.environ}
    with Program(*map(str, words), cwd=cwd, stderr=subprocess.STDOUT, env=around) as program:
        said = program.stdout.read()
        code = program.wait()
    return Ran(code, " ".join(said.split()))


def backed_up(home: Path, to: Path) -> Path:
    """A backup of the service whose settings lie in this folder."""
    ran = referee("backup", to, "--config", home / "config.toml")
    assert ran.code == 0, ran.said
    return to


def anew(folder: Path) -> Path:
    """An empty home for a restored service, in which it is noon of the next day."""
    folder.mkdir(exist_ok=True)
    FileClock(folder / "clock").set(BEGINS + timedelta(days=1))
    return folder


def restored(backup: Path, home: Path, *words: str) -> Ran:
    """The backup restored into another folder, settings and all; it must succeed."""
    ran = referee("restore", backup, "--config", home / "config.toml", *words)
    assert ran.code == 0, ran.said
    return ran
