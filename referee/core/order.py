"""An order as a value: what the grammar reads by the words of a game, what the game binds, what is printed back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import ClassVar, Generic, TypeVar

import msgspec

from referee.core.normal_text import fold
from referee.core.older_data import Upcaster


class Portion(Enum):
    """How a quantity is meant."""

    EXACTLY = "exactly"
    UP_TO = "up to"
    ALL = "all"
    ALL_BUT = "all but"
    HALF = "half"

    __hash__ = object.__hash__
    """That of Enum runs in Python, and choices hash many quantities."""


class Quantity(msgspec.Struct, frozen=True):
    """How many: `3`, `up to 3`, `all`, `all but 2`, `half`. `number` counts only where the portion needs it."""

    portion: Portion
    number: int = 0

    def of(self, held: int) -> int:
        """How many of `held` are meant. EXACTLY may exceed `held`: refusing that is the game's business."""
        match self.portion:
            case Portion.EXACTLY:
                return self.number
            case Portion.UP_TO:
                return min(self.number, held)
            case Portion.ALL:
                return held
            case Portion.ALL_BUT:
                return max(0, held - self.number)
            case Portion.HALF:
                return held // 2


class Thing(msgspec.Struct, frozen=True):
    """Something named in an order. `name` is the vocabulary's canonical spelling, `kind` the noun's kind.

    Kinds the language itself knows: `text` (quoted), `number` (bare; the value is in `quantity`), `hex`
    (name "c12r7"). All other kinds come from the vocabulary.
    """

    kind: str
    name: str
    quantity: Quantity | None = None

    def count(self, otherwise: int = 1) -> int:
        """The exact number given, or `otherwise` when none was."""
        return self.quantity.number if self.quantity is not None else otherwise


class Clause(msgspec.Struct, frozen=True):
    """A preposition and what it governs, such as FROM Egypt. Arrows are read as TO."""

    preposition: str
    things: tuple[Thing, ...]


class Order(msgspec.Struct, frozen=True):
    """One sentence with every word resolved against a vocabulary."""

    verb: str
    things: tuple[Thing, ...] = ()
    clauses: tuple[Clause, ...] = ()

    def after(self, preposition: str) -> tuple[Thing, ...]:
        """All things governed by this preposition, in the order written."""
        found: tuple[Thing, ...] = ()
        for clause in self.clauses:
            if clause.preposition == preposition:
                found = found + clause.things if found else clause.things
        return found

    def words_after(self, preposition: str) -> str:
        """The words after a preposition, "" if it was not written."""
        return ", ".join(thing.name for thing in self.after(preposition))


class Comparison(Enum):
    """How a predicate compares."""

    LESS = "<"
    AT_MOST = "<="
    EQUAL = "="
    AT_LEAST = ">="
    MORE = ">"
    UNEQUAL = "<>"


class Predicate(msgspec.Struct, frozen=True, tag=True):
    """One test of the position: `Blue CONTROLS Egypt`, `fleets IN Red Sea >= 2`, `CONFIDENCE < 6`."""

    verb: str
    subject: tuple[Thing, ...] = ()
    things: tuple[Thing, ...] = ()
    clauses: tuple[Clause, ...] = ()
    comparison: Comparison | None = None
    number: int | None = None


class Not(msgspec.Struct, frozen=True, tag=True):
    """The condition does not hold."""

    term: Condition


class All(msgspec.Struct, frozen=True, tag=True):
    """Every term holds (AND)."""

    terms: tuple[Condition, ...]


class Any(msgspec.Struct, frozen=True, tag=True):
    """At least one term holds (OR)."""

    terms: tuple[Condition, ...]


Condition = Predicate | Not | All | Any


class Intent(msgspec.Struct, frozen=True, tag=True):
    """A lawful order as its game understands it: what will be tried when the turn runs.

    A sheet that ends with an order of a class that `closes` runs as soon as it is read, without time to change one's mind;
    where it `goes_on` it is a part of what its player orders, who is asked for more. `formerly` as of an event.
    """

    closes: ClassVar[bool] = False
    goes_on: ClassVar[bool] = False
    formerly: ClassVar[Mapping[str, Upcaster]] = {}

    def meaning(self) -> str:
        """The effect of the order in plain words, for the receipt."""
        raise NotImplementedError(type(self).__name__)


