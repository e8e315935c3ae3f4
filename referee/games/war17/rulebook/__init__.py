"""What is printed in Version 1.7 and never changes: its rules by number, its prices and starts."""

from referee.games.war17.rulebook.rules import rules_markdown

__all__ = ["rules_markdown"]
