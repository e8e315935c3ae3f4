"""Orders of the set-up: the draft, the purchase and the placing; and what optional rules add."""
