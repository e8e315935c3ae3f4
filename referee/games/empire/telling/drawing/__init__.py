"""How the board is drawn: view, ground, pieces. Nothing reads a drawing back, so fractions are allowed here."""
