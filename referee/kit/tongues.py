"""What the words of a game are called by people, in several languages: tables beside the rulebook and the orders, kept as data.

A table says of a word of the game what else it is called, a column for each language. [[turn]] says a verb's things in another
order, and `unsaid` is the verb of a line that has none and an arrow.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.vocabulary import Noun, Turn, Verb, Vocabulary


class Tongues(msgspec.Struct, frozen=True):
    """Other words for the nouns and verbs of a game, by its own word."""

    words: Mapping[str, tuple[str, ...]]
    turns: tuple[Turn, ...] = ()
    unsaid: str = ""

    def nouns(self, nouns: Iterable[Noun]) -> tuple[Noun, ...]:
        """The nouns with what else they are called."""
        return tuple(self._noun(noun) for noun in nouns)

    def _noun(self, noun: Noun) -> Noun:
        spoken = self.words.get(noun.name)
        return noun if spoken is None else replace(noun, spoken=spoken)

    def verbs(self, verbs: Iterable[Verb]) -> tuple[Verb, ...]:
        """The verbs with what else they are called."""
        return tuple(replace(verb, spoken=self.words.get(verb.word, ())) for verb in verbs)

    def vocabulary(self, words: Vocabulary) -> Vocabulary:
        """A whole vocabulary with what else its words are called."""
        return Vocabulary(self.verbs(words.verbs), self.nouns(words.nouns), words.predicates, self.turns, self.unsaid)


def tongues(*tables: str) -> Tongues:
    """The tables of these files together, each named as a package and a file in it: `referee.games.war.rulebook/names.toml`."""
    words: dict[str, tuple[str, ...]] = {}
    turns: list[Turn] = []
    unsaid = ""
    for name in tables:
        package, _, file = name.rpartition("/")
        data = tomllib.loads(files(package).joinpath(file).read_text("utf-8"))
        unsaid = data.pop("unsaid", unsaid)
        turns += [
            Turn(turn["verb"], _all(turn["words"]), turn["under"], turn.get("things", ""))
            for turn in data.pop("turn", ())
        ]
        for rows in data.values():
            for word, columns in rows.items():
                words[word] = (*words.get(word, ()), *_all(columns))
    return Tongues(words, tuple(turns), unsaid)


def _all(columns: Mapping[str, Any]) -> tuple[str, ...]:
    """The words of all languages, each once."""
    found = (word for column in columns.values() for word in ([column] if isinstance(column, str) else column))
    return tuple(dict.fromkeys(found))
