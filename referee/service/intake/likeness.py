"""What a sentence is most like, of kinds that are known by examples; for words that no pattern of plain.toml foresaw.

An example is a vector of its words' stems and of the beginnings, middles and ends of its words, each weighed by how rare it is among
all examples. A sentence is of the kind whose examples lie nearest to it, where they lie near enough and no other kind lies as near.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from referee.core.normal import fold

_WORD = re.compile(r"[a-z0-9]+")
_GRAM, _OF_A_GRAM = 4, 0.35
"""So many letters of a word are looked at together, and what such a piece counts beside a whole word: endings and typing errors differ."""
_NEAR, _APART = 0.40, 1.12
"""How near an example must lie (1: the same words), and how many times as near as that of any other kind."""
_SHORTEST = 2

type Vector = dict[str, float]


def most_like(text: str, whom: str) -> str:
    """The kind that a text is most like, of those for `whom` ("member", "door"); "" for none."""
    examples = _examples(whom)
    asked = _vector(text, examples.rare)
    if len(_WORD.findall(fold(text))) < _SHORTEST or not asked:
        return ""
    near: dict[str, float] = {}
    for kind, example in examples.known:
        near[kind] = max(near.get(kind, 0.0), _cosine(asked, example))
    best = max(near, key=lambda kind: near[kind])
    other = max((n for kind, n in near.items() if kind != best), default=0.0)
    return best if near[best] >= _NEAR and near[best] >= _APART * other and best != "none" else ""


class Examples(NamedTuple):
    """The vectors of all examples with their kinds, and how rare each feature is in them."""

    known: tuple[tuple[str, Vector], ...]
    rare: Mapping[str, float]


@cache
def _examples(whom: str) -> Examples:
    kinds: Mapping[str, list[str]] = tomllib.loads(files(__package__).joinpath("examples.toml").read_text("utf-8"))[whom]
    said = [(kind, Counter(_features(example))) for kind, examples in kinds.items() for example in examples]
    often = Counter(feature for _, features in said for feature in features)
    rare = {feature: math.log(1 + len(said) / n) for feature, n in often.items()}
    return Examples(tuple((kind, _weighed(features, rare)) for kind, features in said), rare)


def _vector(text: str, rare: Mapping[str, float]) -> Vector:
    return _weighed(Counter(_features(text)), rare)


def _weighed(features: Counter[str], rare: Mapping[str, float]) -> Vector:
    """A vector of length 1; a feature that no example has is as rare as can be, unless it is a piece of a word."""
    most = max(rare.values())
    vector = {
        feature: (1.0 if feature[0] == "=" else _OF_A_GRAM) * rare.get(feature, most if feature[0] == "=" else 0.0)
        for feature in features
    }
    length = math.sqrt(sum(weight**2 for weight in vector.values())) or 1.0
    return {feature: weight / length for feature, weight in vector.items() if weight}


def _features(text: str) -> Iterator[str]:
    """The words of a text, each once with a mark of equality, and the pieces of its longer words."""
    words = _WORD.findall(fold(text).replace("'", " ").replace("\u2019", " "))
    for word in words:
        yield f"={word}"
        bounded = f"^{word}$"
        if len(word) >= _GRAM:
            yield from (bounded[i : i + _GRAM] for i in range(len(bounded) - _GRAM + 1))
    yield from (f"={first} {second}" for first, second in zip(words, words[1:], strict=False))


def _cosine(one: Vector, other: Vector) -> float:
    return sum(weight * other[feature] for feature, weight in one.items() if feature in other)
