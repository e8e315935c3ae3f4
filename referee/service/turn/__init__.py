"""The course of a match, and acts on it: turns, reports, signed heads, overrides of game masters. Read advance, reports, writer."""
