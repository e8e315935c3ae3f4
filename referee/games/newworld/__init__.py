"""New World: twelve phases, twelve functions. Read rulebook, position, reckoning, events, orders, phases, telling, course, game."""
