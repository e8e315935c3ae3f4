"""Use cases: letters in, turns run, letters out. Knows games only as values handed in.

Read in this order: ports, letters, office, playing, advance, reporting; chain, inbox, identity, challenge,
front_door, desk, desk_words; deadlines, delay, bounces, calendar; overrides, moderate, rewinding, replacing; library,
documents, archive, audit, compare; counter.
"""
