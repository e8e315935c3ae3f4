"""The questions of asked.toml that a letter asks, by patterns and by likeness to examples; and the rule that answers it.

A sentence is a vector of what its words mean (words.toml, in four languages), of two that stand near each other, and of the
pieces of words that mean nothing there, each weighed by how rare it is. A kind lies in the middle of its examples, and is as
likely as its middle lies near.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

import msgspec

from referee.core.game import AnyGame, Tabulates
from referee.core.normal_text import fold
from referee.core.page import Grid
from referee.service.intake.commands.command import words_at_first

_WORD = re.compile(r"[a-z0-9]+")
_PLACE = re.compile(r"[a-z]+\d\w*")
_ADDRESS = re.compile(r"\S+@\S+")
_NAME = re.compile(r"(?<=[\w,;'\u2019] )[A-Z\u00c0-\u00de][\w-]+")
"""A word with a capital within a sentence; one without a meaning is a name."""
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
    """A kind of question: `say` are the examples, `words` the patterns, `means` names it.

    `line` brings what is asked, `write` is the word that does it, `answer` says it. `beside`: kinds in whose words it may stand.
    """

    say: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
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
    text = files("referee.service.intake").joinpath("asked.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, dict[str, Kind]])[whom]


@cache
def patterns_of(whom: str) -> Mapping[str, re.Pattern[str]]:
    """The words that ask for each kind outright, in the order in which they are looked for."""
    return {kind: re.compile("|".join(known.words)) for kind, known in kinds_of(whom).items() if known.words}


def likely(text: str, whom: str, names: Collection[str] = (), game: AnyGame | None = None) -> tuple[Likely, ...]:
    """The kinds that a text is like, the likeliest first; with a game its verbs are kinds, too.

    `names`, folded, are those of people, places and things: an example has X for any of them.
    """
    if game is not None:
        text = _NAME.sub(lambda name: "xx" if _meaning(fold(name[0])) == fold(name[0]) else name[0], text)
    parts = [part for part in _SENTENCE.split(text) if part.strip()][:_MOST]
    found: dict[str, float] = {}
    for part in dict.fromkeys((" ".join(parts), *parts)):
        for kind, near in nearness(part, _middles(whom, game), names):
            found[kind] = near if kind not in found else found[kind] if kind in _TALK else max(found[kind], near)
    return tuple(sorted((Likely(*one) for one in found.items()), key=lambda one: (-one.near, one.kind)))


_SURE, _CLEAR, _AGREES = (0.26, 1.2), (0.4, 1.5), 0.3
"""How near a kind must lie to be answered, and to be put before what patterns found, and how many times as near as any other;
how near one must lie that is answered, to be answered alone."""
_OFFERED, _BESIDE_IT = 0.05, 0.25
"""How near a kind must lie to be offered, by itself and beside the nearest."""
ANSWERED = 3
"""So many kinds of a letter are answered or offered."""
_WEAK = frozenset(("game",))
"""Kinds whose patterns stand in many a letter that asks something else."""


def answered(said: Sequence[str], like: Sequence[Likely], whom: str) -> tuple[str, ...]:
    """The kinds that a letter asks: those that patterns `said`, and before them the one that it is clearly like."""
    known, (first, second) = kinds_of(whom), (*like, *_NOTHING)[:2]
    beside = {other for kind in said for other in (known[kind].beside if kind in known else ())}
    kinds = tuple(kind for kind in said if kind not in beside)
    near, times = _SURE if _WEAK.issuperset(kinds) else _CLEAR
    if first.kind not in known or first.kind == "none" or first.near < max(near, times * second.near):
        return kinds
    others = (kind for kind in kinds if kind not in ("owe", first.kind, *known[first.kind].beside))
    return (first.kind, *others)[:ANSWERED]


def offered(
    kinds: Collection[str], said: Collection[str], like: Sequence[Likely], besides: Mapping[str, float] | None = None
) -> tuple[str, ...]:
    """The kinds that a letter may ask beside those that are answered, or instead; none where it is plain what it asks.

    `said`: those that patterns found. `besides`: how near others lie for what else speaks for or against them.
    """
    first, second = (*like, *_NOTHING)[:2]
    plain = _SURE if first.kind == "none" else (_AGREES, 1.0 if first.kind in said else _CLEAR[1])
    if first.kind in ("none", *kinds) and first.near >= max(plain[0], plain[1] * second.near):
        return ()
    near = {**dict(like), **(besides or {})}
    least = max(_OFFERED, _BESIDE_IT * first.near if kinds else 0.0)
    found = sorted(
        (kind for kind, lies in near.items() if lies >= least and kind not in ("none", *kinds)),
        key=lambda kind: -near[kind],
    )
    return tuple(found)[: ANSWERED - len(kinds)]


_NOTHING = (Likely("", 0.0), Likely("", 0.0))


class Middles(NamedTuple):
    """The kinds, what each feature weighs in the middle of each kind's examples, and how rare it is in them; the rarest is."""

    kinds: tuple[str, ...]
    of: Mapping[str, Sequence[tuple[str, float]]]
    rare: Mapping[str, float]
    rarest: float


