"""Orders to work a square, build, run a factory, scrap."""
