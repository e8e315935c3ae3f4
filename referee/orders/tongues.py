"""Lines in other words: names, verbs and prepositions as people say them, in several languages, become the vocabulary's own."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import dropwhile, takewhile
from typing import Any

import msgspec

from referee.core.normal_text import as_typed, fold
from referee.core.order import Noun, Portion, Quantity, Turn, Verb
from referee.moments import Unclear, day_at, days_at
from referee.orders.grammar import Part, Sort
from referee.orders.lexicon import Lexicon, Names, Usage
from referee.orders.spelling import plural, spelling

# ---------------------------------------------------------------- tables
# The little words of tongues.toml, and what a lexicon's verbs and names are called by people, made ready for look-up.


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
    wish: frozenset[str]
    thanks: frozenset[str]
    hedges: frozenset[str]
    doubts: frozenset[str]
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
    named = ("ones", "and", "any", "articles", "please", "wish", "thanks", "hedges", "doubts")
    ones, joints, anything, articles, please, wish, thanks, hedges, doubts = (
        frozenset(_words(data[name])) for name in named
    )
    quantities = {**exactly, **whole, **half}
    little_words = (ones, joints, anything, articles, please, wish, thanks, hedges, doubts)
    return Little(prepositions, quantities, measures, *little_words, data["elided"])


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
    """Words that people use instead of a lexicon's own."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.unsaid = next((usage for usage in lexicon.verbs.usages if usage.word == lexicon.unsaid), None)
        self._prepositions: dict[tuple[str, str], dict[str, str]] = {}

    @cached_property
    def verbs(self) -> Mapping[str, tuple[Beginning, ...]]:
        """The words that lines may begin with, folded."""
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
        """Words for the prepositions of a verb, folded, with the verb's own word for it."""
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


_ELIDED = re.compile(r"([a-z])['\u2019](?=\w)", re.IGNORECASE)
_LONGEST = 6
_PROSE = frozenset({Sort.WORD, Sort.COMMA, Sort.AND, Sort.OTHER})


class Said(msgspec.Struct, frozen=True):
    """A part in the vocabulary's own words, and what it was known as: a name, a preposition; neither, if it stays as typed."""

    part: Part
    noun: Noun | None = None
    preposition: str = ""


def is_worth_it(parts: Sequence[Part], tongue: Tongue) -> bool:
    """Whether a line holds anything that is not the vocabulary's own."""
    hints = tongue.hints
    words = (part.folded.split(" ", 1)[0] for part in parts if part.sort is Sort.WORD)
    if any(word in hints or spelling(word) in hints for word in words):
        return True
    return any(part.sort is Sort.ARROW or _ELIDED.match(part.text) for part in parts)


def in_own_words(parts: Sequence[Part], tongue: Tongue, tongues: Sequence[Tongue] = ()) -> Iterator[tuple[Part, ...]]:
    """The line for each verb that it may begin or end with, if it names anything after it: prose with such a verb does not.

    A verb that takes any words, as HELP does, may name a verb of any of the tongues.
    """
    parts = _politely(tuple(_taken_apart(parts)))
    for beginning, verb, rest in _beginnings(parts, tongue):
        if beginning.usage.verb.takes == ("words",) and (asked := _verb_named(rest, tongues)):
            yield (verb, asked)
            continue
        said = tuple(_Rest(rest, beginning, tongue).read())
        if not rest or any(map(_names, said)) or is_timed(beginning.usage.verb):
            yield (verb, *_in_order(said, beginning))


def gists(parts: Sequence[Part], tongue: Tongue) -> tuple[tuple[tuple[Part, ...], ...], ...]:
    """The orders in a sentence among other words, verb by verb: for each of its verbs the lines that are left without these words.

    Names that stand before the first verb are taken for its things: `my army goes to Canada`.
    """
    parts = tuple(_taken_apart(parts))
    found: list[tuple[int, int, tuple[Beginning, ...]]] = []
    at = 0
    while at < len(parts):
        size, begun = _verb_at(parts, at, tongue)
        if begun:
            found.append((at, size, begun))
        at += size or 1
    lines: list[tuple[tuple[Part, ...], ...]] = []
    for n, (at, size, begun) in enumerate(found):
        end = found[n + 1][0] if n + 1 < len(found) else len(parts)
        rest = (*(parts[:at] if n == 0 else ()), *parts[at + size : end])
        verbs = ((one, _verb(one.usage.word, parts[at : at + size], size)) for one in begun)
        lines.append(tuple((verb, *_in_order(_kept(rest, one, tongue), one)) for one, verb in verbs))
    return tuple(lines)


