"""When two spellings are the same word, and what was misread."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from referee.core.normal_text import fold, remembered
from referee.core.order import Portion, Quantity
from referee.orders.grammar import Part, Sort

_ONE_WAY = {
    "aluminium": "aluminum",
    "cheque": "check",
    "grey": "gray",
    "gaol": "jail",
    "jewellery": "jewelry",
    "knives": "knife",
    "mould": "mold",
    "plough": "plow",
    "programme": "program",
    "storey": "story",
    "tyre": "tire",
    "wives": "wife",
    "wolves": "wolf",
}
"""Pairs no rule below covers: irregular plurals, and British words whose plural is regular."""

_ALIKE, _SEVERAL = 0.599, 0.699
"""One wrong letter in three to six, two only from seven on: burma is not meant for buryat.

No fraction that a likeness can be, such as 3/5, is a limit: in C and in Python, which a browser has, it is rounded otherwise."""

_SHORT = 3
"""Of so short a word the first letter must be right: bob is not meant for rob."""

_VARIANTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<=\w)is(e|ed|er|es|ing|ation|ations)$"), r"iz\1"),
    (re.compile(r"(?<=\w)ys(e|ed|er|es|ing)$"), r"yz\1"),
    (re.compile(r"(?<=\w)our"), "or"),
    (re.compile(r"(?<=\w)[ao]e(?=\w)"), "e"),
    (re.compile(r"([bcdgptv])re$"), r"\1er"),
    (re.compile(r"ogue$"), "og"),
    (re.compile(r"ence$"), "ense"),
    (re.compile(r"ll"), "l"),
)
_PLURALS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<=\w\w)ies$"), "y"),
    (re.compile(r"(?<=\w)men$"), "man"),
    (re.compile(r"(?<=\w\w[^sui])s$"), ""),
)


_LONGEST = 60
"""Letters of the longest word that is spelt in two ways: longer ones are no words, and cost much to look through."""


@remembered
def spelling(folded: str) -> str:
    """A key that singular and plural, British and American spelling of folded words share."""
    return " ".join(_spell(word) for word in folded.split())


def _spell(word: str) -> str:
    if len(word) > _LONGEST:
        return word
    word = _ONE_WAY.get(word, word)
    for pattern, ending in _PLURALS:
        word, changed = pattern.subn(ending, word)
        if changed:
            break
    word = _ONE_WAY.get(word, word)
    for pattern, variant in _VARIANTS:
        word = pattern.sub(variant, word)
    return word.removesuffix("e") if len(word) > 3 else word


def plural(folded: str) -> str:
    """The plural, as a misspelt one is compared with it."""
    if folded.endswith("man"):
        return f"{folded[:-2]}en"
    return f"{folded[:-1]}ies" if re.search(r"[^aeiou]y$", folded) else f"{folded}s"


def shortens(short: str, full: str) -> bool:
    """Whether each word of `short` begins the word at its place in `full` (both folded): "s am", "south america".

    A number is never cut short: "coolie 3" is not coolie 31.
    """
    if short[:1] != full[: len(short[:1])]:
        return False  # nearly always, and a line that is not understood is held against every name there is
    words, whole = short.split(), full.split()
    return len(words) <= len(whole) and all(_begins(w, s) for s, w in zip(words, whole, strict=False))


def _begins(word: str, short: str) -> bool:
    return word == short if short.isdecimal() else word.startswith(short)


def likeliest(typed: str, choices: Sequence[str], limit: int = 3) -> tuple[tuple[float, int], ...]:
    """(likeness from 0 to 1, place) of the folded choices that `typed`, folded, may be meant for, the likeliest first.

    A text that begins or ends a choice counts as fairly alike, however much is missing.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    found = process.extract(typed, choices, scorer=OSA.normalized_similarity, score_cutoff=_ALIKE, limit=limit)
    scores = {
        place: score for _, score, place in found if score >= _SEVERAL or _is_one_slip(typed, choices[place], score)
    }
    if len(typed) <= _SHORT:
        scores = {place: score for place, score in scores.items() if choices[place][:1] == typed[:1]}
    if len(typed) > 2:
        ending = f" {typed}"
        for place, choice in enumerate(choices):
            if typed in choice and (choice.startswith(typed) or choice.endswith(ending)):
                scores[place] = max(scores.get(place, 0.0), 0.75)
    if not scores:
        return ()
    ranked = sorted(((score, place) for place, score in scores.items()), key=lambda pair: (-pair[0], pair[1]))
    return tuple(pair for pair in ranked[:limit] if pair[0] >= ranked[0][0] - 0.251)


