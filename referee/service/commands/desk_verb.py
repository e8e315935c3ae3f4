"""How a word of the desk is written down: what HELP tells of it and what may stand with it."""

from __future__ import annotations

from referee.core.vocabulary import Verb

REASON = ("words", "text")
"""What may stand after BECAUSE."""


def desk_verb(
    word: str,
    meaning: str,
    example: str,
    takes: tuple[str, ...] = (),
    least: int = 0,
    most: int | None = None,
    prepositions: dict[str, tuple[str, ...]] | None = None,
    needs: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
) -> Verb:
    """A word of the desk; see Verb for the parts."""
    return Verb(word, meaning, example, "desk", takes, least, most, prepositions or {}, needs, aliases)
