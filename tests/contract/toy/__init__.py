"""Cases of the toy game: they test the case runner itself."""
