"""War! Age of Imperialism: the parts common to its editions, and Version 27. Read the rooms from the bottom:

rulebook, position, reckoning, events, deeds, orders, the players (random, steady, strong), phases, telling; edition.py is what
both editions share as a Game, and game.py is Version 27, with the course of a match. A file in a folder itself is shared by all
files of that folder.
"""

NAME = "war27"
"""The game of this folder, which has another name."""
