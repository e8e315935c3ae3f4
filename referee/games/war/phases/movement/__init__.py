"""A player's share of a movement phase: share carries out his sheet line by line, by sailing, cession and abandoning.

interception, seeking and naval_battle are what happens on the way, alliances what a declaration of war sets going,
reinforcement the generals' move before combat, splits the menu for dividing a number among kinds.
"""
