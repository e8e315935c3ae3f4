"""Orders to move, load, tow, pump, and to stay in another way."""