class Hinge(msgspec.Struct, frozen=True):
    """The condition of an order: the IF with this number in its sheet, and how its condition must be answered."""

    block: int
    condition: Condition
    holds: bool


Hung = TypeVar("Hung")


class Under(Intent, Generic[Hung], frozen=True):
    """An order that stands under one or more IFs, the outermost first. They are judged when it comes to be carried out."""

    hinges: tuple[Hinge, ...]
    order: Hung

    def meaning(self) -> str:
        return bare(self).meaning()


def bare(intent: Intent) -> Intent:
    """An order without the IFs it stands under."""
    order = intent.order if isinstance(intent, Under) else intent
    assert isinstance(order, Intent)
    return order


def due(
    sheet: Iterable[Intent], holds: Callable[[Condition], bool], judged: dict[int, bool] | None = None
) -> Iterator[Intent]:
    """The orders that are to be carried out, one after the other; an IF is judged when the first order under it comes.

    `judged` remembers how, so that one branch of it is carried out and never both.
    """
    known: dict[int, bool] = {} if judged is None else judged
    for intent in sheet:
        if not isinstance(intent, Under):
            yield intent
        elif all(_answered(hinge, holds, known) for hinge in intent.hinges):
            yield intent.order


def _answered(hinge: Hinge, holds: Callable[[Condition], bool], known: dict[int, bool]) -> bool:
    if hinge.block not in known:
        known[hinge.block] = holds(hinge.condition)
    return known[hinge.block] is hinge.holds


class Refusal(msgspec.Struct, frozen=True):
    """Why a line was not taken. `at` is the offending word, `instead` corrected lines a YES would accept."""

    sentence: str
    rule: str = ""
    at: str = ""
    instead: tuple[str, ...] = ()


class Invalid(Refusal, frozen=True):
    """Not understood; `wanted` are the kinds of thing of which one was to stand there."""

    wanted: tuple[str, ...] = ()


class Illegal(Refusal, frozen=True):
    """Understood and not allowed; the rule is cited."""


class Ambiguous(Refusal, frozen=True):
    """Several readings; all are shown in `instead`."""


class Doubt(msgspec.Struct, frozen=True):
    """Lawful, but it may not do what the player hopes. `undone`: as things stand an order is not carried out, or not wholly.

    `loss`: somebody dies or goes, or something is wasted, that another sheet would keep. `instead`: what would be done.
    """

    sentence: str
    rule: str = ""
    undone: bool = False
    loss: bool = False
    instead: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The sentence, and the first of what would be done instead."""
        return f"{self.sentence} Instead: {self.instead[0]}." if self.instead else self.sentence


# ---------------------------------------------------------------- printing
# Orders and conditions -> text, in the canonical form that reads back as the same value.


_WORD = "[^\\W_](?:[\\w'/]|[-.](?=\\w)|[.](?= ))*"
_PLAIN = re.compile(rf"(?=[^\W\d_]){_WORD}(?: {_WORD})*")
_LOOKS = re.compile(r"c[0-9]+r[0-9]+", re.IGNORECASE)
_CONJUNCTIONS = frozenset({"and", "or", "not", "then"})
_OPENING = frozenset({"all", "any", "anything", "everything", "half", "the", "up"})
_PREPOSITIONS = frozenset({"against", "as", "at", "because", "between", "by", "during", "for", "from", "in", "into"})
_MORE = frozenset(
    {"of", "off", "on", "out", "over", "per", "through", "to", "under", "until", "via", "with", "without"}
)
_FIRST = _OPENING | _PREPOSITIONS | _MORE
"""Words that mean something else where a name begins, so such a name is quoted."""

Singulars = Mapping[tuple[str, str], str]
"""The singular of names that are plurals, by kind and name."""

_NONE: Singulars = {}


def write(order: Order, singulars: Singulars = _NONE) -> str:
    """The order as one line; after a 1 the singular stands of every name that has one."""
    clauses = (_clause(clause, singulars) for clause in order.clauses)
    return " ".join(filter(None, (order.verb, _list(order.things, singulars), *clauses)))


def _clause(clause: Clause, singulars: Singulars = _NONE) -> str:
    return f"{clause.preposition} {_list(clause.things, singulars)}".rstrip()


def _list(things: Sequence[Thing], singulars: Singulars = _NONE) -> str:
    return "".join(_after(before, thing, singulars) for before, thing in zip((None, *things), things, strict=False))


def _after(previous: Thing | None, thing: Thing, singulars: Singulars) -> str:
    """A thing with what parts it from the one before: a comma, or nothing after a word such as a match's name."""
    if previous is None:
        return _thing(thing, singulars)
    return f" {_thing(thing, singulars)}" if previous.kind == "word" else f", {_thing(thing, singulars)}"


