"""How the board is drawn: places, ground, networks, pieces. Nothing reads a drawing back, so fractions are allowed here."""
