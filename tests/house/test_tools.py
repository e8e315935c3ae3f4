"""Layers, types and style hold for the whole tree, by the same tools and settings as `make lint`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.house.sources import ROOT

BIN = Path(sys.executable).parent


def run(*command: str) -> subprocess.CompletedProcess[str]:
    found = shutil.which(command[0], path=str(BIN)) or command[0]
    return subprocess.run([found, *command[1:]], cwd=ROOT, capture_output=True, text=True)


def test_every_layer_imports_only_what_it_may(tmp_path: Path) -> None:
    done = run("lint-imports", "--cache-dir", str(tmp_path))
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


def test_types_are_strict_and_sound() -> None:
    """With what `make lint` found before and keeps: mypy looks again at what changed since."""
    done = run("mypy")
    assert done.returncode == 0, done.stdout
    assert "no issues found" in done.stdout


def test_style_is_kept() -> None:
    done = run("ruff", "check", "--no-cache", "referee", "tests")
    assert done.returncode == 0, done.stdout


def test_every_file_is_laid_out_by_the_formatter() -> None:
    done = run("ruff", "format", "--no-cache", "--check", "referee", "tests")
    assert done.returncode == 0, done.stdout
