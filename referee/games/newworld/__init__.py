"""New World: twelve phases, twelve functions. Read data, state, events, intents, phases, course, game."""

from referee.games.newworld.game import NewWorld

__all__ = ["NewWorld"]
