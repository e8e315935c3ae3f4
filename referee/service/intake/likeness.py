"""The kind that a sentence is most like, of kinds known by examples; for words that no pattern of plain.toml foresaw.

An example is a vector of its words and of the pieces of its words, each weighed by how rare it is. A sentence is of the kind whose
examples lie nearest to it, where they lie near enough and no other kind lies as near.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

import msgspec

from referee.core.normal import fold

_WORD = re.compile(r"[a-z0-9]+")
_PLACE = re.compile(r"[a-z]+\d\w*")
_ADDRESS = re.compile(r"\S+@\S+")
_GRAM, _OF_A_GRAM = 4, 0.35
"""So many letters of a word are looked at together, for endings and slips; what such a piece counts beside a whole word."""
_UNKNOWN = 0.5
"""How rare a word is that no example has, beside the rarest that one has."""
_OF_ALL = 0.6
"""The weight of the likeness to all examples of a kind together, beside that to the nearest one."""
_NEAR, _CLEAR = 0.38, 0.75
_APART, _WIDE = 1.05, 1.35
"""How near a kind must lie to be the likeliest, and to be clear; and how many times as near as any other."""
_SHORTEST = 2
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|\n+")
_MOST = 8
"""So many sentences of a letter are looked at."""

_Vector = dict[str, float]


class Kind(msgspec.Struct, frozen=True):
    """A question asked so: `say` are the examples, `line` brings what is asked, `answer` says it."""

    say: tuple[str, ...]
    line: str = ""
    answer: str = ""


KINDS: Mapping[str, Mapping[str, Kind]] = msgspec.toml.decode(
    files(__package__).joinpath("examples.toml").read_bytes(), type=dict[str, dict[str, Kind]]
)


def most_like(text: str, whom: str, names: Collection[str] = ()) -> tuple[str, bool]:
    """The kind that a text is most like, of those for `whom` ("member", "door"), "" for none; and whether that is clear.

    `names`, folded, are those of people, places and things: an example has X for any of them.
    """
    parts = [part for part in _SENTENCE.split(text) if part.strip()][:_MOST]
    found = [_nearest(part, whom, names) for part in dict.fromkeys((*parts, " ".join(parts)))]
    likely = [one for one in found if one.kind and one.kind != "none"]
    best = max(likely, key=lambda one: one.near, default=None)
    return (best.kind, best.clear) if best is not None else ("", False)


class _Near(NamedTuple):
    """The kind that lies nearest to a sentence, how near, and whether no other does; "" where none is near enough."""

    kind: str = ""
    near: float = 0.0
    clear: bool = False


def _nearest(sentence: str, whom: str, names: Collection[str]) -> _Near:
    examples = _examples(whom)
    features = Counter(_features(sentence, names))
    words = [feature for feature in features if feature[0] == "="]
    if len(words) < _SHORTEST or 2 * sum(word in examples.rare for word in words) <= len(words):
        return _Near()
    asked = _weighed(features, examples.rare)
    nearest: dict[str, float] = {}
    for kind, example in examples.known:
        nearest[kind] = max(nearest.get(kind, 0.0), _cosine(asked, example))
    found = {kind: likeness + _OF_ALL * _cosine(asked, examples.whole[kind]) for kind, likeness in nearest.items()}
    best = max(found, key=lambda kind: found[kind])
    other = max(likeness for kind, likeness in found.items() if kind != best)
    if found[best] < max(_NEAR, _APART * other):
        return _Near()
    return _Near(best, found[best], found[best] >= max(_CLEAR, _WIDE * other))


class Examples(NamedTuple):
    """The vectors of all examples with their kinds, of each kind together, and how rare each feature is."""

    known: tuple[tuple[str, _Vector], ...]
    whole: Mapping[str, _Vector]
    rare: Mapping[str, float]


@cache
def _examples(whom: str) -> Examples:
    said = [(kind, Counter(_features(say))) for kind, known in KINDS[whom].items() for say in known.say]
    often = Counter(feature for _, features in said for feature in features)
    rare = {feature: math.log(1 + len(said) / n) for feature, n in often.items()}
    known = tuple((kind, _weighed(features, rare)) for kind, features in said)
    whole: dict[str, Counter[str]] = {}
    for kind, features in said:
        whole.setdefault(kind, Counter()).update(dict.fromkeys(features, 1))
    return Examples(known, {kind: _weighed(features, rare) for kind, features in whole.items()}, rare)


def _weighed(features: Mapping[str, int], rare: Mapping[str, float]) -> _Vector:
    """A vector of length 1; a word that no example has is as rare as can be."""
    unknown = max(rare.values())
    vector: _Vector = {}
    for feature, often in features.items():
        counts, rarely = (
            (1.0, rare.get(feature, unknown)) if feature[0] == "=" else (_OF_A_GRAM, rare.get(feature, 0.0))
        )
        vector[feature] = counts * rarely * (1 + math.log(often))
    length = math.sqrt(sum(weight**2 for weight in vector.values())) or 1.0
    return {feature: weight / length for feature, weight in vector.items() if weight}


def _features(text: str, names: Collection[str] = ()) -> Iterator[str]:
    """The words of a text with a mark of equality, two that follow each other, and the pieces of longer ones; names are all X."""
    said = _ADDRESS.sub(" address ", fold(text).replace("'", " ").replace("\u2019", " "))
    words = [
        "9" if word.isdigit() else "x" if word in names or _PLACE.fullmatch(word) else word
        for word in _WORD.findall(said)
    ]
    for word in words:
        yield f"={word}"
        bounded = f"^{word}$"
        if len(word) >= _GRAM:
            yield from (bounded[i : i + _GRAM] for i in range(len(bounded) - _GRAM + 1))
    yield from (f"+{first} {second}" for first, second in pairwise(words))


def _cosine(one: _Vector, other: _Vector) -> float:
    return sum(weight * other[feature] for feature, weight in one.items() if feature in other)