def _thing(thing: Thing, singulars: Singulars) -> str:
    if thing.kind == "text":
        return _quoted(thing.name)
    if thing.kind == "number" and thing.quantity is not None:
        return _quantity(thing.quantity)
    if thing.kind in ("hex", "duration", "moment", "date", "days", "address"):
        return thing.name
    one = thing.quantity is not None and thing.quantity.number == 1
    name = singulars.get((thing.kind, thing.name), thing.name) if one else thing.name
    name = name if thing.kind == "any" or _is_plain(name) else _quoted(name)
    return f"{_quantity(thing.quantity)} {name}" if thing.quantity is not None else name


def _quantity(quantity: Quantity) -> str:
    match quantity.portion:
        case Portion.EXACTLY:
            return str(quantity.number)
        case Portion.UP_TO | Portion.ALL_BUT:
            return f"{quantity.portion.value} {quantity.number}"
        case Portion.ALL | Portion.HALF:
            return str(quantity.portion.value)


def _is_plain(name: str) -> bool:
    """Whether the name reads back as itself without quotation marks."""
    words = fold(name).split()
    if _PLAIN.fullmatch(name) is None or _LOOKS.fullmatch(name):
        return False
    return _CONJUNCTIONS.isdisjoint(words) and words[0] not in _FIRST


def _quoted(text: str) -> str:
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else f"\\u{{{ord(character):x}}}"


def write_condition(condition: Condition) -> str:
    """The condition as it stands after IF."""
    match condition:
        case Predicate():
            said = (_list(condition.subject), condition.verb, _list(condition.things), *map(_clause, condition.clauses))
            test = () if condition.comparison is None else (condition.comparison.value, str(condition.number))
            return " ".join(filter(None, (*said, *test)))
        case Not(term):
            return f"NOT {_enclosed(term, Predicate, Not)}"
        case All(terms):
            return " AND ".join(_enclosed(term, Predicate, Not) for term in terms)
        case Any(terms):
            return " OR ".join(_enclosed(term, Predicate, Not, All) for term in terms)


def _enclosed(term: Condition, *bare: type[Condition]) -> str:
    return write_condition(term) if isinstance(term, bare) else f"({write_condition(term)})"


# ---------------------------------------------------------------- the words of a game
# Data from which the binder, HELP and every "did you mean" are made.


class Verb(msgspec.Struct, frozen=True):
    """A verb of the order language.

    `takes` lists the noun kinds of its things (empty: it takes none), `prepositions` maps each preposition it may carry to the
    kinds allowed there, `needs` those it must carry. `example` is a lawful line. `spoken` are words that people use instead of
    it, in whatever language: read where nothing else is understood.

    `apart`: each of its things is a wish by itself, so that those that are understood are taken where others are not. `whole`:
    it is read as it is spelt alone, neither cut short nor guessed, for what nobody should ask for by mistake. `ways` are those
    of its prepositions that are the answers to one question, as novice and steady: who writes another word there is told them.
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
    ways: tuple[str, ...] = ()


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

    The things after the words stand `under` that preposition of the verb, and those after `things` are the verb's own.
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
