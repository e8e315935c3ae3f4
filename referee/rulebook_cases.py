"""The cases of a game: they lie in the folder `cases` beside its rules."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

from referee.core.casefile import parse_cases
from referee.core.game import AnyGame

__all__ = ["count", "texts_of"]


def texts_of(game: AnyGame) -> list[str]:
    """The texts of a game's case files, in the order of their names."""
    folder = files(type(game).__module__.rpartition(".")[0]) / "cases"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".case")), key=lambda file: file.name)
    return [file.read_text("utf-8") for file in found]


def count(game: AnyGame) -> dict[str, int]:
    """How many cases each rule id has."""
    return dict(Counter(case.rule for text in texts_of(game) for case in parse_cases(text)))
