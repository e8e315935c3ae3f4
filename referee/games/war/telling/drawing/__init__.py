"""How the map is drawn: shapes, marks, and where they go. Nothing reads a drawing back, so fractions are allowed here."""