def verbs_said(parts: Sequence[Part], tongue: Tongue) -> tuple[Verb, ...]:
    """The verbs that a sentence has anywhere, as typed or in other words, each once."""
    found = [one.usage.verb for at in range(len(parts)) for one in _verb_at(parts, at, tongue)[1]]
    return tuple({verb.word: verb for verb in found}.values())


FREE = frozenset({"words", "text", "word"})
"""Parts that may be any word at all: a verb that takes one would take every sentence."""


def begins_with_a_verb(parts: Sequence[Part], tongue: Tongue) -> bool:
    """Whether a line begins with a verb, as typed or in other words."""
    return bool(parts) and _verb_at(parts, 0, tongue)[0] > 0


def with_what_is_open(line: Sequence[Part], words: Lexicon) -> Iterator[tuple[Part, ...]]:
    """A line with each of the places that its verb may begin from, where it does not say from which."""
    usages = words.verbs.exact(line[0].folded)
    said = {part.folded for part in line}
    missing = [need for need in usages[0].verb.needs if fold(need) not in said] if len(usages) == 1 else []
    if missing != ["FROM"]:
        return  # whom a thing is for nobody can guess
    prepositions = {fold(word) for word in usages[0].verb.prepositions if word}
    at = next((n for n, part in enumerate(line) if part.folded in prepositions), len(line))
    end = line[at - 1].end
    for noun in words.names(usages[0].verb.prepositions.get(missing[0], ())).nouns:
        if fold(noun.name) not in said:
            added = (Part(Sort.WORD, word, fold(word), end, end) for word in (missing[0], noun.name))
            yield (*line[:at], *added, *line[at:])


def _verb_at(parts: Sequence[Part], at: int, tongue: Tongue) -> tuple[int, tuple[Beginning, ...]]:
    """The verb that stands there, and of how many parts; one that takes any words is none here."""
    for size in range(min(tongue.longest, len(parts) - at), 0, -1):
        typed = " ".join(part.folded for part in parts[at : at + size])
        forms = dict.fromkeys((typed, typed.removesuffix("s"), typed.removesuffix("es"))) if size == 1 else (typed,)
        meant = tuple(
            one
            for form in forms
            for one in (*map(Beginning, tongue.lexicon.verbs.exact(form)), *tongue.verbs.get(form, ()))
        )
        if meant := tuple(
            one
            for one in meant
            if not FREE & {*one.usage.verb.takes} and one.usage.verb.takes != ("number",) and one.turn is None
        ):
            return size, meant
    return 0, ()


def _kept(rest: tuple[Part, ...], beginning: Beginning, tongue: Tongue) -> tuple[Said, ...]:
    """Names, amounts and what joins them, without any other word and without a preposition that leads nowhere."""
    read = _Rest(rest, beginning, tongue)
    said = [one for one in map(read.slip, read.read()) if _names(one) or one.preposition or one.part.sort in _JOINS]
    kept: list[Said] = []
    for at, one in enumerate(said):
        leads = at + 1 < len(said) and _names(said[at + 1])
        if _names(one) or (leads and (one.preposition or (kept and _names(kept[-1])))):
            kept.append(one)
    return tuple(kept)


_SLIP, _SLIPS_FROM = 0.74, 5
"""How like a name a word of so many letters must be that is taken for a slip of the pen."""
_JOINS = frozenset({Sort.COMMA, Sort.AND})


def _verb_named(parts: Sequence[Part], tongues: Sequence[Tongue]) -> Part | None:
    """The verb that is all these parts say, in any language, or a word in capitals: `Hilfe zu PRESS`, `ayuda con mover`."""
    rest = tuple(dropwhile(lambda part: part.sort is Sort.OTHER or part.folded in little().prepositions, parts))
    if not rest or any(part.sort is not Sort.WORD for part in rest):
        return None
    typed, text = (" ".join(words) for words in zip(*((part.folded, part.text) for part in rest), strict=True))
    column, end = rest[0].column, rest[-1].end
    if text.isupper() and len(text) > 1:
        return Part(Sort.QUOTED, f'"{text}"', typed, column, end)
    own = [usage.word for one in tongues for usage in one.lexicon.verbs.exact(typed)]
    meant = [beginning.usage.word for one in tongues for beginning in one.verbs.get(typed, ())]
    word = next(iter((*own, *meant)), "")
    return Part(Sort.QUOTED, f'"{word}"', fold(word), column, end) if word else None