def middles(said: Iterable[tuple[str, str]]) -> Middles:
    """Of kinds and their examples."""
    counted = [(kind, Counter(_features(_NAMELESS.sub("xx", say)))) for kind, say in said]
    often = Counter(feature for _, features in counted for feature in features)
    rare = {feature: math.log(1 + len(counted) / n) for feature, n in often.items()}
    rarest = max(rare.values())
    sums: dict[str, Counter[str]] = {}
    for kind, features in counted:
        sums.setdefault(kind, Counter()).update(_weighed(features, rare, rarest))
    of: dict[str, list[tuple[str, float]]] = {}
    for kind, whole in sums.items():
        for feature, weight in _of_length_1(whole).items():
            of.setdefault(feature, []).append((kind, weight))
    return Middles(tuple(sums), of, rare, rarest)


_KNOWN: dict[tuple[str, str], Middles] = {}
"""Those made before, by who asks and in which game."""


def _middles(whom: str, game: AnyGame | None) -> Middles:
    asked = whom, game.name if game is not None else ""
    if asked not in _KNOWN:
        _KNOWN[asked] = middles(_said(whom, game))
    return _KNOWN[asked]


def _said(whom: str, game: AnyGame | None) -> list[tuple[str, str]]:
    """The examples of each kind; with a game what it says itself of each of its verbs, too."""
    said = [(kind, say) for kind, known in kinds_of(whom).items() for say in (known.means, *known.say) if say]
    if game is not None:
        words, orders = words_at_first(game), kinds_of("order")
        names = frozenset(word for noun in words.nouns for word in fold(noun.name).split())
        for verb in words.verbs:
            said += ((verb.word, say) for say in orders[verb.word].say) if verb.word in orders else ()
            told = (verb.word, verb.meaning, verb.example.splitlines()[0])
            said += ((verb.word, " ".join("X" if fold(w) in names else w for w in say.split())) for say in told)
    return said


def nearness(sentence: str, known: Middles, names: Collection[str] = ()) -> Iterable[tuple[str, float]]:
    """How near each kind lies to a sentence; nothing where no word of it is known."""
    features = Counter(_features(sentence, names))
    if not any(feature in known.rare for feature in features if feature[0] == "="):
        return ()
    near = dict.fromkeys(known.kinds, 0.0)
    for feature, weight in _weighed(features, known.rare, known.rarest).items():
        for kind, weighs in known.of.get(feature, ()):
            near[kind] += weight * weighs
    return near.items()


_COUNTS = {"=": 1.0, "+": _BESIDE, "-": _APART}


def _weighed(features: Mapping[str, int], rare: Mapping[str, float], rarest: float) -> _Vector:
    """A vector of length 1; a word that no example has is nearly as rare as can be."""
    unknown = _UNKNOWN * rarest
    return _of_length_1(
        {
            feature: _COUNTS.get(feature[0], _PIECE)
            * rare.get(feature, unknown if feature[0] == "=" else 0.0)
            * (1 + math.log(often))
            for feature, often in features.items()
        }
    )


def _of_length_1(vector: Mapping[str, float]) -> _Vector:
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


# ---------------------------------------------------------------- the rule that answers
# Questions about a game, answered out of its own rules: the passage that says most of what is asked, or none.


