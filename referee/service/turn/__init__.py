"""The course of a match, and a hand's acts on it: turns, reports, heads, overrides. Read advance, reports, hand."""
