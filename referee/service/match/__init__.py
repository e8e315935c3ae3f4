"""A match as it stands and what it remembers: loaded from its log, who sits where, whose name may be told, its house rules.

Read `playing` first (a match loaded, run on, appended to), then `drafts` (what is on file) and `binding` (sentences made orders).
"""
