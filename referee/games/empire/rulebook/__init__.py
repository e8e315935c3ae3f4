"""What is printed and never changes: the rules by number, units and goods, works, recipes, formations, sets of house rules.

Read kinds and plans: every unit and every work, in whole parts of a BTA and of an object, never a float.
"""

from referee.games.empire.rulebook.rules import rules_markdown

__all__ = ["rules_markdown"]
