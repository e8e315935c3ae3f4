"""Lines in other words: names, verbs and prepositions as people say them, in several languages, become the vocabulary's own.

Read in this order: tables (with tongues.toml), saying, reading.
"""
