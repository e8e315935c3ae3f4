"""An order as a value: what the grammar reads, what a game binds, what is printed back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from typing import ClassVar, Generic, TypeVar

import msgspec

from referee.core.former import Upcaster


class Portion(Enum):
    """How a quantity is meant."""

    EXACTLY = "exactly"
    UP_TO = "up to"
    ALL = "all"
    ALL_BUT = "all but"
    HALF = "half"


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
        """What stands after a preposition, "" where it was not written."""
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
        """What the order will do, in plain words, for the receipt."""
        raise NotImplementedError(type(self).__name__)


class Hinge(msgspec.Struct, frozen=True):
    """What an order hangs on: the IF with this number in its sheet, and how its condition must be answered."""

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
    """Not understood."""


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
