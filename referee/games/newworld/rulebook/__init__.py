"""What is printed and never changes: the rules by number and the tables of data.toml."""

from referee.games.newworld.rulebook.rules import rules_markdown

__all__ = ["rules_markdown"]
