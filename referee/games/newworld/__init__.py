"""New World: twelve phases, twelve functions.

Read rulebook, position, events, orders (base, spending, trade, army), war, phases, then report, forecast, drawing, steady; game
tells how a match goes and what it is.
"""
