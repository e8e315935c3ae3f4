"""The pages of docs/rules that are made from the games' lists of rules: `python -m tests.games.pages` writes them anew."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from textwrap import wrap

from referee.core.game import AnyGame, Tabulates
from referee.core.page import Block, Grid, Heading, Paragraph
from referee.games import GAMES

FOLDER = Path(__file__).parents[2] / "docs" / "rules"


def page_of(game: AnyGame) -> str:
    """The page of a game's rules: what `rules.toml` begins it with, each rule under its `heading` of the rulebook, its tables."""
    folder = type(game).__module__.rpartition(".")[0]
    begins = tomllib.loads(files(folder).joinpath("rules.toml").read_text(encoding="utf-8"))["page"]
    lines = [begins.rstrip("\n")]
    for title, rules in groupby(game.rules, import_module(f"{folder}.rulebook").heading):
        lines += ["", f"## {title}", ""]
        lines += [f"- `{rule.id}` ({rule.mark}; {rule.citation}) {rule.text}" for rule in rules]
    return "\n".join([*lines, *_tables(game.rule_tables(None) if isinstance(game, Tabulates) else ())]) + "\n"


def _tables(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        yield ""
        match block:
            case Heading():
                yield f"## {block.text}"
            case Paragraph():
                yield from wrap(block.text, 118)
            case Grid():
                yield _row(block.columns)
                yield _row(["---"] * len(block.columns))
                yield from map(_row, block.rows)


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Write every page."""
    for game in GAMES:
        (FOLDER / f"{game.name}.md").write_text(page_of(game), encoding="utf-8")


if __name__ == "__main__":
    main()
