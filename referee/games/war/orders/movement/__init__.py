"""Orders of movement by land and sea, and the sides of a war.

What they share stands in parts; then move, carry, sail, attack, alliances.
"""
