"""Where the cases of each game lie, and how many each rule has."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from referee.core.casefile import parse_cases

__all__ = ["count", "folder_of"]


def folder_of(game: str) -> Traversable | None:
    """The folder of a game's case files: in the installed package, or in the source tree."""
    installed = files("referee") / "_data" / "cases" / game
    if installed.is_dir():
        return installed
    source = Path(__file__).parent.parent / "tests" / "games" / game
    return source if source.is_dir() else None


def count(game: str) -> dict[str, int]:
    """How many cases each rule id has."""
    folder = folder_of(game)
    found: Counter[str] = Counter()
    for file in folder.iterdir() if folder else ():
        if file.name.endswith(".case"):
            found.update(case.rule for case in parse_cases(file.read_text("utf-8")))
    return dict(found)
