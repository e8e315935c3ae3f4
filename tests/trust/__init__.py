"""Attacks on the referee, listed in docs/attacks.md: by a stranger, by a player against another, by a machine."""
