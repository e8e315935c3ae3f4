"""How the board is drawn: what a turn changed, signs, the places, the home sheets. Nothing reads a drawing back."""
