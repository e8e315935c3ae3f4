"""A vocabulary made ready for look-up: exact words, forgiven spellings, shortened words; built once per vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Generic, TypeVar

import msgspec

from referee.core.normal_text import as_typed, fold
from referee.core.order import Noun, Singulars, Turn, Verb, Vocabulary
from referee.orders.sentences import Memory
from referee.orders.spelling import likeliest, plural, shortens, spelling

LANGUAGE_KINDS = frozenset(
    {"any", "text", "words", "number", "hex", "duration", "moment", "date", "days", "address", "word"}
)
"""Kinds of things that the language knows without any vocabulary."""

Face = tuple[tuple[str, ...], ...]
"""The words by which verbs are found: two sets of verbs with one face are found alike."""

T = TypeVar("T")

_LEAST = 3
"""Letters that a shortened verb has at least."""

_NEAR = 5
_MEMORIES = 16
_LOOKED_AT = 200
_WORD = re.compile(r"[\w'-]+")
_BEFORE_NAMES = frozenset({"at", "for", "from", "in", "into", "on", "to", "with"})
_NUMERAL = re.compile(r"\b[0-9]")


class Usage(msgspec.Struct, frozen=True):
    """A verb with its prepositions folded for look-up."""

    verb: Verb
    prepositions: dict[str, str]
    longest: int

    @property
    def word(self) -> str:
        return self.verb.word


def _usage(verb: Verb) -> Usage:
    folded = {fold(preposition): preposition for preposition in verb.prepositions if preposition}
    return Usage(verb, folded, max((len(f.split()) for f in folded), default=0))


class Words:
    """Verbs by what a player may type: exact first, then forgiven spelling, then shortened."""

    def __init__(self, verbs: Iterable[Verb]) -> None:
        self.usages = tuple(_usage(verb) for verb in verbs)
        self._exact: dict[str, tuple[Usage, ...]] = {}
        self._spelt: dict[str, tuple[Usage, ...]] = {}
        self._typed: list[tuple[str, Usage]] = []
        self._by_letter: dict[str, list[tuple[str, Usage]]] = {}
        self.longest = 0
        self.face: Face = tuple((u.word, *map(fold, (u.verb.word, *u.verb.aliases))) for u in self.usages)
        """Everything that decides which verb a line begins with."""
        for usage in self.usages:
            for word in (usage.verb.word, *usage.verb.aliases):
                self._enter(fold(word), usage)

    def _enter(self, folded: str, usage: Usage) -> None:
        self._exact[folded] = (*self._exact.get(folded, ()), usage)
        self._spelt[spelling(folded)] = (*self._spelt.get(spelling(folded), ()), usage)
        self.longest = max(self.longest, len(folded.split()))
        if usage.verb.whole:
            return
        self._typed.append((folded, usage))
        self._by_letter.setdefault(folded[:1], []).append((folded, usage))

    def exact(self, folded: str) -> tuple[Usage, ...]:
        """Verbs with exactly this word or alias."""
        return self._exact.get(folded, ())

    def spelt(self, folded: str) -> tuple[Usage, ...]:
        """Verbs with this word in any forgiven spelling."""
        return self._spelt.get(spelling(folded), ())

    def shortened(self, folded: str) -> tuple[Usage, ...]:
        """Verbs that begin like this, each once; no greeting is one: "Hi" is not short for HIRE, nor "I" for INCITE."""
        if len(folded) < _LEAST:
            return ()
        begun = self._by_letter.get(folded[:1], ())
        return tuple({id(u): u for word, u in begun if shortens(folded, word)}.values())

    def like(self, folded: str) -> tuple[tuple[float, Usage], ...]:
        """Verbs this may be a misspelling of, each once, with their likeness from 0 to 1."""
        found: dict[int, tuple[float, Usage]] = {}
        for score, place in likeliest(folded, self._words, _NEAR):
            found.setdefault(id(self._typed[place][1]), (score, self._typed[place][1]))
        return tuple(found.values())

    @cached_property
    def _words(self) -> tuple[str, ...]:
        return tuple(word for word, _ in self._typed)

    @property
    def choices(self) -> tuple[str, ...]:
        """The verbs' own words."""
        return tuple(dict.fromkeys(usage.word for usage in self.usages))


