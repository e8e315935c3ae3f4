"""What nouns of the vocabulary stand for, and how goods are named in an order."""

from __future__ import annotations

from referee.games.empire.rulebook.kinds import GOODS, KINDS, plural

GRADES = {"single": 1, "double": 2, "triple": 3}
"""The grades a resource may be worked as."""

GOODS_WORDS = {"TD": "t&d", "TS": "T&S"} | {what: what for what in GOODS if "&" not in what} | {"power": "power"}
"""The goods that a noun of the vocabulary names; an ampersand would part a list."""

KIND_WORDS = {plural(kind): kind for kind in KINDS}
"""The kind of unit that a noun of the vocabulary names, which is its plural."""

_WORDS = {what: word for word, what in GOODS_WORDS.items()}


def word_for(what: str) -> str:
    """A kind of goods as an order names it."""
    return _WORDS.get(what, what)
