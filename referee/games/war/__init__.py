"""War! Age of Imperialism: the parts common to its editions, and Version 27. Read the rooms from the bottom:

rulebook, position, reckoning, events, deeds, orders, bots, phases, telling; edition.py is what both editions share as a Game, and
game.py is Version 27, with the course of a match. What stands in a folder itself is what all of its files share.
"""

NAME = "war27"
"""The game of this folder, which has another name."""
