"""Empire: hexes, logistics and an economy, open to everybody.

Read rulebook, position, reckoning, boards, events, deeds, orders (base, fields, moving first), phases, bots, telling,
steady_player; game tells how a match goes and what it is. A file in a folder itself is shared by all files of that folder.
"""
