"""docs/backup.md is true: its settings are read, its commands exist, and it is found."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import typer.main
from typer.core import TyperGroup

from referee.config import read
from tests.commands import app

HOME = Path(__file__).parents[2]
GUIDE = (HOME / "docs" / "backup.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def test_its_settings_are_read(tmp_path: Path) -> None:
    (block,) = blocks("toml")
    backup = read(block, tmp_path).backup
    assert (backup.folder, backup.hour, backup.keep) == ("/mnt/backup/referee", 3, 14)


def test_its_commands_exist() -> None:
    root = typer.main.get_command(app)
    assert isinstance(root, TyperGroup)
    lines = [line for block in blocks("console") for line in block.splitlines()]
    assert len(lines) >= 6
    for line in lines:
        name, *words = shlex.split(line)[1:]
        root.commands[name].make_context(name, words, resilient_parsing=False)


def test_it_is_found() -> None:
    for page in ("README.md", "docs/reading-order.md", "docs/mail.md"):
        assert "backup.md" in (HOME / page).read_text("utf-8")
