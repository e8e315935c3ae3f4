"""Orders to move, load, tow, pump, and to stay in another way: what each does stands in its class."""
