"""New World: twelve phases, twelve functions.

Read rulebook, position, events, orders (base, spending, colonize, army, offers), phases, then report, forecast, drawing; course
tells how a match goes, game what it is.
"""
