"""Text in a normal form of Unicode, in time and memory that grow with its length, whatever a stranger wrote.

The library sorts a run of combining marks in time that grows with the square of the run. Unicode itself says how many
any writing needs: thirty (UAX 15, Stream-Safe Text Format). A caller with a long text cuts it before.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Literal

_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "\u0131": "i"})
_JOINTS = re.compile("[-\u2010-\u2014_\\s]+")
_SILENT = re.compile("['\u2019\u2018\u02bc`.]")

_REMEMBERED, _LONGEST = 240, 2_000

MOST_MARKS = 30
"""Combining marks that are kept of a run; the further ones are taken away."""

_BLOCKS = ((0x300, 0x3100), (0xA600, 0xAC00), (0xFB00, 0x17000), (0x1B000, 0x1F000))
"""In these stand all characters of Unicode that are marks; looking through the others too would cost a tenth of a second."""


def normal(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """The text in this form, no run of marks in it longer than thirty. The one place where strangers' text is normalized."""
    if text.isascii():
        return text
    # A longer run has a mark at one of these places; nearly no text has any there.
    if len(text) > MOST_MARKS and not _marks().isdisjoint(text[:: MOST_MARKS + 1]):
        text = _too_many().sub(r"\1", text)
    return unicodedata.normalize(form, text)


@cache
def _marks() -> frozenset[str]:
    return frozenset(char for block in _BLOCKS for char in map(chr, range(*block)) if _is_mark(char))


def _is_mark(char: str) -> bool:
    """Whether a character is a combining mark, or becomes marks alone in some normal form."""
    if unicodedata.combining(char) or not unicodedata.decomposition(char):
        return unicodedata.combining(char) > 0
    return all(map(unicodedata.combining, unicodedata.normalize("NFKD", char)))


@cache
def _too_many() -> re.Pattern[str]:
    """Thirty marks and those that follow them."""
    marks = "".join(map(re.escape, sorted(_marks())))
    return re.compile(f"([{marks}]{{{MOST_MARKS}}})[{marks}]+")


def remembered(read: Callable[[str], str]) -> Callable[[str], str]:
    """Readings of short texts are remembered; a long one is no word, and is cut so that it costs no more than a line."""
    remember = lru_cache(maxsize=16384)(read)
    return lambda text: remember(text) if len(text) <= _REMEMBERED else read(text[:_LONGEST])


@remembered
def fold(text: str) -> str:
    """The text without case, accents, apostrophes and dots; hyphens and runs of spaces become one space."""
    apart = normal("NFKD", text.casefold().translate(_LETTERS))
    plain = "".join(c for c in apart if not unicodedata.combining(c)) if not apart.isascii() else apart
    return _JOINTS.sub(" ", _SILENT.sub("", plain.casefold())).strip() or text.casefold().strip()


_UMLAUT = re.compile("[äöü]", re.IGNORECASE)
_ELIDED = {"d'": "de ", "l'": "", "D'": "de ", "L'": ""}


@lru_cache(maxsize=8192)
def as_typed(name: str) -> tuple[str, ...]:
    """A name as it may be typed, folded: with its accents or without, ä as ae, an article before a vowel apart."""
    found: dict[str, None] = {}
    for written in (name, _UMLAUT.sub(lambda umlaut: f"{fold(umlaut[0])}e", name)):
        found[fold(written)] = None
        if "'" in written:
            found[fold(re.sub(r"\b[dlDL]'", lambda article: _ELIDED[article[0]], written))] = None
    return tuple(found)
