"""The pages of docs/rules that are made from the games' lists of rules: `python -m tests.games.pages` writes them anew."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from referee.core.game import AnyGame
from referee.games import GAMES

FOLDER = Path(__file__).parents[2] / "docs" / "rules"


def page_of(game: AnyGame) -> str:
    """What the page of a game's rules must hold: `rules_markdown` of the module `rulebook` in the game's folder."""
    page: str = import_module(f"{type(game).__module__.rpartition('.')[0]}.rulebook").rules_markdown()
    return page


def main() -> None:
    """Write every page."""
    for game in GAMES:
        (FOLDER / f"{game.name}.md").write_text(page_of(game), encoding="utf-8")


if __name__ == "__main__":
    main()
