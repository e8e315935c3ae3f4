"""The cases of a game: they lie in the folder `cases` beside its rules."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

from referee.core.game import AnyGame
from referee.kit.casefile import parse_cases


def texts_of(game: AnyGame) -> list[str]:
    """The texts of a game's case files, in the order of their names."""
    folders = (
        files(kind.__module__.rpartition(".")[0] or kind.__module__) / "cases" for kind in type(game).__mro__[:-1]
    )
    found = next((folder for folder in folders if folder.is_dir()), None)
    named = [file for file in found.iterdir() if file.name.endswith(".case")] if found else []
    return [file.read_text("utf-8") for file in sorted(named, key=lambda file: file.name)]


def count(game: AnyGame) -> dict[str, int]:
    """How many cases each rule id has."""
    return dict(Counter(case.rule for text in texts_of(game) for case in parse_cases(text)))
