"""Oracles: what a number in a game must be, worked out again from the rulebook and never by the referee's own rules."""
