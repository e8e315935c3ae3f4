"""Standing orders: what a player wants decided, and how, in the middle of anybody's turn.

Read parts, then home, land, losses, sea.
"""
