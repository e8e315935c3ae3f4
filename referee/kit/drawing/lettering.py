"""How wide words are in Arimo and whatever else is cut to the measure of Arial: drawings place their labels by it."""

from __future__ import annotations

from functools import lru_cache

_WIDTHS = {
    "'": 191, "ijl": 222, " !,./:;I[]\\ft": 278, "()-`r": 333, '"': 355, "*": 389, "Jcksvxyz": 500,
    "+<=>~": 584, "FTZ": 611, "&ABEKPSVXY": 667, "CDHNRUw": 722, "GOQ": 778, "Mm": 833, "%": 889, "W": 944, "—": 1000,
}  # fmt: skip
_WIDTH = {letter: width for letters, width in _WIDTHS.items() for letter in letters}
_COMMON = 556
_BOLD = 1.08
"""Bold words are wider by so much, at most."""


@lru_cache(maxsize=8_192)
def width_of(text: str, size: float, bold: bool = False) -> float:
    """The width of a text in type of this size, in the same measure."""
    plain = sum(_WIDTH.get(letter, _COMMON) for letter in text) * size / 1000
    return plain * _BOLD if bold else plain


def in_lines(words: list[str], size: float, most: float) -> list[list[str]]:
    """Words, parted by commas, in lines that are no wider than `most`; a word that is wider stands alone."""
    lines: list[list[str]] = []
    taken = most
    for word in words:
        width = width_of(f"{word}, ", size)
        if lines and taken + width <= most:
            lines[-1].append(word)
            taken += width
        else:
            lines.append([word])
            taken = width
    return lines
