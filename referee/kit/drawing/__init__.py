"""What the boards of several games are drawn with: emblems of seats, and how wide words are. Fractions are allowed here."""
