"""New World: twelve phases, twelve functions.

Read rulebook, position, events, orders (base, spending, trade, army), war_phase, phases, then report, forecast, drawing,
steady_player; game tells how a match goes and what it is.
"""