def is_timed(verb: Verb) -> bool:
    """Whether days may be written after a verb."""
    return any({"date", "days", "moment"} & set(kinds) for kinds in (verb.takes, *verb.prepositions.values()))


def _names(said: Said) -> bool:
    return said.noun is not None or said.part.sort not in _PROSE or said.part.folded == "any"


def _taken_apart(parts: Sequence[Part]) -> Iterator[Part]:
    """`l'Algérie` and `d'Algérie` in two, and `+2` without its sign after something else."""
    for part in parts:
        found = _ELIDED.match(part.text) if part.sort is Sort.WORD else None
        before = little().elided.get(found[1].lower()) if found else None
        if found is None or before is None:
            yield part
            continue
        middle = part.column + found.end()
        if before:
            yield Part(Sort.WORD, before, before, part.column, middle)
        rest = part.text[found.end() :]
        yield Part(Sort.WORD, rest, fold(rest), middle, part.end)


def as_wished(parts: Sequence[Part]) -> tuple[int, int]:
    """Where an order begins and ends in a line that says it as a wish: `Could you build 1 fleet for me, please?`"""
    start, end = 0, len(parts)
    while size := _size(parts[start : start + _LONGEST], little().wish):
        start += size
    while start < end and (parts[end - 1].sort in (Sort.COMMA, Sort.OTHER)):
        end -= 1
    while size := _size(parts[max(start, end - _LONGEST) : end][::-1], little().thanks, backwards=True):
        end -= size
        while start < end and parts[end - 1].sort in (Sort.COMMA, Sort.OTHER):
            end -= 1
    return (start, end) if start else (0, len(parts))


def _size(parts: Sequence[Part], words: frozenset[str], backwards: bool = False) -> int:
    """With how many parts one of some words begins, and the comma after it."""
    for size in range(len(parts), 0, -1):
        some = parts[:size][::-1] if backwards else parts[:size]
        if " ".join(part.folded for part in some) in words:
            return size + (len(parts) > size and not backwards and parts[size].sort is Sort.COMMA)
    return 0


