"""Orders of movement: what they share stands in parts; then move, carry, sail, attack, and the sides of a war in alliances."""
