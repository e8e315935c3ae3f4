"""An order declared once. Vocabulary, binding, lines, HELP, forms, choices and random players follow from the declarations."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from operator import is_
from typing import Any, ClassVar, Generic, Self, TypeVar

import msgspec
from msgspec.structs import replace

from referee.core.choices import Asking, Nothing, Pick, Picked, Step, after, either, every, walk
from referee.core.game import Reasoned
from referee.core.names import Seat
from referee.core.order import Clause, Illegal, Intent, Order, Portion, Singulars, Thing, Verb, bare, write
from referee.core.table import Table
from referee.kit.fields import Field, Said
from referee.kit.refused import Refused

S = TypeVar("S")
T = TypeVar("T")
W = TypeVar("W")

AT_ONCE = "at once"
"""The phase of orders that are done when the letter is read."""

Ahead = Callable[[str], W]
"""The position in which an order of a verb is carried out, as far as it can be foreseen."""

_LOOKED_AT, _OFFERED = 40, 3
"""So many lawful lines are compared with a refused one; so many at most are offered instead of it."""


class Words(msgspec.Struct, frozen=True):
    """The verb, what it does, its rule, a line for a player without a position ({other}: another seat), other spellings.

    The game fills in the braces of the example. `apart`: each of its things is a wish by itself (Verb).
    """

    verb: str
    meaning: str
    rule: str
    example: str
    aliases: tuple[str, ...] = ()
    apart: bool = False


class Plain(msgspec.Struct, frozen=True):
    """An order as a page offers it to a player who taps a piece, in plain words; the verb itself where there is no better word.

    `rank`: 1 is done first of all, 0 is seldom done. `theme` is where it stands among what lies nowhere on the map. `most`: of
    what is counted most would take all. `then` are verbs of orders that go together with it, given where it leads to. `named`: it
    is called by what is chosen in it (Farm, Gold), not by its verb.
    """

    word: str = ""
    rank: int = 0
    theme: str = ""
    most: bool = False
    then: tuple[str, ...] = ()
    named: bool = False


class Declared(Intent, Generic[W], frozen=True, dict=True):
    """An order: its words, its fields in the order written, its meaning with blanks, what is lawful of it, its phase.

    Choices ask for the fields that are named in `asks_first` before the others. A random player leaves it out one time in `rare`
    (0: never, 1: always). `shapes` are other orders that a sentence of the
    verb may mean: `read` and `choices` make them too, and the vocabulary takes what belongs to them.
    """

    words: ClassVar[Words]
    plain: ClassVar[Plain] = Plain()
    fields: ClassVar[tuple[Field[Any], ...]]
    says: ClassVar[str]
    phase: ClassVar[str]
    asks_first: ClassVar[tuple[str, ...]] = ()
    rare: ClassVar[int] = 2
    shapes: ClassVar[tuple[type[Declared[Any]], ...]] = ()

    def do_at_once(self, table: Table[W], seat: Seat) -> None:
        """Carry out what does not wait for a turn; nothing happens where the table has changed since the letter was read."""
        raise NotImplementedError(type(self).__name__)

    @classmethod
    def choices(cls, state: W, seat: Seat) -> Asking[Declared[W]]:
        """Ask step by step what of it makes sense now, the usual first; the order at the end. Raises Nothing.

        A shape with a verb of its own is chosen under that. An order writes its own choices only where what is sensible differs
        from what its fields offer and is `lawful`.
        """
        kinds = [cls, *[shape for shape in cls.shapes if shape.words.verb == cls.words.verb]]
        scripts = [asked(kind, state, seat) for kind in kinds]
        return either(scripts) if len(kinds) > 1 else scripts[0]

    def but(self, **changes: Any) -> Self:
        """The same order with these parts changed."""
        return replace(self, **changes)

    def check(self, state: W, seat: Seat) -> None:
        """Raises Refused where it is not allowed."""

    def lawful(self, state: W, seat: Seat) -> bool:
        """Whether it can be carried out in this position."""
        return allowed(self, state, seat)

    def sensible(self, state: W, seat: Seat) -> bool:
        """Whether a lawful order has any use, so that it is offered."""
        return True

    @classmethod
    def proposed(cls, state: W, seat: Seat) -> Iterable[Declared[W]]:
        """The orders that the form shows: the usual one."""
        usual = walk(cls.choices(state, seat), lambda step: step.usual)
        return () if usual is None else (usual,)

    @classmethod
    def advice(cls, state: W, seat: Seat) -> tuple[str, bool]:
        """The heading of its lines in the form, and whether they stand there ready to be sent."""
        return "", False

    def meaning(self) -> str:
        return self.says.format(**{field.name: field.say(field.of(self)) for field in self.fields})

    def order(self, state: W) -> Order:
        """The sentence that says it; what that binds to is this order."""
        said = [clause for field in self.fields for clause in field.clauses(field.of(self), state)]
        parts = [Clause("", ())]
        for clause in sorted(said, key=lambda clause: clause.preposition != ""):
            if clause.preposition == parts[-1].preposition:
                parts[-1] = Clause(clause.preposition, parts[-1].things + clause.things)
            else:
                parts.append(clause)
        return Order(self.words.verb, parts[0].things, tuple(parts[1:]))

    @classmethod
    def read(cls, said: Said) -> Declared[W]:
        """The mirror of `order`: this order, or one of its shapes. Raises Refused."""
        return cls.made(said)

    @classmethod
    def made(cls, said: Said) -> Self:
        """This order, of what its fields read. Raises Refused."""
        make: Any = cls
        got: dict[str, Any] = {}
        for field in cls.fields:
            got |= field.parts(field.read(replace(said, got=got)))
        _none_dropped(cls, said.order)
        order: Self = make(**got)
        return order

    @classmethod
    def verb(cls, **about: str) -> Verb:
        """Its entry in the vocabulary; the example speaks of what it is told."""
        heads = [field for field in cls.fields if not field.under]
        kinds = tuple(dict.fromkeys(kind for head in heads for kind in head.kinds))
        most = None if any(head.most is None for head in heads) else sum(head.most or 0 for head in heads)
        places: dict[str, tuple[str, ...]] = {}
        for field in (field for kind in (cls, *cls.shapes) for field in kind.fields):
            for word, takes in field.prepositions().items():
                places[word] = tuple(dict.fromkeys((*places.get(word, ()), *takes)))
        needs = tuple(field.under for field in cls.fields if field.under and field.needed)
        least, said = sum(head.needed for head in heads), cls.words
        example = said.example.format(**about)
        return Verb(
            said.verb,
            said.meaning,
            example,
            said.rule,
            kinds,
            least,
            most,
            places,
            needs,
            said.aliases,
            apart=said.apart,
        )


# ---------------------------------------------------------------- choices, found from the fields and from what is lawful


def once_a_position(
    keep: int = 1, parts: Callable[[Any], tuple[object, ...]] = lambda position: (position,)
) -> Callable[[Callable[[S], T]], Callable[[S], T]]:
    """A function that remembers what it made of the last so many positions: all readers of one ask for the same.

    Positions that share the very `parts` it looks at are one.
    """

    def remembering(make: Callable[[S], T]) -> Callable[[S], T]:
        last: tuple[tuple[tuple[object, ...], T], ...] = ()  # replaced whole: threads may ask at the same time

        def made(position: S) -> T:
            nonlocal last
            looked_at = parts(position)
            for known, value in last:
                if len(known) == len(looked_at) and all(map(is_, known, looked_at)):
                    return value
            value = make(position)
            last = ((looked_at, value), *last[: keep - 1])
            return value

        return made

    return remembering


class _Tried(msgspec.Struct):
    """All that was tried in a position: parts that lead to a lawful order, steps after their answers, scripts that stand there."""

    judged: dict[Hashable, bool] = {}
    steps: dict[Hashable, Step] = {}
    scripts: dict[Hashable, Asking[Any]] = {}


@once_a_position(8)
def _tried(state: Any) -> _Tried:
    return _Tried()


_MOST_JUDGED, _MOST_STEPS = 50_000, 1_000

Wanted = TypeVar("Wanted", bound="Declared[Any]")


def asked(order: type[Wanted], state: Any, seat: Seat) -> Asking[Wanted]:
    """Ask for the fields of an order in turn, for nothing that leads nowhere. Raises Nothing where nothing leads anywhere.

    A script that is asked for its next step goes on where it stood, and does not begin at its first.
    """
    tried, path = _tried(state), tuple[Any, ...]((order, seat))
    while True:
        step = tried.steps.get(path)
        if step is None:
            script = tried.scripts.pop(path[:-1], None)
            try:
                if script is not None:
                    step = script.send(path[-1])
                else:
                    script = _asked(order, state, seat, tried.judged)
                    step = next(script)
                    for picked in path[2:]:
                        step = script.send(picked)
            except StopIteration as done:
                found: Wanted = done.value
                return found
            if len(tried.steps) > _MOST_STEPS:
                tried.steps.clear()
                tried.scripts.clear()
            tried.steps[path], tried.scripts[path] = step, script
        path = (*path, (yield step))


def _asked(order: type[Wanted], state: Any, seat: Seat, judged: dict[Hashable, bool]) -> Asking[Wanted]:
    got: dict[str, Any] = {}
    fields = sorted(order.fields, key=lambda field: field.name not in order.asks_first)
    for place, field in enumerate(fields):

        def leads(value: Any, field: Field[Any] = field, rest: Sequence[Field[Any]] = fields[place + 1 :]) -> bool:
            if field.free:
                return True
            parts = {**got, **field.parts(value)}
            said = [tuple(each.items()) if isinstance(each, dict) else each for each in parts.values()]
            key = (order, seat, len(rest), *said)
            found = judged.get(key)
            if found is None:
                if len(judged) > _MOST_JUDGED:
                    judged.clear()
                found = judged[key] = _reached(order, state, seat, parts, rest)
            return found

        got.update(field.parts((yield from field.asked(state, seat, got, leads))))
    if not _reached(order, state, seat, got, ()):  # where no field was asked for
        raise Nothing
    return order(**got)


def _reached(order: type[Wanted], state: Any, seat: Seat, got: Mapping[str, Any], fields: Sequence[Field[Any]]) -> bool:
    """Whether these parts are those of a lawful order, however the other fields are filled in."""
    if not fields:
        whole = order(**got)
        return whole.lawful(state, seat) and whole.sensible(state, seat)
    field, *rest = fields
    for choice in field.offers(state, seat, got):
        if _reached(order, state, seat, {**got, **field.parts(choice.value)}, rest):
            return True
    return False


# ---------------------------------------------------------------- how a step may be answered


def shown(step: Step) -> Picked:
    """A little of everything, so that an example shows all that can be said."""
    if step.counts:
        return (str(min(max(step.least, 1) + 1, step.most)),)
    words = [choice.word for choice in step.choices]
    return tuple(dict.fromkeys((*words[: min(2, step.most)], *(words[-1:] if step.most > 1 else ()))))[: step.most]


def at_random(pick: Pick, habit: int = 2) -> Callable[[Step], Picked]:
    """Any of the choices; the usual one time in `habit` (0: never more often than another)."""

    def answer(step: Step) -> Picked:
        if habit and pick(habit) == 0:
            return step.usual
        left = [choice.word for choice in step.choices]
        if step.counts:
            number = str(step.least + pick(step.most - step.least + 1))
            return ([number, *left][pick(1 + len(left))],)
        wanted = step.least + pick(step.most - step.least + 1)
        return tuple(left.pop(pick(len(left))) for _ in range(wanted))

    return answer


_NEVER_COUNTED = frozenset({"side", "country", "foe", "region", "sea", "city", "numbered", "numbered fleet"})
"""Kinds of which there is one of each name."""


def _is_counted(thing: Thing) -> bool:
    number = thing.quantity
    return thing.kind in _NEVER_COUNTED and number is not None and number.portion is not Portion.ALL


def _uncounted(things: tuple[Thing, ...]) -> tuple[Thing, ...]:
    return tuple(replace(thing, quantity=None) if thing.kind in _NEVER_COUNTED else thing for thing in things)


def _none_dropped(kind: type[Declared[Any]], order: Order) -> None:
    """Raises Refused where more stands after a preposition than the fields of an order take."""
    for word in dict.fromkeys(clause.preposition for clause in order.clauses):
        things, takes = order.after(word), [field.most for field in kind.fields if word in field.prepositions()]
        most = sum(len(things) if one is None else one for one in takes)
        if len(things) > most:
            many = ("nothing", "one thing")[most] if most < 2 else f"{most} things"
            raise Refused(f"{order.verb} takes {many} after {word}.", kind.words.rule, things[most].name)


# ---------------------------------------------------------------- all orders of a game


class Book(Generic[W]):
    """The orders of a game, and what follows from them."""

    def __init__(self, orders: Iterable[type[Declared[W]]], singulars: Singulars) -> None:
        self.orders: dict[str, type[Declared[W]]] = {}
        self._singulars = singulars
        self._by_phases: dict[tuple[str, ...], tuple[type[Declared[W]], ...]] = {}
        for order in orders:
            for shape in (order, *order.shapes):
                names, has = tuple(name for field in shape.fields for name in field.names), shape.__struct_fields__
                if set(names) != set(has):
                    raise TypeError(f"{shape.__name__} has the fields {has} and declares {names}")
            if order.words.verb in self.orders:
                raise TypeError(f"{order.__name__} is declared under {order.words.verb}, as is another")
            self.orders[order.words.verb] = order
        self._verbs: dict[type[Intent], str] = {}
        """The verb of each order, and of each shape of one that is declared under no verb of its own."""
        for verb, order in self.orders.items():
            for shape in order.shapes:
                self._verbs.setdefault(shape, verb)
            self._verbs[order] = verb

    @property
    def intents(self) -> tuple[type[Intent], ...]:
        return tuple(dict.fromkeys(kind for order in self.orders.values() for kind in (order, *order.shapes)))

    def kinds_of(self, *phases: str) -> tuple[type[Declared[W]], ...]:
        """The orders that are carried out in these phases."""
        if phases not in self._by_phases:
            self._by_phases[phases] = tuple(order for order in self.orders.values() if order.phase in phases)
        return self._by_phases[phases]

    def verbs_of(self, *phases: str) -> tuple[str, ...]:
        """The verbs that are carried out in these phases."""
        return tuple(order.words.verb for order in self.kinds_of(*phases))

    def verb(self, word: str, **about: str) -> Verb:
        """The entry of one verb in the vocabulary."""
        return self.orders[word].verb(**about)

    def verbs(self, **about: str) -> tuple[Verb, ...]:
        """Their entries in the vocabulary; examples speak of what they are told."""
        return tuple(order.verb(**about) for order in self.orders.values())

    def verb_of(self, intent: Intent) -> str:
        """The verb that an order is declared under. Raises KeyError for one of another book."""
        return self._verbs[type(bare(intent))]

    # -------------------------------------------------------- read and written

    def bind(self, state: W, seat: Seat, order: Order) -> Intent | Illegal:
        """The meaning of a sentence, or why it is not allowed."""
        try:
            bound = self.read(state, seat, order)
            bound.check(state, seat)
        except Refused as refusal:
            illegal = refusal.illegal
            return replace(illegal, instead=illegal.instead or tuple(self._by_another_verb(state, seat, order)))
        return bound

    def read(self, state: W, seat: Seat, order: Order) -> Declared[W]:
        """The meaning of a sentence, allowed or not. Nothing that is written is dropped. Raises Refused."""
        meant = self.orders[order.verb].read(Said(order, state, seat))
        rows = (order.things, *(clause.things for clause in order.clauses))
        counted = next((thing for row in rows for thing in row if _is_counted(thing)), None)
        if counted is not None:
            clauses = tuple(replace(clause, things=_uncounted(clause.things)) for clause in order.clauses)
            instead = write(replace(order, things=_uncounted(order.things), clauses=clauses), self._singulars)
            why = f"{order.verb} takes no number before {counted.name}."
            raise Refused(why, meant.words.rule, counted.name, (instead,))
        return meant

    def line(self, state: W, intent: Intent) -> str:
        """An order as a player writes it."""
        order = bare(intent)
        assert isinstance(order, Declared)
        return write(order.order(state), self._singulars)

    # -------------------------------------------------------- what is lawful now

    def asking(self, ahead: Ahead[W], seat: Seat, verb: str) -> Asking[Declared[W]]:
        """The script that asks for an order of a verb."""
        return self.orders[verb].choices(ahead(verb), seat)

    def offered(self, ahead: Ahead[W], seat: Seat, verb: str) -> Iterator[Declared[W]]:
        """Orders of a verb that single choices lead to, the usual first; each is allowed."""
        kind, state = self.orders[verb], ahead(verb)
        for order in every(lambda so_far: after(kind.choices(state, seat), so_far)):
            if allowed(order, state, seat):
                yield order

    def nearest(self, ahead: Ahead[W], seat: Seat, order: Order) -> tuple[str, ...]:
        """Lawful lines of the same verb that differ from a refused one in one part: a YES takes the first, so none is a guess.

        Not part of `bind`: it looks at all the position.
        """
        if order.verb not in self.orders:
            return ()
        state = ahead(order.verb)
        with suppress(Refused):
            refused = self.read(state, seat, order)
            found = islice(self.offered(ahead, seat, order.verb), _LOOKED_AT)
            alike = (one for one in found if _differs_in_one(one, refused))
            return tuple(self.line(state, one) for one in islice(alike, _OFFERED))
        return ()

    def _by_another_verb(self, state: W, seat: Seat, order: Order) -> Iterator[str]:
        """The same number by the verb that takes the noun: BUILD 2 armies is RAISE 2 armies.

        Only among verbs that take so many of a noun and no more, for those all bring it: OFFER 1 worker is not HIRE 1 worker.
        """
        if order.clauses or len(order.things) != 1 or _counted_alone(self.orders[order.verb]) is None:
            return
        for verb, kind in self.orders.items():
            head = _counted_alone(kind)
            if head is not None and verb != order.verb and order.things[0].kind in head.kinds:
                with suppress(Refused):
                    found = kind.read(Said(Order(verb, order.things), state, seat))
                    found.check(state, seat)
                    yield self.line(state, found)

    # -------------------------------------------------------- examples, forms, random players

    def examples(self, ahead: Ahead[W], seat: Seat) -> dict[str, str]:
        """A line from this position for every verb it has one for."""
        found = ((verb, walk(order.choices(ahead(verb), seat), shown)) for verb, order in self.orders.items())
        return {verb: self.line(ahead(verb), order) for verb, order in found if order is not None}

    def form(
        self, ahead: Ahead[W], seat: Seat, verbs: Iterable[str], sound: Sequence[Reasoned] | None = None
    ) -> Iterator[str]:
        """Lines to be edited and sent back, each with its advice; of a sound turn each with its reason, and all else as advice."""
        for verb in verbs:
            kind, state = self.orders[verb], ahead(verb)
            head, ready = kind.advice(state, seat)
            yield from (f"# {line}" for line in head.splitlines())
            mine = [one for one in sound or () if self.verb_of(one.order) == verb]
            for one in mine:
                yield from (f"# {one.why}", self.line(state, one.order))
            if not mine:
                mark = "" if ready and sound is None else "# "
                yield from (f"{mark}{self.line(state, order)}" for order in kind.proposed(state, seat))

    def suggest(self, ahead: Ahead[W], seat: Seat, verbs: Iterable[str], pick: Pick) -> Iterator[Intent]:
        """The orders of these verbs that a player who chooses at random would write."""
        for verb in verbs:
            kind = self.orders[verb]
            if not (kind.rare and pick(kind.rare) == 0):
                order = walk(kind.choices(ahead(verb), seat), at_random(pick))
                if order is not None:
                    yield order


def _counted_alone(kind: type[Declared[Any]]) -> Field[Any] | None:
    """The field of an order that takes so many of a noun, where it must have no other."""
    head = next((field for field in kind.fields if field.counts and not field.under), None)
    return None if any(field.needed for field in kind.fields if field is not head) else head


def allowed(order: Declared[W], state: W, seat: Seat) -> bool:
    """Whether an order passes its check."""
    try:
        order.check(state, seat)
    except Refused:
        return False
    return True


def _differs_in_one(one: Declared[W], other: Declared[W]) -> bool:
    return type(one) is type(other) and sum(field.of(one) != field.of(other) for field in one.fields) <= 1