def _politely(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Without a please at its beginning or end."""
    for size in (3, 2, 1):
        if len(parts) > size + 2 and " ".join(part.folded for part in parts[:size]) in little().please:
            parts = parts[size:]
        if len(parts) > size + 2 and " ".join(part.folded for part in parts[-size:]) in little().please:
            parts = parts[:-size]
    return parts[:-1] if len(parts) > 1 and parts[-1].sort is Sort.COMMA else parts


def _beginnings(parts: tuple[Part, ...], tongue: Tongue) -> Iterator[tuple[Beginning, Part, tuple[Part, ...]]]:
    """The verbs a line may have, each as a part, with what is left of the line: at its beginning, else at its end, else unsaid."""
    found = list(_at_the_beginning(parts, tongue)) or list(_at_the_end(parts, tongue))
    if found:
        yield from found
    elif tongue.unsaid is not None and any(part.sort is Sort.ARROW for part in parts):
        yield Beginning(tongue.unsaid), _verb(tongue.unsaid.word, parts[:1], 0), parts


def _at_the_beginning(parts: tuple[Part, ...], tongue: Tongue) -> Iterator[tuple[Beginning, Part, tuple[Part, ...]]]:
    for size in range(min(tongue.longest, len(parts)), 0, -1):
        typed = " ".join(part.folded for part in parts[:size])
        own = tongue.lexicon.verbs.exact(typed) or tongue.lexicon.verbs.spelt(typed)
        meant = [*map(Beginning, own), *tongue.verbs.get(typed, ())]
        for one in meant:
            left = len(parts) - one.end.count(" ") - 1 if one.end else len(parts)
            if left >= size and " ".join(part.folded for part in parts[left:]) == one.end:
                yield one, _verb(one.usage.word, parts[:size], size), parts[size:left]
        if meant:
            return


def _at_the_end(parts: tuple[Part, ...], tongue: Tongue) -> Iterator[tuple[Beginning, Part, tuple[Part, ...]]]:
    """`3 Infanterie von Frankreich nach Spanien bewegen`."""
    for size in range(min(tongue.longest, len(parts) - 1), 0, -1):
        typed = " ".join(part.folded for part in parts[-size:])
        for one in tongue.verbs.get(typed, ()):
            if not one.end:
                yield one, _verb(one.usage.word, parts[-size:], size), parts[:-size]


def _verb(word: str, typed: Sequence[Part], size: int) -> Part:
    column = typed[0].column
    return Part(Sort.WORD, word, fold(word), column, typed[-1].end if size else column)


class _Rest:
    """The words after the verb, read from left to right: the longest name first, then amounts, prepositions and little words."""

    def __init__(self, parts: Sequence[Part], beginning: Beginning, tongue: Tongue) -> None:
        self.parts = parts
        self._words: dict[int, list[tuple[int, str]]] = {}
        verb = beginning.usage.verb
        kinds = dict.fromkeys((*verb.takes, *(kind for held in verb.prepositions.values() for kind in held)))
        self.lexicon, self.kinds = tongue.lexicon, verb.prepositions
        self.timed = is_timed(verb)
        self.dated = days_at if "days" in verb.takes else day_at
        self.names = tongue.lexicon.names(tuple(kinds))
        self.taken = tongue.lexicon.names(verb.takes)
        self.prepositions = tongue.prepositions(beginning.usage, beginning.turn)

    def read(self) -> Iterator[Said]:
        i = 0
        while i < len(self.parts):
            if self.timed and (size := self._dated(i)):
                yield from map(Said, self.parts[i : i + size])
                i += size
                continue
            said, size = self._name(i, self.names) or self._amount(i) or self._preposition(i) or self._little(i)
            if said is not None:
                yield said
            i += size

    def slip(self, said: Said) -> Said:
        """An unknown word as the name that it is a slip of: `wrkers`."""
        if _names(said) or said.preposition or said.part.sort is not Sort.WORD or len(said.part.folded) < _SLIPS_FROM:
            return said
        likeness, noun = next(iter(self.names.like(said.part.folded)), (0.0, None))
        if noun is None or likeness < _SLIP:
            return said
        return Said(Part(Sort.WORD, noun.name, fold(noun.name), said.part.column, said.part.end), noun)

    def _dated(self, i: int) -> int:
        """How many parts days take that are written there: `del 24 al 27 de diciembre` holds no preposition."""
        try:
            found = self.dated([part.text for part in self.parts], i)
        except Unclear:
            return 1
        return found[1] if found else 0

    def _typed(self, i: int) -> Sequence[tuple[int, str]]:
        """How many words from part i on, and these; the longest first."""
        if i not in self._words:
            words = takewhile(lambda part: part.sort is Sort.WORD, self.parts[i : i + _LONGEST])
            folded = [part.folded for part in words]
            self._words[i] = [(size, " ".join(folded[:size])) for size in range(len(folded), 0, -1)]
        return self._words[i]

    def _span(self, i: int, size: int) -> tuple[int, int]:
        return self.parts[i].column, self.parts[i + size - 1].end

    def _name(self, i: int, names: Names) -> tuple[Said, int] | None:
        for size, typed in self._typed(i):
            if own := names.exact(typed):
                text = " ".join(part.text for part in self.parts[i : i + size])
                return Said(Part(Sort.WORD, text, typed, *self._span(i, size)), own[0]), size
            if noun := names.said.get(typed) or names.said.get(spelling(typed)):
                return Said(Part(Sort.WORD, noun.name, fold(noun.name), *self._span(i, size)), noun), size
        return None

    def _amount(self, i: int) -> tuple[Said, int] | None:
        for size, typed in self._typed(i)[-4:]:
            if typed in little().measures and (number := self._number(i + size)) is not None:
                return self._measured(i, size + 1, Quantity(little().measures[typed], number)), size + 1
            if typed in little().quantities:
                return self._measured(i, size, little().quantities[typed]), size
            if typed in little().ones and self._name(i + size, self.taken) and not self._leads(i, size, typed):
                return self._measured(i, size, Quantity(Portion.EXACTLY, 1)), size
        return None

    def _leads(self, i: int, size: int, typed: str) -> bool:
        """Whether this is rather a preposition before a name: `gib 2 Stahl an Borealis`."""
        preposition = self.prepositions.get(typed)
        held = self.kinds.get(preposition, ()) if preposition else ()
        return bool(held) and self._name(i + size, self.lexicon.names(held)) is not None

    def _number(self, i: int) -> int | None:
        quantity = self.parts[i].quantity if i < len(self.parts) else None
        return quantity.number if quantity is not None and quantity.portion is Portion.EXACTLY else None

    def _measured(self, i: int, size: int, quantity: Quantity) -> Said:
        text = _AMOUNTS[quantity.portion].format(quantity.number)
        return Said(Part(Sort.QUANTITY, text, text, *self._span(i, size), quantity))

    def _preposition(self, i: int) -> tuple[Said, int] | None:
        if self.parts[i].sort is Sort.ARROW and "to" in self.prepositions:
            return Said(self.parts[i], preposition=self.prepositions["to"]), 1
        for size, typed in self._typed(i)[-4:]:
            if (word := self.prepositions.get(typed)) is not None:
                return Said(Part(Sort.WORD, word, fold(word), *self._span(i, size)), preposition=word), size
        return None

    def _little(self, i: int) -> tuple[Said | None, int]:
        part = self.parts[i]
        for size, typed in self._typed(i)[-3:]:
            after = {part.sort for part in self.parts[i + size : i + size + 1]}
            if typed in little().joints and after & {Sort.WORD, Sort.QUANTITY}:
                return Said(Part(Sort.AND, "and", "and", *self._span(i, size))), size
            if typed in little().anything:
                return Said(Part(Sort.WORD, "any", "any", *self._span(i, size))), size
            if typed in little().articles and after:
                return None, size
        return Said(part), 1


_AMOUNTS = {
    Portion.EXACTLY: "{}",
    Portion.ALL: "all",
    Portion.HALF: "half",
    Portion.UP_TO: "up to {}",
    Portion.ALL_BUT: "all but {}",
}


# ---------------------------------------------------------------- the order of a line


def _in_order(said: tuple[Said, ...], beginning: Beginning) -> tuple[Part, ...]:
    if beginning.turn is not None:
        said = _turned(said, beginning.turn.under, beginning.turn.things)
    return tuple(one.part for one in _with_ones(_with_from(said, beginning), beginning))


def _turned(said: tuple[Said, ...], under: str, things: str) -> tuple[Said, ...]:
    """The first thing goes under its preposition, and the one after `things` goes first."""
    runs: list[list[Said]] = [[]]
    for one in said:
        if one.preposition:
            runs.append([])
        runs[-1].append(one)
    first, *others = runs
    taken = [run[1:] for run in others if run[0].preposition == things]
    kept = [one for run in others if run[0].preposition != things for one in run]
    at = first[0].part.column if first else 0
    head = Said(Part(Sort.WORD, under, fold(under), at, at), preposition=under)
    return (*(one for run in taken for one in run), *kept, *((head, *first) if first else ()))


def _with_from(said: tuple[Said, ...], beginning: Beginning) -> tuple[Said, ...]:
    """`3 inf Germany -> Prussia`: the place before the arrow is where from."""
    verb = beginning.usage.verb
    if "FROM" not in verb.needs or any(one.preposition == "FROM" for one in said):
        return said
    arrow = next((i for i, one in enumerate(said) if one.part.sort is Sort.ARROW), 0)
    place = said[arrow - 1] if arrow else None
    if place is None or place.noun is None or place.noun.kind not in verb.prepositions["FROM"]:
        return said
    at = place.part.column
    return (*said[: arrow - 1], Said(Part(Sort.WORD, "FROM", "from", at, at), preposition="FROM"), *said[arrow - 1 :])


def _with_ones(said: tuple[Said, ...], beginning: Beginning) -> Iterator[Said]:
    """`3 inf, 2 cav + general`: beside things that are counted, one name in the singular is one."""
    row = takewhile(lambda one: not one.preposition, said)
    counts = any(one.part.sort is Sort.QUANTITY for one in row)
    for before, one in zip((None, *said), said, strict=False):
        alone = before is None or before.part.sort is not Sort.QUANTITY
        if counts and alone and one.noun is not None and one.noun.kind in beginning.usage.verb.takes and _is_one(one):
            at = one.part.column
            yield Said(Part(Sort.QUANTITY, "1", "1", at, at, Quantity(Portion.EXACTLY, 1)))
        yield one


def _is_one(said: Said) -> bool:
    name = fold(said.noun.name) if said.noun and not said.noun.numbered else ""
    return said.part.folded != name and plural(said.part.folded) == name


def with_own_names(parts: Sequence[Part], names: Names) -> tuple[Part, ...]:
    """Parts with the names in other languages as the vocabulary has them; all else as it stands."""
    found, i = list[Part](), 0
    while i < len(parts):
        for size in range(min(_LONGEST, len(parts) - i), 0, -1):
            typed = " ".join(part.folded for part in parts[i : i + size])
            own, noun = names.exact(typed), names.said.get(typed)
            if own or noun:
                break
        whole = parts[i : i + size]
        column, end = whole[0].column, whole[-1].end
        found += whole if own or noun is None else [Part(Sort.WORD, noun.name, fold(noun.name), column, end)]
        i += size
    return tuple(found)
