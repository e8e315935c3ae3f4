"""Use cases: letters in, turns run, letters out. Knows games only as values handed in.

Read in this order: ports, letters, then inbox, desk, advance, deadlines, moderate, audit.
"""