_ASKED = tomllib.loads(files("referee.service.intake").joinpath("lookup.toml").read_text("utf-8"))
_IDLE = frozenset(_ASKED["idle"])
_ALIKE = {word: said for said, words in _ASKED["alike"].items() for word in words}
_RISES, _LENGTH, _TITLE = 1.2, 0.4, 3
"""How fast a word that comes again counts less, how much a long passage is held against it (BM25), and how often what a passage
is called counts."""
_SAYS = 0.62
"""So much of what is asked, weighed by how rare its words are, a passage must say."""


_WHAT_IS, _HOW_TO, _PRICE = (re.compile(_ASKED[how]) for how in ("what_is", "how_to", "priced"))
_PRICED = 1.6
_HOW = 0.7
"""Weights: of a word beside a number where a price is asked; of a word of the order language, where it is not asked how."""


class Passage(NamedTuple):
    """A game's words on itself, where they stand, how often it has each word, its names, and what it counts for
    beside a rule."""

    cites: str
    text: str
    words: Counter[str]
    called: frozenset[str]
    counts: float = 1.0


class Index(NamedTuple):
    """The passages of a game, how rare each word is in them, what is a subject, what words are called elsewhere; all names."""

    passages: tuple[Passage, ...]
    rare: dict[str, float]
    subjects: frozenset[str]
    called: dict[str, str]
    names: frozenset[str]


def look_up(game: AnyGame, question: str) -> str:
    """The answer of a game's rules to a question, with the number of the rule; "" if none of them has it."""
    index, bare = _index(game), _bare(question)
    asked = dict.fromkeys(_words(question, index.called))
    if _WHAT_IS.search(bare) and [*asked] != ["cost"]:
        defined = (word for word in game.guide.words if any(_named(part, bare) for part in word.split(", ")))
        if (word := next(defined, "")) and set(asked) <= {*_words(word, index.called)}:
            return f"{word}: {game.guide.words[word]}. [GUIDE {game.name}]"
    if _PRICE.search(bare):
        asked["cost"] = None
    how = bool(_HOW_TO.search(bare))
    if len(asked) < 2 and not how and not _WHAT_IS.search(bare):
        return ""  # of one word alone every rule that has it would say something
    most = max(index.rare.values())
    weight = {word: index.rare.get(word, most) for word in asked}
    if not index.subjects & asked.keys():
        return ""
    length = sum(passage.words.total() for passage in index.passages) / len(index.passages)
    best, said = 0.0, ""
    for passage in index.passages:
        there = {word: passage.words[word] for word in asked if passage.words[word]}
        if sum(weight[word] for word in there) < _SAYS * sum(weight.values()):
            continue
        norm = _RISES * (1 - _LENGTH + _LENGTH * passage.words.total() / length)
        score = sum(weight[word] * often * (_RISES + 1) / (often + norm) for word, often in there.items()) * (
            1 / passage.counts if how else passage.counts
        )
        if "cost" in asked:
            if not any(c.isdigit() for c in passage.text) or there.keys() == {"cost"}:
                continue
            score *= (
                _PRICED if any(_stem(word) in asked for word in re.findall(r"([a-z]+) \d", _bare(passage.text))) else 1
            )
            score *= _PRICED**2 if "cost" in there and passage.called & there.keys() - {"cost"} else 1
        if score > best:
            best, said = score, f"{passage.text} [{passage.cites}]"
    return said


def names_of(game: AnyGame) -> frozenset[str]:
    """The words of the names of a game, folded, in each number and language that it knows."""
    return _index(game).names


_QUOTED, _SPEAKS, _OF_LENGTH = 2, 0.27, 0.9
"""So many rules are quoted that only speak of what is asked, so much of it each must say; a long one counts for less."""


def speak_of(game: AnyGame, question: str) -> tuple[str, ...]:
    """The rules that say most of what is asked, with their numbers, where none of them answers it."""
    index = _index(game)
    asked = dict.fromkeys(_words(question, index.called))
    if not index.subjects & asked.keys():
        return ()
    most = max(index.rare.values())
    weight = {word: index.rare.get(word, most) for word in asked}
    length = sum(passage.words.total() for passage in index.passages) / len(index.passages)
    found: list[tuple[float, str]] = []
    for passage in index.passages:
        there = {word: passage.words[word] for word in asked if passage.words[word]}
        if sum(weight[word] for word in there) < _SPEAKS * sum(weight.values()):
            continue
        norm = _RISES * (1 - _OF_LENGTH + _OF_LENGTH * passage.words.total() / length)
        score = sum(weight[word] * often * (_RISES + 1) / (often + norm) for word, often in there.items())
        found.append((score, f"{passage.text} [{passage.cites}]"))
    return tuple(said for _, said in sorted(found, reverse=True)[:_QUOTED])


