"""Boards: drawn as text and read, or made up; whether one is sound, and how many may play on it. Beside them lie the drawings.

docs/boards.md tells how one is drawn. Read draft, then generator; survey judges them all.
"""
