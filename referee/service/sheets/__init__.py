"""A member's letter in a match: the `visit`, and what becomes of his order sheet: filed, tried, withdrawn, shown, chosen."""
