"""Attacks on the referee, listed in docs/trust.md: by a stranger, by a player against another, by a machine."""
