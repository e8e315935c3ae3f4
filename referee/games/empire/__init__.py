"""Empire: hexes, logistics and an economy, open to everybody.

Read rulebook, position, reckoning, boards, events, orders (base, fields, moving first), deeds, phases, bots, telling; course
tells how a match goes, game what it is.
"""
