"""Boards: drawn as text and read, or made up; whether one is sound, and how many may play on it. Beside them lie the drawings.

docs/boards.md tells how one is drawn. Read atlas and draft, then generator, landscape and riches; survey judges them all.
"""
