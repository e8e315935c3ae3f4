"""Empire: hexes, logistics and an economy, open to everybody.

Read rulebook, position, reckoning, boards, events, deeds, orders (base, fields, moving first), phases, bots, telling; game tells
how a match goes and what it is. What stands in a folder itself is what all of its files share.
"""
