"""New World: twelve phases, twelve functions. Read data, state, events, intents, phases, course, game."""

from referee.games.newworld.game import NewWorld
from referee.games.newworld.rulebook import rules_markdown

__all__ = ["NewWorld", "rules_markdown"]