def _is_one_slip(typed: str, choice: str, score: float) -> bool:
    return round((1 - score) * max(len(typed), len(choice))) <= 1


def did_you_mean(word: str, choices: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Up to `limit` choices that `word` may be a misspelling of, the likeliest first."""
    offered = tuple(dict.fromkeys(choices))
    near = likeliest(fold(word), tuple(map(fold, offered)), limit)
    return tuple(offered[place] for _, place in near)


# ---------------------------------------------------------------- a line that is not understood
# The fault, its parts, and the words that could stand there instead.


_LISTED, _WHOLE = 8, 19


class Misread(Exception):
    """Reading stops at parts[start:end]. `fixes` are parts to put there instead, the likeliest first; `wanted` the kinds of them.

    `parts` is set where the reader took the line apart further than the grammar had. For an `unknown` name reading can go on
    with a `stand_in`, a name that may be there. Never leaves this package: `read` turns it into a Mistake.
    """

    def __init__(
        self,
        sentence: str,
        start: int,
        end: int,
        fixes: Iterable[tuple[Part, ...]] = (),
        rule: str = "",
        ambiguous: bool = False,
        wanted: tuple[str, ...] = (),
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.start = start
        self.end = end
        self.fixes = tuple(fixes)
        self.rule = rule
        self.ambiguous = ambiguous
        self.wanted = wanted
        self.parts: tuple[Part, ...] | None = None
        self.unknown = ""
        self.stand_in: Part | None = None


def word_part(text: str, column: int = 0) -> Part:
    """A part as if this word had been typed there."""
    return Part(Sort.WORD, text, fold(text), column, column)


def number_part(digits: str, column: int) -> Part:
    """A part as if this number had been typed there."""
    quantity = Quantity(Portion.EXACTLY, int(digits))
    return Part(Sort.QUANTITY, digits, digits, column, column + len(digits), quantity)


def said(parts: Sequence[Part]) -> str:
    """Parts as typed, for quoting in a sentence; quotation marks of their own are left out."""
    return " ".join(part.text[1:-1] if part.sort is Sort.QUOTED else part.text for part in parts)


def either(words: Iterable[str], joint: str = "or") -> str:
    """ "A, B or C"; a list too long to read is cut and counted."""
    names = list(dict.fromkeys(words))
    if len(names) > _WHOLE:
        return f"{', '.join(names[:_LISTED])} ({len(names) - _LISTED} more)"
    return f" {joint} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


_CALLED = {
    "any": '"any"',
    "text": 'a "quoted text"',
    "words": "a text",
    "number": "a number",
    "hex": "a square such as c12r7",
    "numbered": "a unit, by its number or kind",
    "goods": "goods",
    "duration": "a span of time such as 12h or 3 days",
    "moment": "a moment such as 2026-11-22 18:00",
    "date": "a date such as 2026-11-22",
    "days": "days such as 24 Dec - 2 Jan",
    "address": "a mail address",
    "word": "a word",
}


def a_kind(kind: str) -> str:
    """The kind with its article: "a place", "an area"."""
    sounds_open = kind[:1].lower() in "aeiou" and not kind.lower().startswith(("uni", "use"))
    return _CALLED.get(kind) or f"{'an' if sounds_open else 'a'} {kind}"