class Names:
    """The nouns of some kinds, by what a player may type."""

    def __init__(self, nouns: Iterable[Noun]) -> None:
        self.nouns = tuple(nouns)
        self._exact: dict[str, tuple[Noun, ...]] = {}
        self._typed: list[tuple[str, Noun]] = []
        for noun in self.nouns:
            self._enter(fold(noun.name), noun)
        proper = set(self._exact)
        for noun in self.nouns:
            for alias in map(fold, noun.aliases):
                if alias not in proper:
                    self._enter(alias, noun)
        self.longest = max((word.count(" ") + 1 for word in self._exact), default=0)
        self._first = frozenset(word.split(" ", 1)[0] for word in self._exact)

    def _enter(self, folded: str, noun: Noun) -> None:
        _add(self._exact, folded, noun)
        self._typed.append((folded, noun))

    @cached_property
    def _spelt(self) -> dict[str, tuple[Noun, ...]]:
        """Made when a word is first looked up that is no name as it stands: most tables are never asked."""
        found: dict[str, tuple[Noun, ...]] = {}
        for word, noun in self._typed:
            _add(found, spelling(word), noun)
        return found

    @cached_property
    def _meant(self) -> tuple[str, ...]:
        singular = tuple(word for word, _ in self._typed)
        return (*singular, *map(plural, singular))

    def begins(self, word: str) -> bool:
        """Whether some name or alias begins with this folded word, or a part of a line that is several words."""
        return word in self._first or " " in word

    def exact(self, folded: str) -> tuple[Noun, ...]:
        """Nouns with exactly this name; those with such an alias only where no name is so."""
        return self._exact.get(folded, ())

    def is_alone(self, folded: str, noun: Noun) -> bool:
        """Whether this word is said of that noun only, and begins no longer name but with a number: coolie, coolie 14."""
        if not self.exact(folded) == self.spelt(folded) == (noun,):
            return False
        start = f"{folded} "
        longer = any(word.startswith(start) and not word[len(start) :].isdecimal() for word, _ in self._typed)
        return not longer

    def spelt(self, folded: str) -> tuple[Noun, ...]:
        """Nouns with this name or alias in any forgiven spelling."""
        return self._spelt.get(spelling(folded), ())

    def shortened(self, folded: str) -> tuple[Noun, ...]:
        """Nouns whose name or alias begins like this, each once; a whole name in another language beats them."""
        if folded in self.said:
            return (self.said[folded],)
        found: tuple[Noun, ...] = ()
        for word, noun in self._typed:
            if shortens(folded, word):
                found = _once(found, noun)
        return found

    @cached_property
    def said(self) -> Mapping[str, Noun]:
        """Names in other languages, and their plurals in s; what would be two things is none."""
        found: dict[str, tuple[Noun, ...]] = {}
        for noun in self.nouns:
            for word in {typed for said in noun.spoken for typed in as_typed(said)}:
                _add(found, word, noun)
        return {spelling(word): one[0] for word, one in found.items() if len(one) == 1} | {
            word: one[0] for word, one in found.items() if len(one) == 1
        }

    def like(self, folded: str) -> tuple[tuple[float, Noun], ...]:
        """Nouns this may be a misspelling of, each once, with their likeness from 0 to 1."""
        found: dict[str, tuple[float, Noun]] = {}
        for score, place in likeliest(folded, self._meant, _NEAR):
            noun = self._typed[place % len(self._typed)][1]
            found.setdefault(noun.name, (score, noun))
        if not found and self._spoken:
            for score, place in likeliest(folded, tuple(word for word, _ in self._spoken), _NEAR):
                found.setdefault(self._spoken[place][1].name, (score, self._spoken[place][1]))
        return tuple(found.values())

    @cached_property
    def _spoken(self) -> tuple[tuple[str, Noun], ...]:
        """Names in other languages: for guesses where no name of the game comes near."""
        return tuple((fold(word), noun) for noun in self.nouns for word in noun.spoken)

    def numbered(self, folded: str) -> Noun | None:
        """The noun of this name that a number may follow; None where none may."""
        nouns = self.exact(folded)
        return nouns[0] if nouns and nouns[0].numbered else None

    @property
    def choices(self) -> tuple[str, ...]:
        """The canonical names."""
        return tuple(dict.fromkeys(noun.name for noun in self.nouns))


def _add(table: dict[str, tuple[Noun, ...]], word: str, noun: Noun) -> None:
    table[word] = _once(table[word], noun) if word in table else (noun,)


def _once(found: tuple[Noun, ...], noun: Noun) -> tuple[Noun, ...]:
    """Names that differ only in case are one name: the first has it."""
    return found if any(fold(n.name) == fold(noun.name) for n in found) else (*found, noun)


