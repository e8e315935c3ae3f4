"""A rule is spelt one way wherever it is named, so that a search for its id finds all of it."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.sources import ROOT, modules, tree_of

GAMES = sorted(path.parent for path in (ROOT / "referee" / "games").glob("*/rules.toml"))


def short(folder: Path) -> re.Pattern[str]:
    """The ids of a game without what they begin with, where nobody could take them for anything else."""
    rules = tomllib.loads((folder / "rules.toml").read_text("utf-8"))["rule"]
    tails = {rule["id"].partition(".")[2] for rule in rules}
    alike = sorted((re.escape(tail) for tail in tails if re.search(r"\d", tail)), key=len, reverse=True)
    return re.compile(rf"(?<![\w.\-/])({'|'.join(alike) or '(?!)'})(?![\w\-]|\.\d)|\brulings? \d")


def told(path: Path) -> Iterator[tuple[int, str]]:
    """The docstrings and comments of a module, with their lines."""
    for node in ast.walk(tree_of(path)):
        for statement in getattr(node, "body", ()) if isinstance(getattr(node, "body", ()), list) else ():
            match statement:
                case ast.Expr(value=ast.Constant(value=str() as text)):
                    yield statement.lineno, text
    for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_every_rule_is_named_by_its_whole_id(folder: Path) -> None:
    bare = short(folder)
    inside = (path for path in modules() if folder in path.parents)
    assert [
        f"{path.name}:{line}: {found[0]}"
        for path in inside
        for line, text in told(path)
        if (found := bare.search(text))
    ] == []
