"""Rounds of the real chain, and a beacon that stands in for it."""