class Lexicon:
    """Everything that may be said with one vocabulary. Tables of names are made when first asked for.

    `shortest` is how many letters of a verb must be typed for it to be meant.
    """

    def __init__(
        self,
        verbs: Iterable[Verb],
        nouns: Iterable[Noun],
        predicates: Iterable[Verb],
        shortest: int = 1,
        turns: tuple[Turn, ...] = (),
        unsaid: str = "",
    ) -> None:
        self.shortest, self.turns, self.unsaid = shortest, turns, unsaid
        self.verbs = _words(Held(*verbs))
        self.predicates = _words(Held(*predicates))
        self._nouns = tuple(nouns)
        self._tables: dict[tuple[str, ...], Names] = {}
        self._memories: dict[tuple[Face, ...], Memory] = {}
        self.kinds = tuple(dict.fromkeys(noun.kind for noun in self._nouns))

    def names(self, kinds: tuple[str, ...]) -> Names:
        """The nouns of these kinds; where two kinds share a name, the kind named first has it."""
        table = self._tables.get(kinds)
        if table is None:
            ranks = {kind: rank for rank, kind in reversed(list(enumerate(kinds)))}
            nouns = sorted((n for n in self._nouns if n.kind in ranks), key=lambda n: ranks[n.kind])
            table = self._tables[kinds] = _table(Held(*nouns))
        return table

    @cached_property
    def singulars(self) -> Singulars:
        """The word after a 1 for a name in the plural: its alias, where nothing else could be meant by it."""
        table = self.names(self.kinds)
        found: dict[tuple[str, str], str] = {}
        for noun in self._nouns:
            for alias in noun.aliases:
                one = fold(alias)
                if plural(one) == fold(noun.name) and one != fold(noun.name) and table.is_alone(one, noun):
                    found.setdefault((noun.kind, noun.name), alias)
        return found

    def memory(self, faces: tuple[Face, ...]) -> Memory:
        """The lines read before whose verb was found here, among verbs with these faces."""
        memory = self._memories.get(faces)
        if memory is None:
            if len(self._memories) >= _MEMORIES:
                self._memories.clear()
            memory = self._memories[faces] = Memory(lambda: self._numerals)
        return memory

    @cached_property
    def _numerals(self) -> bool:
        """Whether a word of verbs, prepositions or names begins with a digit."""
        prepositions = (f for words in (self.verbs, self.predicates) for u in words.usages for f in u.prepositions)
        verbs = (f for verb in (*self.verbs.face, *self.predicates.face) for f in verb)
        names = (fold(name) for noun in self._nouns for name in (noun.name, *noun.aliases))
        return any(_NUMERAL.search(folded) for folded in (*prepositions, *verbs, *names))


class Held(Generic[T]):
    """Things by identity, as the key to what was made of them.

    Vocabularies hold mappings, so they have no hash of their own, and a noun's takes long.
    """

    __slots__ = ("_hash", "_ids", "things")

    def __init__(self, *things: T) -> None:
        self.things = things
        self._ids = tuple(map(id, things))
        self._hash = hash(self._ids)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and self._ids == other._ids


@lru_cache(maxsize=128)
def _words(held: Held[Verb]) -> Words:
    """The verbs made ready; all matches of a game share theirs, and their desks as well."""
    return Words(held.things)


@lru_cache(maxsize=128)
def _table(held: Held[Noun]) -> Names:
    """The nouns made ready; vocabularies of one game that follow each other share most of theirs."""
    return Names(held.things)


def lexicon(vocabulary: Vocabulary) -> Lexicon:
    """The vocabulary made ready; the same object gives the same lexicon."""
    return _lexicon(Held(vocabulary))


def desk_lexicon(desk: Vocabulary, game: Vocabulary | None) -> Lexicon:
    """The desk's words; its orders may also name what the game names, such as a player.

    A single letter is none of them: `H I R E` is no HELP.
    """
    return _lexicon(Held(desk) if game is None else Held(desk, game), 2)


def orders_something(text: str, game: Vocabulary) -> bool:
    """Whether a text names things as orders do, after a number or a preposition: `1 fleet`, `to Red`."""
    found = lexicon(game)
    names = found.names(found.kinds)
    words = [fold(word) for word in _WORD.findall(text[:_LOOKED_AT])]
    for at, before in enumerate(words[:-1], 1):
        if not (before.isdecimal() or before in _BEFORE_NAMES):
            continue
        at += words[at] == "the"
        if any(names.spelt(" ".join(words[at:end])) for end in range(at + 1, min(at + names.longest, len(words)) + 1)):
            return True
    return False


@lru_cache(maxsize=128)
def _lexicon(held: Held[Vocabulary], shortest: int = 1) -> Lexicon:
    first = held.things[0]
    nouns = [noun for vocabulary in held.things for noun in vocabulary.nouns]
    return Lexicon(first.verbs, nouns, first.predicates, shortest, first.turns, first.unsaid)
