"""Orders to work a square, build, run a factory, scrap: what each does stands in its class."""
