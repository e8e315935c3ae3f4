"""A letter as plain text and as HTML: the HTML knows what it quotes, where the plain text often does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

_AT_ONCE = 3
_Words = tuple[str, ...]


def quoted_as_in(plain: str, html: str) -> str:
    """The plain text with '>' before each line that stands among the quotes of the HTML and not among its own words.

    Lines are broken elsewhere in the two, so what counts is the words of a line, three neighbours at a time. A line
    that stands among both is the writer's as often as he wrote it.
    """
    lines = [line for line in html.split("\n") if line.strip()]
    quoted = _runs(line for line in lines if line.startswith(">"))
    if not quoted:
        return plain
    own = [line for line in lines if not line.startswith(">")]
    written, left = _runs(own), Counter(map(_words, own))
    marked: list[str] = []
    for line in plain.split("\n"):
        words = _words(line) if not line.lstrip().startswith(">") else ()
        runs = _neighbours(words, min(_AT_ONCE, len(words)))
        whole = words in left
        his = runs <= written and (not whole or left[words] > 0)
        if whole:
            left[words] -= 1
        marked.append(f"> {line}" if words and runs <= quoted and not his else line)
    return "\n".join(marked)


def _words(line: str) -> _Words:
    """Without the marks that stand before a quote and, in plain text, around bold words."""
    return tuple(filter(None, (word.strip("*_>") for word in line.split())))


def _runs(lines: Iterable[str]) -> set[_Words]:
    """All runs of one, two and three words, also over the ends of lines."""
    words = tuple(word for line in lines for word in _words(line))
    return {run for size in range(1, _AT_ONCE + 1) for run in _neighbours(words, size)}


def _neighbours(words: _Words, size: int) -> set[_Words]:
    return {words[at : at + size] for at in range(len(words) - size + 1)}
