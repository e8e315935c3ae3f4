"""When two spellings are the same word: case, accents, hyphens, plurals, British and American; and near misses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from referee.core.normal import fold, remembered

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
