"""War! Age of Imperialism, Version 1.7: an edition composed of the parts of War! and of Tactical Combat.

Read rulebook, position, reckoning, events, orders, phases (movement, battles, tactical), the players, telling, game.
"""
