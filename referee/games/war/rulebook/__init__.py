"""What is printed and never changes: the rules by number, the map, the pieces and their prices.

Read board, pieces, rules.
"""

from referee.games.war.rulebook.rules import rules_markdown

__all__ = ["rules_markdown"]
