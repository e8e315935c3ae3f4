"""Lode: two to four miners dig in secret, and sell at the price of the day."""
