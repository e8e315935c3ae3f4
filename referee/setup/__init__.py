"""Setting a referee up: a few questions, a settings file, keys, a letter that comes back, and what the host must do himself.

Read in this order: questions (with providers.toml), interview, roundtrip, instructions.
"""
