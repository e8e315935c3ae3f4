"""The pages of docs/rules that are made from the games' lists of rules: `python -m tests.games.pages` writes them anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from referee.games import newworld
from referee.games.empire import rulebook as empire
from referee.games.war import rulebook as war27
from referee.games.war17 import rulebook as war17

__all__ = ["FOLDER", "PAGES", "main"]

FOLDER = Path(__file__).parents[2] / "docs" / "rules"

PAGES: Mapping[str, Callable[[], str]] = {
    "newworld.md": newworld.rules_markdown,
    "war27.md": war27.rules_markdown,
    "war17.md": war17.rules_markdown,
    "empire.md": empire.rules_markdown,
}
"""What each page must hold."""


def main() -> None:
    """Write every page."""
    for name, made in PAGES.items():
        (FOLDER / name).write_text(made(), encoding="utf-8")


if __name__ == "__main__":
    main()