def _named(word: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\w&]){re.escape(_bare(word))}s?(?![\w&])", text))


def _words(text: str, called: dict[str, str]) -> Iterator[str]:
    """The words of a text that say something, each by its stem and in the game's own language."""
    for word in _WORD.findall(_bare(text)):
        stem = _stem(called.get(word, word))
        if stem in _IDLE:  # what it is called besides says nothing
            stem = _stem(word)
        if word not in _IDLE and stem not in _IDLE:
            yield _ALIKE.get(word) or _ALIKE.get(stem, stem)


def _bare(text: str) -> str:
    return fold(text).replace("'", " ").replace("\u2019", " ")


def _stem(word: str) -> str:
    """A word without its ending."""
    for ending, left in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) > 2 and not word.endswith(("ss", "us")):
            return word[: len(word) - len(ending)] + left
    return word


_INDEXES: dict[str, Index] = {}
"""Those made before, by game."""


def _index(game: AnyGame) -> Index:
    if game.name not in _INDEXES:
        _INDEXES[game.name] = _indexed(game)
    return _INDEXES[game.name]


def _indexed(game: AnyGame) -> Index:
    words = words_at_first(game)
    called = {
        _bare(said): _bare(name)
        for name, spoken in (*((n.name, n.spoken) for n in words.nouns), *((v.word, v.spoken) for v in words.verbs))
        for said in spoken
        if " " not in said
    }
    passages = tuple(
        Passage(cites, text, _counted(text, called) + (titled := _titled(title, called)), frozenset(titled), counts)
        for title, cites, text, counts in _passages(game)
    )
    often = Counter(word for passage in passages for word in passage.words)
    rare = {word: math.log(1 + (len(passages) - n + 0.5) / (n + 0.5)) for word, n in often.items()}
    names = (*(noun.name for noun in words.nouns), *(verb.word for verb in words.verbs), *game.guide.words)
    subjects = frozenset(word for name in names for word in _words(name, called)) | frozenset(
        _ASKED["alike"]
    ) - frozenset(_ASKED["deeds"])
    said = (_bare(name) for noun in words.nouns for name in (noun.name, *noun.spoken))
    single = {word for name in said for word in _WORD.findall(name)} - _IDLE
    plural = {f"{word}s" for word in single} | {f"{word[:-1]}ies" for word in single if word.endswith("y")}
    return Index(passages, rare, subjects & rare.keys(), called, frozenset(single | plural))


def _counted(text: str, called: dict[str, str]) -> Counter[str]:
    return Counter(_words(text, called))


def _titled(title: str, called: dict[str, str]) -> Counter[str]:
    return Counter({word: _TITLE for word in _words(title.replace(".", " ").replace("_", " "), called)})


def _passages(game: AnyGame) -> Iterable[tuple[str, str, str, float]]:
    """The name of each passage, its place, and its text."""
    for rule in game.rules:
        yield rule.id, rule.id, rule.text, 1
    for word, said in game.guide.words.items():
        yield f"{word} {word}", f"GUIDE {game.name}", f"{word}: {said}.", 1
    for verb in words_at_first(game).verbs:
        yield (
            verb.word,
            verb.rule or f"HELP {verb.word}",
            f"{verb.word}: {verb.meaning}, as in {verb.example.splitlines()[0]}",
            _HOW,
        )
    grids = (
        (block for block in game.rule_tables(None) if isinstance(block, Grid)) if isinstance(game, Tabulates) else ()
    )
    for grid in grids:
        for row in grid.rows:
            yield (
                str(row[0]),
                f"RULES {game.name}",
                "; ".join(f"{name}: {cell}" for name, cell in zip(grid.columns, row, strict=True) if cell != ""),
                1,
            )
