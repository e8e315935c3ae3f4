"""What moves a match on, and what a hand does to it: turns, reports, heads, overrides. Read advance, reports, hand."""
