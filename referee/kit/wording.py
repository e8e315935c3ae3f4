"""English for counted things and lists, so that reports read as if a person wrote them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

__all__ = ["are", "capital", "counted", "in_a_row", "stock_in_words"]

_SINGULAR = {"armies": "army", "cities": "city", "dice": "die", "territories": "territory"}
"""Nouns whose singular is more than the plural without its s."""


@lru_cache(maxsize=4_096)
def counted(number: int, name: str) -> str:
    """A number and its noun, given in the plural: `1 army`, `2 armies`, `3 gold`."""
    first, _, last = name.rpartition(" ")
    singular = _SINGULAR.get(last, last[:-1] if last.endswith("s") else last)
    return f"{number} {first + ' ' if first else ''}{singular if number == 1 else last}"


def are(number: int) -> str:
    """`is` after one thing, `are` after any other number of them."""
    return "is" if number == 1 else "are"


def capital(words: str) -> str:
    """Words that begin a sentence: `Coolie 3 ...`."""
    return f"{words[:1].upper()}{words[1:]}"


def in_a_row(parts: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`; empty for nothing."""
    return f" {last} ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else "".join(parts)


def stock_in_words(stock: Mapping[str, int]) -> str:
    """`2 food and 1 cloth`, or `nothing`."""
    return in_a_row([counted(number, name) for name, number in stock.items() if number]) or "nothing"
