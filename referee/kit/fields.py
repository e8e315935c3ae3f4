"""The parts of an order: each is read from a sentence, written into one, and said in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

import msgspec

from referee.core.choices import ALL, Asking, Choice, most_that, number, one, quantity, several
from referee.core.names import Seat
from referee.core.order import Clause, Order, Portion, Quantity, Thing
from referee.kit.refused import Refused
from referee.kit.wording import counted, stock_in_words

V = TypeVar("V")

ANY = "any"

Got = Mapping[str, Any]
"""The parts of an order that were read or chosen before, by name."""

Among = Callable[[Any, Seat, Got], Iterable[Choice[V]]]
"""The values that a part may have in a position, for a seat, beside the parts before it; the usual first."""

Held = Callable[[Any, Seat, Got], V]
"""How much there can be at most of what is counted, likewise."""

Leads = Callable[[V], bool]
"""Whether a value leads to a lawful order."""


class Said(msgspec.Struct, frozen=True):
    """A sentence that is being read: whose it is, in which position, and what of it has been read so far."""

    order: Order
    state: Any
    seat: Seat
    got: Got = {}

    def after(self, preposition: str) -> tuple[Thing, ...]:
        """The things under a preposition; those of the verb itself where it is empty."""
        return self.order.after(preposition) if preposition else self.order.things


class Field(Generic[V]):
    """A part of an order. `under` is its preposition; empty for what follows the verb itself. It is chosen `among` these.

    `needed`: it must be there; `most`: so many things at most, more are refused (None: any number); `counts`: it says how many of
    something; `free`: whatever is offered in it leads to a lawful order, where the parts before it do.
    """

    needed = True
    most: int | None = 1
    counts = free = False

    def __init__(
        self,
        name: str,
        kinds: Sequence[str],
        under: str = "",
        say: Callable[[V], str] = str,
        among: Among[Any] | None = None,
    ) -> None:
        self.name, self.kinds, self.under, self.say, self.among = name, tuple(kinds), under, say, among

    @property
    def names(self) -> tuple[str, ...]:
        """The fields of the order that it makes: its own, where it makes one."""
        return (self.name,)

    def parts(self, value: V) -> dict[str, Any]:
        """Its value as fields of the order."""
        return {self.name: value}

    def of(self, order: Any) -> V:
        """Its value in an order."""
        value: V = getattr(order, self.name)
        return value

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        """The prepositions it stands under, with the kinds each takes."""
        return {self.under: self.kinds} if self.under else {}

    def read(self, said: Said) -> V:
        """Its value in a sentence. Raises Refused."""
        raise NotImplementedError

    def things(self, value: V, state: Any) -> tuple[Thing, ...]:
        """Its value as a sentence names it; nothing where it goes without saying."""
        raise NotImplementedError

    def offers(self, state: Any, seat: Seat, got: Got) -> Iterable[Choice[V]]:
        """The values that it may have beside the parts `got` before it, the usual first, the least of what is counted.

        Unlawful values may be among them: `asked` (kit.declared) leaves them out.
        """
        if self.among is None:
            raise NotImplementedError(f"{type(self).__name__} {self.name}")
        return self.among(state, seat, got)

    def asked(self, state: Any, seat: Seat, got: Got, leads: Leads[V]) -> Asking[V]:
        """Ask for what it offers, where that `leads` to a lawful order; what may be left out and must be is not asked for."""
        able = [choice for choice in self.offers(state, seat, got) if leads(choice.value)]
        return able[0].value if len(able) == 1 and not self.needed else (yield from one(self.name, able))

    def clauses(self, value: V, state: Any) -> Iterator[Clause]:
        """Its part of a sentence, the mirror of `read`."""
        things = self.things(value, state)
        if things:
            yield Clause(self.under, things)


class Joint(Field[tuple[Any, ...]]):
    """A part that is several fields of the order at once, such as units by number and so many of a kind."""

    joins: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return self.joins

    def parts(self, value: tuple[Any, ...]) -> dict[str, Any]:
        return dict(zip(self.joins, value, strict=True))

    def of(self, order: Any) -> tuple[Any, ...]:
        return tuple(getattr(order, name) for name in self.joins)


class One(Field[V]):
    """One thing by its name. `taken` makes the value of the name; `several` is said of more than one, with the rule."""

    def __init__(
        self,
        name: str,
        kinds: Sequence[str],
        under: str = "",
        *,
        taken: Callable[[str], V],
        several: tuple[str, str] = ("", ""),
        among: Among[V] | None = None,
    ) -> None:
        super().__init__(name, kinds, under, among=among)
        self.taken, self.several = taken, several

    def read(self, said: Said) -> V:
        first, *more = said.after(self.under)
        if more:
            raise Refused(*self.several, more[-1].name)
        return self.taken(first.name)

    def things(self, value: V, state: Any) -> tuple[Thing, ...]:
        return (Thing(self.kinds[0], str(value)),)


class Number(Field[int]):
    """A bare number, such as that of an offer."""

    def __init__(
        self, name: str, under: str = "", kinds: Sequence[str] = ("number",), among: Among[int] | None = None
    ) -> None:
        super().__init__(name, kinds, under, among=among)

    def read(self, said: Said) -> int:
        return said.after(self.under)[0].count()

    def things(self, value: int, state: Any) -> tuple[Thing, ...]:
        return (Thing("number", str(value), exact(value)),)


class Row(Field[tuple[V, ...]]):
    """Things by name, in order of preference, each once; any number `among` those that may stand in it alone.

    `usual` names what most would write.
    """

    most = None

    def __init__(
        self,
        name: str,
        kinds: Sequence[str],
        under: str = "",
        *,
        taken: Callable[[str], V],
        say: Callable[[tuple[V, ...]], str],
        among: Among[V] | None = None,
        usual: Held[Sequence[str]] = lambda state, seat, got: (),
    ) -> None:
        super().__init__(name, kinds, under, say, among)
        self.taken, self.usual = taken, usual

    def offers(self, state: Any, seat: Seat, got: Got) -> Iterable[Choice[tuple[V, ...]]]:
        found: Iterable[Choice[Any]] = super().offers(state, seat, got)
        return (Choice(each.word, (each.value,), each.meaning, each.at) for each in found)

    def asked(self, state: Any, seat: Seat, got: Got, leads: Leads[tuple[V, ...]]) -> Asking[tuple[V, ...]]:
        able = [choice for choice in self.offers(state, seat, got) if leads(choice.value)]
        usual = self.usual(state, seat, got)
        habit = tuple(choice.word for choice in able if choice.word in usual)
        picked = yield from several(self.name, able, int(self.needed), usual=habit)
        return tuple(value for (value,) in picked)

    def read(self, said: Said) -> tuple[V, ...]:
        return tuple(dict.fromkeys(self.taken(thing.name) for thing in said.after(self.under)))

    def things(self, value: tuple[V, ...], state: Any) -> tuple[Thing, ...]:
        return tuple(named(str(each), self.kinds[0]) for each in value)


class Counted(Field[Quantity]):
    """So many of one noun: `2 workers`, `all workers`, `up to 3 workers`.

    `wrong` says of another noun why it is not that one, and the rule; `rule` demands a number; `held` is the most there can be.
    """

    counts = True

    def __init__(
        self,
        name: str,
        noun: str,
        kinds: Sequence[str],
        under: str = "",
        *,
        wrong: Callable[[str], tuple[str, str]],
        rule: str,
        held: Held[int] = lambda state, seat, got: 0,
    ) -> None:
        super().__init__(name, kinds, under, lambda quantity: portion_in_words(quantity, noun))
        self.noun, self.wrong, self.rule, self.held = noun, wrong, rule, held

    def offers(self, state: Any, seat: Seat, got: Got) -> Iterable[Choice[Quantity]]:
        return (Choice("1", exact(1)),) if self.held(state, seat, got) else ()

    def asked(self, state: Any, seat: Seat, got: Got, leads: Leads[Quantity]) -> Asking[Quantity]:
        most = most_that(lambda many: leads(exact(many)), self.held(state, seat, got))
        return (yield from quantity(self.name, self.noun, most, most if leads(ALL.value) else 0))

    def read(self, said: Said) -> Quantity:
        thing = said.after(self.under)[0]
        if thing.kind not in ("any", "number") and thing.name != self.noun:
            raise Refused(*self.wrong(thing.name), thing.name)
        return quantity_of(thing, self.noun, self.rule, said.order.verb)

    def things(self, value: Quantity, state: Any) -> tuple[Thing, ...]:
        return (Thing(self.kinds[0], self.noun, value),)


class HowMany(Field[int]):
    """So many of what a seat has, as a plain number: `3 coins`, `all coins`, `half coins`; a bare name is one of them.

    `usual` is what most would write, as far as there is so much.
    """

    counts = True

    def __init__(
        self,
        name: str,
        noun: str,
        *kinds: str,
        held: Callable[[Any, Seat], int],
        rule: str,
        least: int = 1,
        usual: int = 0,
        say: Callable[[int], str] | None = None,
    ) -> None:
        super().__init__(name, kinds, "", say or (lambda number: counted(number, noun)))
        self.noun, self.held, self.rule, self.least, self.usual = noun, held, rule, least, usual

    def read(self, said: Said) -> int:
        quantity, held = said.order.things[0].quantity, self.held(said.state, said.seat)
        number = quantity.of(held) if quantity else 1
        if not 0 <= number <= held:
            raise Refused(f"You have only {counted(held, self.noun)}.", self.rule, str(number))
        return number

    def offers(self, state: Any, seat: Seat, got: Got) -> Iterable[Choice[int]]:
        return (Choice(str(self.least), self.least),) if self.held(state, seat) >= self.least else ()

    def asked(self, state: Any, seat: Seat, got: Got, leads: Leads[int]) -> Asking[int]:
        most = most_that(leads, self.held(state, seat))
        return (yield from number(self.name, self.noun, self.least, most, min(max(self.usual, self.least), most)))

    def things(self, value: int, state: Any) -> tuple[Thing, ...]:
        return (Thing(self.kinds[0], self.noun, exact(value)),)


_NONE_KEPT = (Choice("none", dict[str, Any]()),)


class Stock(Field[dict[str, Any]]):
    """So much of things: `3 gold, 1 wood`, each at least `least`; `{}` in `needs` is the thing without such a number.

    `much` tells how much is meant; None where that cannot be said so. `held` is what there can be at most, `among` the names
    with what they mean, the usual first; `usual` is what most would write.

    `strange` says of a thing why it cannot stand here, and the rule; empty where it may.
    """

    most = None

    def __init__(
        self,
        name: str,
        kinds: Sequence[str],
        under: str = "",
        *,
        least: int,
        needs: str,
        rule: str,
        strange: Callable[[Thing, str], tuple[str, str]] = lambda thing, verb: ("", ""),
        much: Callable[[Said, Thing], int | Quantity | None] = lambda said, thing: exactly(thing),
        needed: bool = False,
        say: Callable[[dict[str, Any]], str] = stock_in_words,
        held: Held[Mapping[str, int]] = lambda state, seat, got: {},
        usual: Held[Mapping[str, int]] = lambda state, seat, got: {},
        among: Among[str] | None = None,
    ) -> None:
        super().__init__(name, kinds, under, say, among)
        self.held, self.usual = held, usual
        self.smallest, self.needs, self.rule = least, needs, rule
        self.strange, self.much, self.needed = strange, much, needed

    def read(self, said: Said) -> dict[str, Any]:
        stock: dict[str, int | Quantity] = {}
        for thing in said.after(self.under):
            sentence, rule = self.strange(thing, said.order.verb)
            if sentence:
                raise Refused(sentence, rule, thing.name)
            much, before = self.much(said, thing), stock.get(thing.name, 0)
            if much is None or (isinstance(much, int) and much < self.smallest):
                raise Refused(self.needs.format(thing.name), self.rule, thing.name)
            stock[thing.name] = before + much if isinstance(before, int) and isinstance(much, int) else much
        return {name: much for name, much in stock.items() if much != 0}

    def offers(self, state: Any, seat: Seat, got: Got) -> Iterable[Choice[dict[str, Any]]]:
        """A little of each; nothing, the least of all, where it may be left out."""
        if not self.needed:
            return _NONE_KEPT
        held, least = self._most(state, seat, got, {}), max(1, self.smallest)
        return [
            Choice(choice.word, {choice.value: least}, choice.meaning)
            for choice in self._named(state, seat, got, held)
            if held[choice.value] >= least
        ]

    def asked(self, state: Any, seat: Seat, got: Got, leads: Leads[dict[str, Any]]) -> Asking[dict[str, Any]]:
        """The kinds, and how much of each; of what stands alone the number at once."""
        held, usual, least = self._most(state, seat, got, {}), self.usual(state, seat, got), max(1, self.smallest)
        names = [choice for choice in self._named(state, seat, got, held) if held[choice.value] >= least]
        alone, stock = len(held) == 1 and not self.needed, dict.fromkeys((choice.value for choice in names), least)

        def together(many: int) -> bool:
            return leads({choice.value: least for choice in names[:many]})

        def fits(name: str, much: int) -> bool:
            return leads({**stock, name: much})

        if not alone:
            most = most_that(together, len(names))
            able = [*names[:most], *(choice for choice in names[most:] if leads({choice.value: least}))]
            if able != names:
                names = able
                most = most_that(together, len(names))
            if not names and not self.needed:
                return {}
            by_habit = tuple(choice.word for choice in names if usual.get(choice.word))
            wanted = yield from several(self.name, names, int(self.needed), most, by_habit)
            stock = dict.fromkeys(wanted, least)
        for name in tuple(stock):
            most = most_that(partial(fits, name), self._most(state, seat, got, stock)[name])
            if alone and most < least:
                return {}
            fewest = 0 if alone else least
            habit = max(fewest, min(usual.get(name, 0), most))
            stock[name] = yield from number(f"{self.name} {name}", name, fewest, most, habit)
        return {name: much for name, much in stock.items() if much}

    def _most(self, state: Any, seat: Seat, got: Got, stock: Mapping[str, int]) -> Mapping[str, int]:
        """The most that there can be of each, beside so much of all."""
        return self.held(state, seat, {**got, self.name: stock})

    def _named(self, state: Any, seat: Seat, got: Got, held: Mapping[str, int]) -> Iterable[Choice[str]]:
        if self.among:
            return self.among(state, seat, got)
        return (Choice(name, name, f"{number} on hand") for name, number in held.items())

    def things(self, value: dict[str, Any], state: Any) -> tuple[Thing, ...]:
        return tuple(Thing(self.kinds[0], name, _quantity(much)) for name, much in value.items())


class Maybe(Field[V | None]):
    """A part that may be left out."""

    needed = False

    def __init__(self, inner: Field[V], say: Callable[[V | None], str]) -> None:
        super().__init__(inner.name, inner.kinds, inner.under, say)
        self.inner = inner

    def read(self, said: Said) -> V | None:
        return self.inner.read(said) if said.after(self.under) else None

    def offers(self, state: Any, seat: Seat, got: Got) -> Iterable[Choice[V | None]]:
        return (Choice("none", None), *self.inner.offers(state, seat, got))

    def asked(self, state: Any, seat: Seat, got: Got, leads: Leads[V | None]) -> Asking[V | None]:
        able = [choice for choice in self.inner.offers(state, seat, got) if leads(choice.value)]
        if not able and leads(None):
            return None
        picked = yield from several(self.name, able, int(not leads(None)), 1)
        return picked[0] if picked else None

    def things(self, value: V | None, state: Any) -> tuple[Thing, ...]:
        return () if value is None else self.inner.things(value, state)


class Flag(Field[bool]):
    """A clause that is there or not: UNLESS outnumbered; `usual` says whether most would write it."""

    needed = False

    def __init__(
        self,
        name: str,
        kind: str,
        under: str,
        word: str,
        says: str,
        meaning: str = "",
        usual: Held[bool] = lambda state, seat, got: False,
    ) -> None:
        super().__init__(name, (kind,), under, lambda on: says if on else "")
        self.word, self.meaning, self.usual = word, meaning, usual

    def read(self, said: Said) -> bool:
        return bool(said.after(self.under))

    def offers(self, state: Any, seat: Seat, got: Got) -> Iterable[Choice[bool]]:
        return Choice("", False), Choice(self.word, True, self.meaning)

    def asked(self, state: Any, seat: Seat, got: Got, leads: Leads[bool]) -> Asking[bool]:
        _, able = self.offers(state, seat, got)
        if not leads(True):
            return False
        usual = (self.word,) if self.usual(state, seat, got) else ()
        return bool((yield from several(self.name, [able], int(not leads(False)), usual=usual)))

    def things(self, value: bool, state: Any) -> tuple[Thing, ...]:
        return (Thing(self.kinds[0], self.word),) if value else ()


class Fixed(Joint):
    """A word that stands in every such sentence and decides nothing: OFFER peace."""

    def __init__(self, kinds: Sequence[str], word: str, needed: bool = True) -> None:
        super().__init__("", kinds)
        self.word, self.needed = word, needed

    def read(self, said: Said) -> tuple[Any, ...]:
        return ()

    def offers(self, state: Any, seat: Seat, got: Got) -> Iterable[Choice[tuple[Any, ...]]]:
        return (Choice(self.word, ()),)

    def asked(self, state: Any, seat: Seat, got: Got, leads: Leads[tuple[Any, ...]]) -> Asking[tuple[Any, ...]]:
        yield from ()
        return ()

    def things(self, value: tuple[Any, ...], state: Any) -> tuple[Thing, ...]:
        return (Thing(self.kinds[0], self.word),)


# ---------------------------------------------------------------- words and quantities


def exact(number: int) -> Quantity:
    """Just so many."""
    return Quantity(Portion.EXACTLY, number)


def named(name: str, kind: str, quantity: Quantity | None = None) -> Thing:
    """A thing by its name; `any` is of a kind of its own."""
    return Thing("any" if name == ANY else kind, name, quantity)


def portion_in_words(quantity: Quantity, name: str) -> str:
    """`2 fleets`, `up to 3 workers`, `as many armies as possible`."""
    match quantity.portion:
        case Portion.EXACTLY:
            return counted(quantity.number, name)
        case Portion.UP_TO:
            return f"up to {counted(quantity.number, name)}"
        case Portion.ALL:
            return f"as many {name} as possible"
        case Portion.ALL_BUT:
            return f"all possible {name} but {quantity.number}"
        case Portion.HALF:
            return f"half as many {name} as possible"


Most = int | Quantity
"""How many at most: a number, 0 for as many as there are, or a portion of them, told when it is known how many there are."""


def most_of(thing: Thing, verb: str, rule: str, *instead: str) -> Most:
    """How many of a thing are meant at most; without a number all of them. Raises Refused for none at all."""
    quantity = thing.quantity
    if quantity is None or quantity.portion is Portion.ALL:
        return 0
    if quantity.portion in (Portion.HALF, Portion.ALL_BUT):
        return quantity
    if quantity.number < 1:
        raise Refused(f"{verb} needs a number of at least 1.", rule, str(quantity.number), instead)
    return quantity.number


def meant(most: Most, held: int) -> int:
    """How many of `held` that is."""
    return most.of(held) if isinstance(most, Quantity) else min(most or held, held)


def _quantity(much: Most) -> Quantity:
    return much if isinstance(much, Quantity) else exact(much)


def written(most: Most) -> Quantity | None:
    """As it stands before a noun; nothing where it goes without saying."""
    return _quantity(most) if most else None


def exactly(thing: Thing) -> int | None:
    """Just so many; None where no such number is said."""
    return thing.count() if thing.quantity and thing.quantity.portion is Portion.EXACTLY else None


def part(said: Said, thing: Thing) -> int | Quantity | None:
    """Just so many, or a part of what there will be."""
    known = thing.quantity and thing.quantity.portion in (Portion.EXACTLY, Portion.UP_TO)
    return thing.count() if known else thing.quantity


def share_of(most: Most) -> str:
    """`3`, `half`, `all but 2`, as it stands before a noun."""
    if not isinstance(most, Quantity):
        return str(most)
    return most.portion.value + (f" {most.number}" if most.portion is Portion.ALL_BUT else "")


def quantity_of(thing: Thing, noun: str, rule: str, verb: str) -> Quantity:
    """How many are meant: a bare `all` means all. Raises Refused when no number is given, or none at all."""
    if thing.kind == "any":
        return Quantity(Portion.ALL)
    if thing.quantity is None:
        raise Refused(f"Say how many {noun}.", rule, thing.name, (f"{verb} {counted(1, noun)}", f"{verb} all {noun}"))
    if thing.quantity.portion in (Portion.EXACTLY, Portion.UP_TO) and thing.quantity.number < 1:
        raise Refused(f"{verb} needs a number of at least 1.", rule, str(thing.quantity.number))
    return thing.quantity
