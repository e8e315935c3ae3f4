"""The little words of tongues.toml, and what a lexicon's verbs and names are called by people, made ready for look-up."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Any

import msgspec

from referee.core.normal import as_typed, fold
from referee.core.order import Portion, Quantity
from referee.core.vocabulary import Turn
from referee.orders.lexicon import Lexicon, Usage
from referee.orders.spelling import spelling


class Little(msgspec.Struct, frozen=True):
    """The little words of all languages together, folded."""

    prepositions: Mapping[str, tuple[str, ...]]
    quantities: Mapping[str, Quantity]
    measures: Mapping[str, Portion]
    ones: frozenset[str]
    joints: frozenset[str]
    anything: frozenset[str]
    articles: frozenset[str]
    please: frozenset[str]
    elided: Mapping[str, str]

    @property
    def all(self) -> Iterator[str]:
        """Every one of them."""
        for table in (self.prepositions, self.quantities, self.measures):
            yield from table
        for words in (self.ones, self.joints, self.anything, self.articles, self.please):
            yield from words


@cache
def little() -> Little:
    """The table, read once."""
    data = tomllib.loads(files(__package__).joinpath("tongues.toml").read_text("utf-8"))
    prepositions: dict[str, tuple[str, ...]] = {}
    for english, columns in data["prepositions"].items():
        for word in _words(columns):
            prepositions[word] = (*prepositions.get(word, ()), english)
    exactly = {
        word: Quantity(Portion.EXACTLY, int(number))
        for number, columns in data["numbers"].items()
        for word in _words(columns)
    }
    whole = dict.fromkeys(_words(data["all"]), Quantity(Portion.ALL, 0))
    half = dict.fromkeys(_words(data["half"]), Quantity(Portion.HALF, 0))
    measures = {
        **dict.fromkeys(_words(data["up_to"]), Portion.UP_TO),
        **dict.fromkeys(_words(data["all_but"]), Portion.ALL_BUT),
    }
    ones, joints, anything, articles, please = (
        frozenset(_words(data[name])) for name in ("ones", "and", "any", "articles", "please")
    )
    quantities = {**exactly, **whole, **half}
    return Little(prepositions, quantities, measures, ones, joints, anything, articles, please, data["elided"])


def _words(columns: Mapping[str, Any]) -> Iterator[str]:
    for column in columns.values():
        for word in column:
            yield from as_typed(word)


class Beginning(msgspec.Struct, frozen=True):
    """A verb that a line may begin with, and what must stand at its end: `greife Rot an`; `turn`: its things stand elsewhere."""

    usage: Usage
    end: str = ""
    turn: Turn | None = None


class Tongue:
    """What may be said instead of a lexicon's own words."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.unsaid = next((usage for usage in lexicon.verbs.usages if usage.word == lexicon.unsaid), None)
        self._prepositions: dict[tuple[str, str], dict[str, str]] = {}

    @cached_property
    def verbs(self) -> Mapping[str, tuple[Beginning, ...]]:
        """What lines may begin with, folded."""
        found: dict[str, tuple[Beginning, ...]] = {}
        for said, beginning in self._said():
            head, _, end = said.partition("...")
            for word in as_typed(head):
                found[word] = (*found.get(word, ()), msgspec.structs.replace(beginning, end=fold(end) if end else ""))
        return found

    def _said(self) -> Iterator[tuple[str, Beginning]]:
        usages = self.lexicon.verbs.usages
        for usage in usages:
            for word in usage.verb.spoken:
                yield word, Beginning(usage)
        for turn in self.lexicon.turns:
            for usage in usages:
                yield from ((word, Beginning(usage, turn=turn)) for word in turn.words if usage.word == turn.verb)

    @cached_property
    def longest(self) -> int:
        """How many words a verb has at most."""
        return max(self.lexicon.verbs.longest, max((word.count(" ") + 1 for word in self.verbs), default=0))

    def prepositions(self, usage: Usage, turn: Turn | None) -> Mapping[str, str]:
        """What is said for the prepositions of a verb, folded, with the verb's own word for it."""
        key = (usage.word, turn.things if turn else "")
        if key not in self._prepositions:
            own = dict.fromkeys([word for word in usage.verb.prepositions if word] + [key[1]] * bool(turn))
            meant = {
                word: next(english for english in englishes if english in own)
                for word, englishes in little().prepositions.items()
                if not own.keys().isdisjoint(englishes)
            }
            self._prepositions[key] = {**meant, **{fold(word): word for word in own}}
        return self._prepositions[key]

    @cached_property
    def hints(self) -> frozenset[str]:
        """The first words of all that is not the lexicon's own: a line with none of them needs no second look."""
        nouns = self.lexicon.names(self.lexicon.kinds).nouns
        names = (typed for noun in nouns for said in noun.spoken for typed in as_typed(said))
        said = frozenset(word.split(" ", 1)[0] for word in (*little().all, *self.verbs, *names) if word)
        return said | frozenset(map(spelling, said))


@lru_cache(maxsize=128)
def tongue(lexicon: Lexicon) -> Tongue:
    """The tongue of a lexicon, made when a line is first not understood."""
    return Tongue(lexicon)
