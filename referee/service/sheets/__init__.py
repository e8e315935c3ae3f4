"""A member's letter in a match: what becomes of his order sheet: filed, tried, withdrawn, shown, chosen."""
