"""The kinds that a sentence is most like, of kinds known by examples; for words that no pattern of plain.toml foresaw.

A sentence is a vector of what its words mean (words.toml, in four languages), of two that stand near each other, and of the
pieces of words that mean nothing there, each weighed by how rare it is. A kind lies in the middle of its examples, and is as
likely as its middle lies near.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

import msgspec

from referee.core.game import AnyGame
from referee.core.normal import fold
from referee.service.intake.commands.command import words_at_first

_WORD = re.compile(r"[a-z0-9]+")
_PLACE = re.compile(r"[a-z]+\d\w*")
_ADDRESS = re.compile(r"\S+@\S+")
_NAMELESS = re.compile(r"\b[XYZ]\b")
_GRAM = 4
"""So many letters of a word without a meaning are looked at together, for endings and slips."""
_BESIDE, _APART, _PIECE = 0.6, 0.3, 0.35
"""The weights, beside that of a word: of two words that follow each other, of two with another between them, and of a piece of a
word."""
_UNKNOWN = 0.7
"""How rare a word is that no example has, beside the rarest that one has."""
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|\n+")
_MOST = 8
"""So many sentences of a letter are looked at."""

_TALK = ("none", "thanks")
"""Kinds that a whole letter is of: who thanks in one sentence may ask in the next."""

_Vector = dict[str, float]


class Kind(msgspec.Struct, frozen=True):
    """A kind of question: `say` are the examples, `means` names it.

    `line` brings what is asked, `write` is the word that does it, `answer` says it.
    """

    say: tuple[str, ...]
    means: str = ""
    line: str = ""
    write: str = ""
    answer: str = ""


class Likely(NamedTuple):
    """A kind, and how near it lies, from 0 to 1."""

    kind: str
    near: float


@cache
def kinds_of(whom: str) -> Mapping[str, Kind]:
    """The kinds that a "member" asks, somebody at the "door", and those that sound like an "order", by its verb."""
    text = files("referee.service.intake").joinpath("examples.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, dict[str, Kind]])[whom]


def likely(text: str, whom: str, names: Collection[str] = (), game: AnyGame | None = None) -> tuple[Likely, ...]:
    """The kinds that a text is like, the likeliest first; with a game its verbs are kinds, too.

    `names`, folded, are those of people, places and things: an example has X for any of them.
    """
    parts = [part for part in _SENTENCE.split(text) if part.strip()][:_MOST]
    found: dict[str, float] = {}
    for part in dict.fromkeys((" ".join(parts), *parts)):
        for kind, near in nearness(part, _middles(whom, game), names):
            found[kind] = near if kind not in found else found[kind] if kind in _TALK else max(found[kind], near)
    return tuple(sorted((Likely(*one) for one in found.items()), key=lambda one: (-one.near, one.kind)))


class Middles(NamedTuple):
    """The middle of each kind's examples, and how rare each feature is in them."""

    of: Mapping[str, _Vector]
    rare: Mapping[str, float]


def middles(said: Iterable[tuple[str, str]]) -> Middles:
    """Of kinds and their examples."""
    counted = [(kind, Counter(_features(_NAMELESS.sub("xx", say)))) for kind, say in said]
    often = Counter(feature for _, features in counted for feature in features)
    rare = {feature: math.log(1 + len(counted) / n) for feature, n in often.items()}
    sums: dict[str, Counter[str]] = {}
    for kind, features in counted:
        sums.setdefault(kind, Counter()).update(_weighed(features, rare))
    return Middles({kind: _of_length_1(dict(whole)) for kind, whole in sums.items()}, rare)


_KNOWN: dict[tuple[str, str], Middles] = {}
"""Those made before, by who asks and in which game."""


def _middles(whom: str, game: AnyGame | None) -> Middles:
    asked = whom, game.name if game is not None else ""
    if asked not in _KNOWN:
        _KNOWN[asked] = middles(_said(whom, game))
    return _KNOWN[asked]


def _said(whom: str, game: AnyGame | None) -> list[tuple[str, str]]:
    """The examples of each kind; with a game what it says itself of each of its verbs, too."""
    said = [(kind, say) for kind, known in kinds_of(whom).items() for say in known.say]
    if game is not None:
        words, orders = words_at_first(game), kinds_of("order")
        names = frozenset(word for noun in words.nouns for word in fold(noun.name).split())
        for verb in words.verbs:
            said += ((verb.word, say) for say in orders[verb.word].say) if verb.word in orders else ()
            told = (verb.word, verb.meaning, verb.example.splitlines()[0])
            said += ((verb.word, " ".join("X" if fold(w) in names else w for w in say.split())) for say in told)
    return said


def nearness(sentence: str, known: Middles, names: Collection[str] = ()) -> Iterator[tuple[str, float]]:
    """How near each kind lies to a sentence; nothing where no word of it is known."""
    features = Counter(_features(sentence, names))
    if not any(feature in known.rare for feature in features if feature[0] == "="):
        return
    asked = _weighed(features, known.rare)
    for kind, middle in known.of.items():
        yield kind, sum(weight * middle[feature] for feature, weight in asked.items() if feature in middle)


_COUNTS = {"=": 1.0, "+": _BESIDE, "-": _APART}


def _weighed(features: Mapping[str, int], rare: Mapping[str, float]) -> _Vector:
    """A vector of length 1; a word that no example has is nearly as rare as can be."""
    unknown = _UNKNOWN * max(rare.values())
    return _of_length_1(
        {
            feature: _COUNTS.get(feature[0], _PIECE)
            * rare.get(feature, unknown if feature[0] == "=" else 0.0)
            * (1 + math.log(often))
            for feature, often in features.items()
        }
    )


def _of_length_1(vector: _Vector) -> _Vector:
    length = math.sqrt(sum(weight**2 for weight in vector.values())) or 1.0
    return {feature: weight / length for feature, weight in vector.items() if weight}


def _features(text: str, names: Collection[str] = ()) -> Iterator[str]:
    """The meanings of a text's words, marked by =, two near each other, and the pieces of longer ones without a meaning."""
    said = _ADDRESS.sub(" address ", fold(text).replace("'", " ").replace("\u2019", " "))
    meant = ["^"]
    for word in _WORD.findall(said):
        if word.isdigit():
            means = "number"
        elif word == "xx" or word in names or _PLACE.fullmatch(word):
            means = "x"
        else:
            means = _meaning(word)
        if means == "x" == meant[-1]:
            continue
        meant.append(means)
        yield f"={means}"
        if means == word and len(word) >= _GRAM:
            bounded = f"^{word}$"
            yield from (bounded[i : i + _GRAM] for i in range(len(bounded) - _GRAM + 1))
    meant.append("$")
    yield from (f"+{first} {second}" for first, second in pairwise(meant))
    yield from (f"-{first} {third}" for first, third in zip(meant, meant[2:], strict=False))


def _meaning(word: str) -> str:
    """The meaning of a word, by itself or by how it begins; itself where that is not known."""
    whole, begun = _meanings()
    if word in whole:
        return whole[word]
    return next((begun[word[:n]] for n in range(len(word), 1, -1) if word[:n] in begun), word)


@cache
def _meanings() -> tuple[Mapping[str, str], Mapping[str, str]]:
    known = tomllib.loads(files("referee.service.intake").joinpath("words.toml").read_text("utf-8"))
    said = [(word, meaning) for meaning, words in known.items() for word in words.split()]
    whole = {word: meaning for word, meaning in said if not word.endswith("*")}
    return whole, {word[:-1]: meaning for word, meaning in said if word.endswith("*")}
