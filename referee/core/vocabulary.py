"""The words of a game: data from which the binder, HELP and every "did you mean" are made."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Verb(msgspec.Struct, frozen=True):
    """A verb of the order language.

    `takes` lists the noun kinds of its things (empty: it takes none), `prepositions` maps each preposition it
    may carry to the kinds allowed there, `needs` those it must carry. `example` is a lawful line. `spoken` are words
    that people use instead of it, in whatever language: read where nothing else is understood. `apart`: each of its things is a
    wish by itself, so that those that are understood are taken where others are not. `whole`: it is read as it is spelt alone,
    neither cut short nor guessed, for what nobody should ask for by mistake.
    """

    word: str
    meaning: str
    example: str
    rule: str
    takes: tuple[str, ...] = ()
    least: int = 0
    most: int | None = None
    prepositions: Mapping[str, tuple[str, ...]] = {}
    needs: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    apart: bool = False
    whole: bool = False


class Noun(msgspec.Struct, frozen=True):
    """A name players may write: canonical spelling, kind, other spellings. Plurals are forgiven without listing.

    `numbered`: with a number after it the name is one of this other kind, even if no such name is listed, so that the
    game can say which there are. `spoken` are its names in other languages, read where nothing else is understood.
    """

    name: str
    kind: str
    aliases: tuple[str, ...] = ()
    numbered: str = ""
    spoken: tuple[str, ...] = ()


class Setting(msgspec.Struct, frozen=True):
    """An option of a match: its values, the default first, and the rule it switches."""

    name: str
    values: tuple[str, ...]
    meaning: str
    rule: str

    @property
    def default(self) -> str:
        return self.values[0]


class Turn(msgspec.Struct, frozen=True):
    """Words that say what a verb says in another order: `attack Ukraine from Germany with 2 infantry` is to MOVE.

    What follows the words stands `under` that preposition of the verb, and what stands after `things` is what the verb takes.
    """

    verb: str
    words: tuple[str, ...]
    under: str
    things: str = ""


class Vocabulary(msgspec.Struct, frozen=True):
    """All words that may be used at one moment of a match. `predicates` are the verbs of IF conditions.

    `unsaid` is the verb of a line that has none and an arrow: `3 inf Germany -> Prussia`.
    """

    verbs: tuple[Verb, ...]
    nouns: tuple[Noun, ...]
    predicates: tuple[Verb, ...] = ()
    turns: tuple[Turn, ...] = ()
    unsaid: str = ""


def beginnings(*words: Vocabulary) -> frozenset[str]:
    """Everything that an order may begin with, as the vocabularies write it."""
    return frozenset(name for vocabulary in words for verb in vocabulary.verbs for name in (verb.word, *verb.aliases))
